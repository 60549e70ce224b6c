import { defineRules } from '../../../core/rule';
import { byOneHeader, byWeight, change, customByWeight } from './examples';
import { sources } from './sources';

/** The text that sets the weight in the ingress example. */
const setWeight = 'annotations["demo.example.com/canary-weight"] = obj.weight\n';

/** What can be read off a script without running it, and the limits of a run. */
export const syntaxRules = defineRules({
  'lua-syntax': {
    severity: 'error',
    title: 'the script does not parse',
    because:
      'the controller parses the script anew for every step, with a Lua 5.1 parser: it logs "execute lua failed", the Rollout hangs, and no event or status says why.',
    fix: 'correct the place that the parser names, in Lua 5.1',
    basis: 'run',
    sources: [sources.lua, sources.gopherLua],
    failing: change(
      byWeight,
      setWeight,
      'annotations["demo.example.com/canary-parts"] = tostring(tonumber(obj.weight) // 10)\n',
    ),
    corrected: change(
      byWeight,
      setWeight,
      'annotations["demo.example.com/canary-parts"] = tostring(math.floor(tonumber(obj.weight) / 10))\n',
    ),
  },

  'lua-unavailable': {
    severity: 'error',
    title: 'the script uses what the controller does not have',
    because:
      'the controller opens the base, math, table and string libraries of Lua 5.1 and `json`, nothing else: the name is nil there, and the script stops when it uses it.',
    fix: 'use what Lua 5.1 has in its place',
    basis: 'run',
    sources: [sources.lua, sources.gopherLua],
    failing: change(
      byWeight,
      'return annotations',
      'annotations["demo.example.com/changed"] = os.date()\nreturn annotations',
    ),
    corrected: byWeight,
  },

  'lua-global': {
    severity: 'warning',
    title: 'the script makes a global',
    because:
      'a global outlives the block and the loop pass that set it, so that a value of one match leaks into the next: the built-in VirtualService script has that defect. Globals do not survive the run.',
    fix: 'write `local` in front of the first assignment',
    basis: 'run',
    sources: [sources.lua, sources.virtualServiceScript],
    failing: change(byWeight, 'local annotations', 'annotations'),
    corrected: byWeight,
  },

  'lua-obj-overwritten': {
    severity: 'error',
    title: 'the script replaces `obj`',
    because:
      'the controller passes the step in the global `obj`: a script that sets it, as is done for debugging, routes the values that are written there, whatever the Rollout says.',
    fix: 'remove the assignment; keep sample values in a file of their own',
    basis: 'run',
    sources: [sources.lua],
    failing: change(
      byWeight,
      'if (obj',
      'obj = { weight = "20", canaryService = "web-canary", annotations = {} }\nif (obj',
    ),
    corrected: byWeight,
  },

  'lua-weight-type': {
    severity: 'error',
    title: 'a weight is compared with a value of another type',
    because:
      '`obj.weight` of an ingress script is a string ("0" to "100", "-1" for a step without traffic), `obj.canaryWeight` and `obj.stableWeight` of a custom script are numbers. In Lua "20" == 20 is false, and "20" < 20 is an error.',
    fix: 'compare with a value of the same type, or convert with tonumber or tostring first',
    basis: 'run',
    sources: [sources.ingress, sources.custom],
    failing: change(
      byWeight,
      'return annotations',
      'if obj.weight == 100 then\n  annotations["demo.example.com/canary-weight"] = "all"\nend\nreturn annotations',
    ),
    corrected: change(
      byWeight,
      'return annotations',
      'if obj.weight == "100" then\n  annotations["demo.example.com/canary-weight"] = "all"\nend\nreturn annotations',
    ),
  },

  'lua-field-absent': {
    severity: 'error',
    title: 'the script reads a field that `obj` does not have',
    because: 'the controller never sets that field for this kind of script: it is always nil, and no message says so.',
    fix: 'read the field that holds the value for this kind of script',
    basis: 'run',
    sources: [sources.ingress, sources.custom],
    failing: change(
      byWeight,
      'return annotations',
      'annotations["demo.example.com/stable"] = obj.stableService\nreturn annotations',
    ),
    corrected: change(
      byWeight,
      'return annotations',
      'annotations["demo.example.com/stable"] = string.gsub(obj.canaryService, "-canary$", "")\nreturn annotations',
    ),
  },

  'lua-json-encode-unchecked': {
    severity: 'warning',
    title: 'the result of json.encode is used unseen',
    because:
      'json.encode does not stop the script where it fails: it returns nil and a message. Assigned to an annotation, the nil removes the annotation, and the step looks done.',
    fix: 'write assert(json.encode(...)), which stops the script with the message',
    basis: 'run',
    sources: [sources.luaJson],
    failing: change(
      byWeight,
      setWeight,
      'annotations["demo.example.com/canary"] = json.encode({ service = obj.canaryService, weight = obj.weight })\n',
    ),
    corrected: change(
      byWeight,
      setWeight,
      'annotations["demo.example.com/canary"] = assert(json.encode({ service = obj.canaryService, weight = obj.weight }))\n',
    ),
  },

  'lua-port-hard-coded': {
    severity: 'warning',
    title: 'a port of a Service is written into the script',
    because:
      'one script serves every Ingress or object of its kind in the cluster. A Service without that port breaks the rule: the AWS Load Balancer Controller, for one, then stops with "unable to find port" for the whole group.',
    fix: "take the port from the stable Service's entry in the annotations or the spec",
    basis: 'run',
    sources: [sources.awsRequest, sources.lbcBackend],
    failing: change(
      byWeight,
      setWeight,
      `annotations["demo.example.com/backend"] = assert(json.encode({
  serviceName = obj.canaryService,
  servicePort = 80,
  weight = tonumber(obj.weight),
}))
`,
    ),
    corrected: change(
      byWeight,
      setWeight,
      `local stable = json.decode(annotations["demo.example.com/stable-backend"] or "{}")
annotations["demo.example.com/backend"] = assert(json.encode({
  serviceName = obj.canaryService,
  servicePort = stable.servicePort,
  weight = tonumber(obj.weight),
}))
`,
    ),
  },

  'lua-time-limit': {
    severity: 'error',
    title: 'the script does not end in time',
    because:
      'the controller stops a script after one second ("context deadline exceeded") and tries again with growing delays; pattern matching is not stopped at all and holds a worker for good.',
    fix: 'make every loop end: count passes, and change in each what the condition looks at',
    basis: 'run',
    sources: [sources.lua],
    failing: change(
      byOneHeader,
      'local header = match.headers[1]\n',
      'local index = 1\nwhile not match.headers[index].value do\nend\nlocal header = match.headers[index]\nrepeat\nuntil header.name == "x-user-id"\n',
    ),
    corrected: byOneHeader,
  },

  'lua-memory-limit': {
    severity: 'error',
    title: 'the script takes too much memory',
    because:
      'the controller sets no limit: its process is killed, and with it every rollout in the cluster stands still until the other replica takes over, which is then killed too.',
    fix: 'bound the length of what the script builds',
    basis: 'run',
    sources: [sources.lua],
    failing: change(
      customByWeight,
      'return obj.data',
      'local padding = " "\nwhile #padding < 10000000000 do\n  padding = padding .. padding\nend\nreturn obj.data',
    ),
    corrected: customByWeight,
  },
});
