import { defineRules } from '../../../core/rule';
import { byOneHeader, byWeight, change, customByWeight } from './examples';
import { sources } from './sources';

/** The text that sets the weight in the ingress example. */
const setWeight = 'annotations["demo.example.com/canary-weight"] = obj.weight\n';

/** Rules for the text of a script, and for the limits of a run. */
export const syntaxRules = defineRules({
  'lua-syntax': {
    severity: 'error',
    title: 'the script does not parse',
    because:
      'the controller parses the script in every step with a Lua 5.1 parser. It logs "execute lua failed", the Rollout hangs, and no event or status gives the reason.',
    fix: 'correct the syntax at the reported position, in Lua 5.1',
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
    title: 'the script uses a name that the controller does not provide',
    because:
      'the controller provides only `json` and the base, math, table and string libraries of Lua 5.1: the name is nil, and the script stops when it uses it.',
    fix: 'use the Lua 5.1 equivalent',
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
    title: 'the script sets a global variable',
    because:
      'a global keeps its value after the block or loop iteration that set it, so that a value of one match leaks into the next: the built-in VirtualService script has this defect. Globals do not survive the run.',
    fix: 'write `local` before the first assignment',
    basis: 'run',
    sources: [sources.lua, sources.virtualServiceScript],
    failing: change(byWeight, 'local annotations', 'annotations'),
    corrected: byWeight,
  },

  'lua-obj-overwritten': {
    severity: 'error',
    title: 'the script replaces `obj`',
    because:
      'the controller passes the step in the global `obj`. A script that sets `obj`, for example for debugging, routes its own values and ignores the Rollout.',
    fix: 'remove the assignment; keep sample values in a separate file',
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
    title: 'the script compares a weight with a value of another type',
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
    because:
      'the controller never sets this field for this kind of script: it is always nil, and the controller reports nothing.',
    fix: 'read the field that has the value for this kind of script',
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
    title: 'the script uses the result of json.encode without a check',
    because:
      'json.encode does not stop the script when it fails: it returns nil and a message. Assigning nil to an annotation removes the annotation, and the step seems to succeed.',
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
    title: 'the script hard-codes a port of a Service',
    because:
      'one script serves every Ingress or object of its kind in the cluster. A Service without that port breaks the rule: the AWS Load Balancer Controller, for example, stops with "unable to find port" for the whole group.',
    fix: "read the port from the stable Service's entry in the annotations or the spec",
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
      'the controller stops a script after one second ("context deadline exceeded") and retries with growing delays. It cannot stop pattern matching, which blocks a worker forever.',
    fix: 'make sure that every loop ends: limit its iterations, and change the tested values in each',
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
      'the controller sets no memory limit for a script: the kernel kills the controller, and every rollout in the cluster stops until the other replica takes over and is killed too.',
    fix: 'limit the size of the values that the script builds',
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
