import { defineRules } from '../../../core/rule';
import { byOneHeader, byWeight, change, customByWeight, customSplit } from './examples';
import { sources } from './sources';

const hangs = 'the controller logs "execute lua failed" and retries forever: the Rollout stays in its step.';

/** Rules for inputs on which a script stops. */
export const inputRules = defineRules({
  'lua-annotations-unguarded': {
    severity: 'error',
    title: 'the script stops if the object has no annotations',
    because: `obj.annotations (ingress) and obj.data.annotations (custom) are nil, not an empty table, if the object has no annotations: ${hangs}`,
    fix: 'write `obj.annotations or {}`',
    basis: 'run',
    sources: [sources.ingress, sources.custom, sources.mseScript],
    failing: change(byWeight, 'obj.annotations or {}', 'obj.annotations'),
    corrected: byWeight,
  },

  'lua-labels-unguarded': {
    severity: 'error',
    title: 'the script stops if the object has no labels',
    because: `obj.data.labels is nil, not an empty table, if the object has no labels: ${hangs}`,
    fix: 'write `obj.data.labels = obj.data.labels or {}` before the first use',
    basis: 'run',
    sources: [sources.custom],
    failing: change(
      customByWeight,
      'return obj.data\n',
      'obj.data.labels["example.com/rollout"] = "canary"\nreturn obj.data\n',
    ),
    corrected: change(
      customByWeight,
      'return obj.data\n',
      'obj.data.labels = obj.data.labels or {}\nobj.data.labels["example.com/rollout"] = "canary"\nreturn obj.data\n',
    ),
  },

  'lua-matches-unguarded': {
    severity: 'error',
    title: 'the script stops at a step without matches',
    because: `obj.matches is nil in a step with traffic only, and when the controller creates the canary Ingress: ${hangs}`,
    fix: 'write `obj.matches or {}`',
    basis: 'run',
    sources: [sources.ingress, sources.custom],
    failing: change(byOneHeader, 'obj.matches or {}', 'obj.matches'),
    corrected: byOneHeader,
  },

  'lua-match-part-unguarded': {
    severity: 'error',
    title: 'the script stops at a match without a certain part',
    because: `headers, path and queryParams of a match are nil if the Rollout does not set them; a match may have only a path or a query parameter: ${hangs}`,
    fix: 'check that the part is set; call error() with a clear message if the script needs it',
    basis: 'run',
    sources: [sources.api, sources.aliyunScript],
    failing: change(byOneHeader, 'if not match.headers or #match.headers', 'if #match.headers'),
    corrected: byOneHeader,
  },

  'lua-header-modifier-unguarded': {
    severity: 'error',
    title: 'the script stops if requestHeaderModifier or one of its lists is absent',
    because: `obj.requestHeaderModifier is nil in a step without one, and each of set, add and remove is nil if it is not set: ${hangs}`,
    fix: 'write `or {}` after the modifier and after each list',
    basis: 'run',
    sources: [sources.api, sources.mseScript],
    failing: change(byWeight, ' or obj.requestHeaderModifier then', ' or #obj.requestHeaderModifier.set > 0 then'),
    corrected: byWeight,
  },

  'lua-crash': {
    severity: 'error',
    title: 'the script stops with an error of the Lua VM',
    because: `the controller passes such an input to the script: ${hangs}`,
    fix: 'handle the input, or call error() with a message that explains the alternative',
    basis: 'run',
    sources: [sources.lua],
    failing: change(customSplit, 'conf.split or { { destination = conf.destination } }', 'conf.split'),
    corrected: customSplit,
  },
});
