import { defineRules } from '../../../core/rule';
import { byOneHeader, byWeight, change } from './examples';
import { sources } from './sources';

const asked = 'a step that asks for it is played as if it did not, and nothing says so';
const returns = 'return annotations\n';
const storeHeader = '= header.name .. "=" .. header.value\nreturn';

/** What a script makes of a step. */
export const behaviourRules = defineRules({
  'lua-not-idempotent': {
    severity: 'error',
    title: 'an ingress script changes its own result when it runs again',
    because:
      'the controller runs the script on the annotations that it wrote before, again and again, until nothing changes. A script that appends or counts never comes to an end, and the Rollout stays in its step.',
    fix: 'set each key from the step alone, never from its former value',
    basis: 'run',
    sources: [sources.ingress],
    failing: change(
      byWeight,
      returns,
      'local key = "demo.example.com/weights"\nannotations[key] = (annotations[key] or "") .. obj.weight .. ";"\nreturn annotations\n',
    ),
    corrected: byWeight,
  },

  'lua-stale-annotation': {
    severity: 'error',
    title: 'an ingress script leaves what an earlier step wrote',
    because:
      'the script is given the annotations of the step before. A key that it does not clear keeps routing: the header of step 1 in step 2, the weight beside a match.',
    fix: 'set every key of yours to nil first, then those that the step needs',
    basis: 'run',
    sources: [sources.ingress],
    failing: change(byOneHeader, 'annotations["demo.example.com/canary-header"] = nil\n', ''),
    corrected: byOneHeader,
  },

  'lua-step-ignored': {
    severity: 'error',
    title: 'the script writes the same whatever the step asks for',
    because:
      'neither the weight nor the matches of a step change anything: no request ever reaches the canary, or all do.',
    fix: 'use obj.weight (ingress) or obj.canaryWeight (custom), and obj.matches',
    basis: 'run',
    sources: [sources.ingress, sources.custom],
    failing: change(byWeight, '= obj.weight', '= "50"'),
    corrected: byWeight,
  },

  'lua-weight-ignored': {
    severity: 'error',
    title: 'the script ignores the weight of a step',
    because: `two steps with different traffic are written alike: ${asked}.`,
    fix: 'write the weight, or call error() where the gateway has no weights',
    basis: 'run',
    sources: [sources.ingress, sources.custom],
    failing: change(byWeight, '= obj.weight', '= obj.weight == "0" and "0" or "50"'),
    corrected: byWeight,
  },

  'lua-header-ignored': {
    severity: 'error',
    title: 'the script ignores a header of a match, or a part of it',
    because: `all headers of a match must agree for a request to be sent to the canary, each by name, value and type: ${asked}. More requests than meant reach the canary, or other ones.`,
    fix: 'write every header with its name, value and type; call error() for what the gateway cannot express',
    basis: 'run',
    sources: [sources.api],
    failing: change(byOneHeader, '#match.headers ~= 1', '#match.headers == 0'),
    corrected: byOneHeader,
  },

  'lua-alternative-ignored': {
    severity: 'error',
    title: 'the script ignores all but one of the matches',
    because: `a request that agrees with any of the matches belongs to the canary: ${asked}. The requests of the other matches stay with the stable version.`,
    fix: 'write a rule for each match; call error() where the gateway knows no alternatives',
    basis: 'run',
    sources: [sources.api],
    failing: change(
      byOneHeader,
      'if #matches > 1 then\n  error("demo knows no alternatives: write one match")\nend\n',
      '',
    ),
    corrected: byOneHeader,
  },

  'lua-path-ignored': {
    severity: 'error',
    title: 'the script ignores the path of a match, or a part of it',
    because: `a match with a path is meant for the requests of that path: ${asked}.`,
    fix: 'write the path with its type; call error() where the gateway cannot match it',
    basis: 'run',
    sources: [sources.api],
    failing: change(byOneHeader, 'if match.path then\n  error("demo cannot match a path")\nend\n', ''),
    corrected: byOneHeader,
  },

  'lua-query-ignored': {
    severity: 'error',
    title: 'the script ignores a query parameter of a match, or a part of it',
    because: `all query parameters of a match must agree: ${asked}.`,
    fix: 'write every query parameter with its name, value and type; call error() where the gateway cannot match it',
    basis: 'run',
    sources: [sources.api],
    failing: change(
      byOneHeader,
      'if match.queryParams then\n  error("demo cannot match a query parameter")\nend\n',
      '',
    ),
    corrected: byOneHeader,
  },

  'lua-header-modifier-ignored': {
    severity: 'warning',
    title: 'the script ignores requestHeaderModifier, or a part of it',
    because: `the canary expects the headers that the step sets, adds or removes: ${asked}.`,
    fix: 'write every list of the modifier; call error() for what the gateway cannot change',
    basis: 'run',
    sources: [sources.api],
    failing: change(byWeight, ' or obj.requestHeaderModifier then', ' then'),
    corrected: byWeight,
  },

  'lua-match-widened': {
    severity: 'error',
    title: 'a match that the script cannot express sends all traffic to the canary',
    because:
      'the match is left out, and what remains is a rule without any condition: a step for a few requests takes all of them.',
    fix: 'call error() for a match that yields no condition',
    basis: 'run',
    sources: [sources.api, sources.awsRequest],
    failing: change(
      byOneHeader,
      'if match.queryParams then\n  error("demo cannot match a query parameter")\nend\n',
      'if match.queryParams then\n  annotations["demo.example.com/canary-weight"] = "100"\n  return annotations\nend\n',
    ),
    corrected: byOneHeader,
  },

  'lua-weight-beside-matches': {
    severity: 'warning',
    title: 'the script uses the weight of a step that has matches',
    because:
      'the API says that matches take precedence over traffic. A script that writes both sends only a share of the matching requests to the canary, or a share of all others too, depending on the gateway.',
    fix: 'leave the weight out when there are matches, or call error() for a step with both',
    basis: 'read',
    sources: [sources.api],
    failing: change(
      byOneHeader,
      storeHeader,
      `${storeHeader.replace('return', '')}if obj.weight ~= "-1" then
  annotations["demo.example.com/canary-weight"] = obj.weight
end
return`,
    ),
    corrected: byOneHeader,
  },

  'lua-order-dependent': {
    severity: 'error',
    title: 'the result depends on the order of a table',
    because:
      '`pairs` and `next` walk what comes from obj and json.decode in a random order, another one at every run: the annotations change although the step does not, and the controller writes them again and again.',
    fix: 'use ipairs on lists; collect the keys of a map and sort them first',
    basis: 'run',
    sources: [sources.lua, sources.virtualServiceScript],
    failing: change(
      byWeight,
      returns,
      `local names = {}
for name in pairs(annotations) do
  if string.find(name, "/", 1, true) and not string.find(name, "demo.example.com", 1, true) then
    table.insert(names, name)
  end
end
annotations["demo.example.com/kept"] = table.concat(names, ",")
return annotations
`,
    ),
    corrected: change(
      byWeight,
      returns,
      `local names = {}
for name in pairs(annotations) do
  if string.find(name, "/", 1, true) and not string.find(name, "demo.example.com", 1, true) then
    table.insert(names, name)
  end
end
table.sort(names)
annotations["demo.example.com/kept"] = table.concat(names, ",")
return annotations
`,
    ),
  },

  'lua-header-renamed': {
    severity: 'error',
    title: 'the script takes a header for a cookie because of its name',
    because:
      'a header such as x-cookie-consent is a header of its own: written as a condition on `cookie`, it never matches, or matches other requests.',
    fix: 'compare the whole name: string.lower(header.name) == "cookie"',
    basis: 'run',
    sources: [sources.api, sources.awsRequest],
    failing: change(
      byOneHeader,
      'annotations["demo.example.com/canary-header"] = header.name ..',
      'local name = string.find(header.name, "cookie") and "cookie" or header.name\nannotations["demo.example.com/canary-header"] = name ..',
    ),
    corrected: byOneHeader,
  },

  'lua-header-value-split': {
    severity: 'error',
    title: 'the script splits or cuts the value of a header',
    because:
      'the value of a match is one value: "Mozilla/5.0 (X11; Linux)" is what one browser sends, and its two halves are sent by nobody.',
    fix: 'write the value as it is; for alternatives use several matches',
    basis: 'run',
    sources: [sources.api, sources.awsRequest],
    failing: change(byOneHeader, '.. header.value\n', '.. string.match(header.value, "[^;]*")\n'),
    corrected: byOneHeader,
  },
});
