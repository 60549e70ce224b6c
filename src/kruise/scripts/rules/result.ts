import { defineRules } from '../../../core/rule';
import { byWeight, change, customByWeight } from './examples';
import { sources } from './sources';

const returnAnnotations = 'return annotations\n';

/** Rules for the value that a script returns. */
export const resultRules = defineRules({
  'lua-no-return': {
    severity: 'error',
    title: 'the script can end without a return',
    because:
      'the controller writes the value that the script returns. Without a return it fails with "expect table output from Lua script, not nil", and the step never settles.',
    fix: 'return the annotations (ingress) or obj.data (custom) at the end of every path',
    basis: 'run',
    sources: [sources.ingress, sources.custom],
    failing: change(byWeight, returnAnnotations, ''),
    corrected: byWeight,
  },

  'lua-returns-no-table': {
    severity: 'error',
    title: 'the script returns a value that is not a table',
    because:
      'the controller fails with "expect table output from Lua script, not ...", and the step never settles. If the script returns several values, the controller uses the last one.',
    fix: 'return the annotations (ingress) or obj.data (custom), and nothing after it',
    basis: 'run',
    sources: [sources.ingress, sources.custom, sources.lua],
    failing: change(byWeight, returnAnnotations, 'return annotations, nil\n'),
    corrected: byWeight,
  },

  'lua-not-json': {
    severity: 'error',
    title: 'the returned table cannot be written as JSON',
    because:
      'the controller converts the table to JSON. JSON cannot represent a list with holes, a table with both numbered and named keys, a function, NaN, or a table that is referenced twice: the step fails.',
    fix: 'return lists without holes and maps with string keys only, and copy a table before using it twice',
    basis: 'run',
    sources: [sources.luaJson],
    failing: change(byWeight, returnAnnotations, 'annotations[1] = "canary"\nreturn annotations\n'),
    corrected: byWeight,
  },

  'lua-annotation-not-string': {
    severity: 'error',
    title: 'an ingress script returns an annotation that is not a string',
    because:
      'annotations are strings: for a number or a boolean, the controller fails with "json: cannot unmarshal number into Go value of type string"; an empty table becomes an empty string.',
    fix: 'write tostring(value), or assert(json.encode(value)) for a table',
    basis: 'run',
    sources: [sources.ingress],
    failing: change(byWeight, '= obj.weight', '= tonumber(obj.weight)'),
    corrected: byWeight,
  },

  'lua-annotations-dropped': {
    severity: 'error',
    title: 'an ingress script drops annotations of its input',
    because:
      'the controller replaces all annotations of the canary Ingress with the returned ones. It removes an annotation that the script omits, and the canary loses for example TLS, authentication or its load balancer group.',
    fix: 'start from obj.annotations, and change only the keys of the script',
    basis: 'run',
    sources: [sources.ingress],
    failing: change(byWeight, 'obj.annotations or {}', '{}'),
    corrected: byWeight,
  },

  'lua-object-wiped': {
    severity: 'error',
    title: 'the returned table has no spec, which wipes the object',
    because:
      'the controller reads spec, labels and annotations of the returned table. If spec is missing, as in `obj`, `obj.data.spec` and `{}`, it writes the object without spec, labels and annotations, and reports no error.',
    fix: 'return obj.data',
    basis: 'run',
    sources: [sources.custom],
    failing: change(customByWeight, 'return obj.data\n', 'return obj.data.spec\n'),
    corrected: customByWeight,
  },

  'lua-metadata-dropped': {
    severity: 'error',
    title: 'a custom script drops the labels or annotations of the object',
    because:
      'the controller replaces labels and annotations with those of the returned table: it removes omitted ones from the object until the rollout ends.',
    fix: 'return obj.data, or a table with spec, labels and annotations of obj.data',
    basis: 'run',
    sources: [sources.custom],
    failing: change(customByWeight, 'return obj.data\n', 'return { spec = obj.data.spec }\n'),
    corrected: customByWeight,
  },
});
