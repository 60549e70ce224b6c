import { defineRules } from '../../../core/rule';
import { byOneHeader, byWeight, change } from './examples';
import { sources } from './sources';

const ignored = 'the controller plays the step as if it were not set, and reports nothing';
const returns = 'return annotations\n';
const storeHeader = '= header.name .. "=" .. header.value\nreturn';

/** Rules for how a script handles a step. */
export const behaviourRules = defineRules({
  'lua-not-idempotent': {
    severity: 'error',
    title: 'an ingress script changes its own result in the next run',
    because:
      'the controller runs the script on its own result until nothing changes. A script that appends or counts never settles, and the Rollout stays in its step.',
    fix: 'compute each value from the step only, never from its previous value',
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
    title: 'an ingress script keeps an annotation of an earlier step',
    because:
      'the script gets the annotations of the previous step. A key that it does not clear keeps routing: for example the header of step 1 in step 2, or the weight in a step with a match.',
    fix: 'set all keys of the script to nil first, then set the keys that the step needs',
    basis: 'run',
    sources: [sources.ingress],
    failing: change(byOneHeader, 'annotations["demo.example.com/canary-header"] = nil\n', ''),
    corrected: byOneHeader,
  },

  'lua-step-ignored': {
    severity: 'error',
    title: 'the script writes the same result for every step',
    because: 'the weight and the matches of a step have no effect: the canary gets either no requests or all of them.',
    fix: 'use obj.weight (ingress) or obj.canaryWeight (custom), and obj.matches',
    basis: 'run',
    sources: [sources.ingress, sources.custom],
    failing: change(byWeight, '= obj.weight', '= "50"'),
    corrected: byWeight,
  },

  'lua-weight-ignored': {
    severity: 'error',
    title: 'the script ignores the weight of a step',
    because: `the script writes the same result for steps with different traffic: ${ignored}.`,
    fix: 'write the weight, or call error() if the gateway has no weights',
    basis: 'run',
    sources: [sources.ingress, sources.custom],
    failing: change(byWeight, '= obj.weight', '= obj.weight == "0" and "0" or "50"'),
    corrected: byWeight,
  },

  'lua-header-ignored': {
    severity: 'error',
    title: 'the script ignores a header of a match, or a part of it',
    because: `a request belongs to the canary only if it agrees with all headers of a match, each by name, value and type: ${ignored}. Too many or the wrong requests reach the canary.`,
    fix: 'write every header with its name, value and type; call error() for anything that the gateway cannot express',
    basis: 'run',
    sources: [sources.api],
    failing: change(byOneHeader, '#match.headers ~= 1', '#match.headers == 0'),
    corrected: byOneHeader,
  },

  'lua-alternative-ignored': {
    severity: 'error',
    title: 'the script ignores all but one of the matches',
    because: `a request that agrees with any of the matches belongs to the canary: ${ignored}. Requests of the ignored matches stay on the stable version.`,
    fix: 'write a rule for each match; call error() if the gateway has no alternatives',
    basis: 'run',
    sources: [sources.api],
    failing: change(
      byOneHeader,
      'if #matches > 1 then\n  error("demo supports one match only: write one match")\nend\n',
      '',
    ),
    corrected: byOneHeader,
  },

  'lua-path-ignored': {
    severity: 'error',
    title: 'the script ignores the path of a match, or a part of it',
    because: `a match with a path applies only to requests for that path: ${ignored}.`,
    fix: 'write the path with its type; call error() if the gateway cannot match it',
    basis: 'run',
    sources: [sources.api],
    failing: change(byOneHeader, 'if match.path then\n  error("demo cannot match a path")\nend\n', ''),
    corrected: byOneHeader,
  },

  'lua-query-ignored': {
    severity: 'error',
    title: 'the script ignores a query parameter of a match, or a part of it',
    because: `a request must agree with all query parameters of a match: ${ignored}.`,
    fix: 'write every query parameter with its name, value and type; call error() if the gateway cannot match it',
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
    because: `the canary expects the headers that the step sets, adds or removes: ${ignored}.`,
    fix: 'write every list of the modifier; call error() for anything that the gateway cannot change',
    basis: 'run',
    sources: [sources.api],
    failing: change(byWeight, ' or obj.requestHeaderModifier then', ' then'),
    corrected: byWeight,
  },

  'lua-match-widened': {
    severity: 'error',
    title: 'a match that the script cannot express sends all traffic to the canary',
    because:
      'the script omits the match, and a rule without conditions remains: a step for a few requests takes all of them.',
    fix: 'call error() for a match that gives no condition',
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
      'by the API, matches take precedence over traffic. If a script writes both, the gateway sends only a share of the matching requests to the canary, or also a share of all other requests.',
    fix: 'omit the weight if the step has matches, or call error() for a step with both',
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
      '`pairs` and `next` iterate over tables from obj and json.decode in a random order that differs in every run: the annotations change although the step does not, and the controller writes them again and again.',
    fix: 'use ipairs for lists; for maps, collect the keys and sort them first',
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
    title: 'the script mistakes a header for a cookie because of its name',
    because:
      'x-cookie-consent, for example, is not the Cookie header: a condition on `cookie` never matches it, or matches other requests.',
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
      'a header of a match has one value: a browser sends "Mozilla/5.0 (X11; Linux)", and no client sends one of its halves.',
    fix: 'write the value unchanged; for alternatives use several matches',
    basis: 'run',
    sources: [sources.api, sources.awsRequest],
    failing: change(byOneHeader, '.. header.value\n', '.. string.match(header.value, "[^;]*")\n'),
    corrected: byOneHeader,
  },
});
