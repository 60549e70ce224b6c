import { defineRules } from '../../../core/rule';
import { byOneHeader, byWeight, change, customByWeight, customSplit } from './examples';
import { sources } from './sources';

const hangs = 'the controller logs "execute lua failed" and tries again, for ever: the Rollout stays in its step.';

/** Inputs on which a script stops. */
export const inputRules = defineRules({
  'lua-annotations-unguarded': {
    severity: 'error',
    title: 'the script stops where the object has no annotations',
    because: `obj.annotations (ingress) and obj.data.annotations (custom) are nil, not an empty table, where the object has no annotations: ${hangs}`,
    fix: 'write `obj.annotations or {}`',
    basis: 'run',
    sources: [sources.ingress, sources.custom, sources.mseScript],
    failing: change(byWeight, 'obj.annotations or {}', 'obj.annotations'),
    corrected: byWeight,
  },

  'lua-labels-unguarded': {
    severity: 'error',
    title: 'the script stops where the object has no labels',
    because: `obj.data.labels is nil, not an empty table, where the object has no labels: ${hangs}`,
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
    because: `obj.matches is nil in a step that has traffic only, and when the canary Ingress is created: ${hangs}`,
    fix: 'write `obj.matches or {}`',
    basis: 'run',
    sources: [sources.ingress, sources.custom],
    failing: change(byOneHeader, 'obj.matches or {}', 'obj.matches'),
    corrected: byOneHeader,
  },

  'lua-match-part-unguarded': {
    severity: 'error',
    title: 'the script stops at a match that lacks a part',
    because: `headers, path and queryParams of a match are nil where the Rollout does not give them; a match may consist of a path or a query parameter alone: ${hangs}`,
    fix: 'look whether the part is there; call error() with a message of your own where the script needs it',
    basis: 'run',
    sources: [sources.api, sources.aliyunScript],
    failing: change(byOneHeader, 'if not match.headers or #match.headers', 'if #match.headers'),
    corrected: byOneHeader,
  },

  'lua-header-modifier-unguarded': {
    severity: 'error',
    title: 'the script stops at a requestHeaderModifier that is absent or lacks a list',
    because: `obj.requestHeaderModifier is nil in a step without one, and each of set, add and remove is nil where it is not given: ${hangs}`,
    fix: 'write `or {}` after the modifier and after each list',
    basis: 'run',
    sources: [sources.api, sources.mseScript],
    failing: change(byWeight, ' or obj.requestHeaderModifier then', ' or #obj.requestHeaderModifier.set > 0 then'),
    corrected: byWeight,
  },

  'lua-crash': {
    severity: 'error',
    title: 'the script stops with an error of the Lua VM',
    because: `the input is one that the controller hands to the script: ${hangs}`,
    fix: 'handle the input, or call error() with a message that says what to use instead',
    basis: 'run',
    sources: [sources.lua],
    failing: change(customSplit, 'conf.split or { { destination = conf.destination } }', 'conf.split'),
    corrected: customSplit,
  },
});
