/** What the checks of results say, word for word, and the near misses where they say nothing. */
import { describe, expect, it } from 'vitest';
import { check, customWith, traefikService } from './check';

const START = [
  'if (obj.matches and #obj.matches > 0) or obj.requestHeaderModifier then error("by weight only") end',
  'local a = obj.annotations or {} a.w = obj.weight',
].join('\n');
type Findings = ReturnType<typeof check>;
const shown = (findings: Findings) =>
  findings.map(({ rule, message, source }) => `${rule} ${source?.line}:${source?.column}: ${message}`);
const ingress = (end: string) => shown(check(`${START}\n${end}`));
const custom = (end: string) => shown(check(customWith().replace('return obj.data', end), traefikService));

describe('the result of an ingress script', () => {
  it.each<[end: string, findings: readonly string[]]>([
    ['return a', []],
    ['return (a)', []],
    ['return 1, a', []],
    ['return a, 1', ['lua-returns-no-table 3:1: the script returns a number, not a table']],
    ['return a, nil', ['lua-returns-no-table 3:1: the script returns nil as its last value, not a table']],
    ['  return', ['lua-returns-no-table 3:3: the script returns nothing, not a table']],
    ['return true', ['lua-returns-no-table 3:1: the script returns a boolean, not a table']],
    ['return 1', ['lua-returns-no-table 3:1: the script returns a number, not a table']],
    ['local text = "a"\nreturn text', ['lua-returns-no-table 4:1: the script returns a string, not a table']],
    [
      'if obj.weight == "20" then\n  return 1\nend\nreturn a',
      ['lua-returns-no-table 4:3: the script returns a number, not a table'],
    ],
    [
      'if obj.weight == "0" then return obj.weight end\nreturn a',
      ['lua-returns-no-table 3:27: the script returns a string, not a table'],
    ],
    ['local n = #obj.weight\nreturn n', ['lua-returns-no-table 4:1: the script returns a number, not a table']],
    ['local function f() return 1 end\nif f() == 1 then return a end\nerror("never")', []],
    [
      'if obj.weight == "0" then\n  return a\nend',
      ['lua-no-return 3:1: the script ends without a return in a step with traffic 20% on an Ingress with annotations'],
    ],
    [
      'if obj.weight == "1" then\n  return 1\nend',
      [
        'lua-no-return 3:1: the script ends without a return in the run that creates the canary Ingress on an Ingress with annotations',
        'lua-returns-no-table 4:3: the script returns a number, not a table',
      ],
    ],
    [
      'a.f = print\nreturn a',
      [
        'lua-not-json 4:1: the controller cannot encode the result of the run that creates the canary Ingress on an Ingress with annotations: cannot encode function to JSON',
      ],
    ],
    [
      'if obj.weight == "20" then a[1] = "x" end\nreturn a',
      [
        'lua-not-json 4:1: the controller cannot encode the result of a step with traffic 20% on an Ingress with annotations: cannot encode mixed or invalid key types',
      ],
    ],
    [
      'a["demo.example.com/n"] = 20\nreturn a',
      [
        'lua-annotation-not-string 3:3: annotation demo.example.com/n is the number 20 in the run that creates the canary Ingress: json: cannot unmarshal number into Go value of type string',
      ],
    ],
    [
      'a["demo.example.com/n"] = 1.5\nreturn a',
      [
        'lua-annotation-not-string 3:3: annotation demo.example.com/n is the number 1.5 in the run that creates the canary Ingress: json: cannot unmarshal number into Go value of type string',
      ],
    ],
    [
      'a["demo.example.com/n"] = false\nreturn a',
      [
        'lua-annotation-not-string 3:3: annotation demo.example.com/n is the boolean false in the run that creates the canary Ingress: json: cannot unmarshal bool into Go value of type string',
      ],
    ],
    [
      'a["demo.example.com/n"] = {}\nreturn a',
      [
        'lua-annotation-not-string 3:3: annotation demo.example.com/n is an empty table in the run that creates the canary Ingress: the controller writes an empty string',
      ],
    ],
    [
      'a["demo.example.com/n"] = { x = "y" }\nreturn a',
      [
        'lua-annotation-not-string 3:3: annotation demo.example.com/n is a table in the run that creates the canary Ingress: json: cannot unmarshal object into Go value of type string',
      ],
    ],
    [
      'a["demo.example.com/n"] = { "x" }\nreturn a',
      [
        'lua-annotation-not-string 3:3: annotation demo.example.com/n is a list in the run that creates the canary Ingress: json: cannot unmarshal array into Go value of type string',
      ],
    ],
    [
      'if obj.weight == "100" then a["demo.example.com/n"] = 1 end\nreturn a',
      [
        'lua-annotation-not-string 3:31: annotation demo.example.com/n is the number 1 in a step with traffic 100%: json: cannot unmarshal number into Go value of type string',
      ],
    ],
    ['a["demo.example.com/n"] = "20"\nreturn a', []],
    ['return { a.w }', ['lua-annotation-not-string 3:1: the script returns a list, not a map of annotations']],
    [
      'return { w = obj.weight }',
      [
        'lua-annotations-dropped 3:1: annotation app.example.com/owner of an Ingress with annotations is missing after the run that creates the canary Ingress',
      ],
    ],
    [
      'a["app.example.com/owner"] = nil\nreturn a',
      [
        'lua-annotations-dropped 4:1: annotation app.example.com/owner of an Ingress with annotations is missing after the run that creates the canary Ingress',
      ],
    ],
    [
      'a["app.example.com/owner"] = "team-b"\nreturn a',
      [
        'lua-annotations-dropped 4:1: annotation app.example.com/owner of an Ingress with annotations has another value after the run that creates the canary Ingress',
      ],
    ],
    [
      'if obj.weight == "100" then a["app.example.com/owner"] = nil end\nreturn a',
      [
        'lua-annotations-dropped 4:1: annotation app.example.com/owner of an Ingress with annotations is missing after a step with traffic 100%',
      ],
    ],
    [
      'obj.annotations = a\nreturn obj',
      ['lua-annotations-dropped 4:1: the script returns obj itself, not the annotations'],
    ],
  ])('%j has %j', (end, findings) => {
    expect(ingress(end)).toEqual(findings);
  });
});

describe('the result of a custom script', () => {
  const rest = 'labels = obj.data.labels, annotations = obj.data.annotations';

  it.each<[end: string, findings: readonly string[]]>([
    ['return obj.data', []],
    ['local data = obj.data\nreturn data', []],
    [`return { spec = obj.data.spec, ${rest} }`, []],
    [
      'return obj',
      [
        'lua-object-wiped 4:1: the script returns obj, which has no spec: the object loses spec, labels and annotations',
      ],
    ],
    [
      'return obj.data.spec',
      [
        'lua-object-wiped 4:1: the script returns obj.data.spec, which has no spec: the object loses spec, labels and annotations',
      ],
    ],
    [
      'return {}',
      ['lua-object-wiped 4:1: the script returns {}, which has no spec: the object loses spec, labels and annotations'],
    ],
    [
      'local empty = {}\nreturn empty',
      [
        'lua-object-wiped 5:1: the returned table has no spec, and the object loses its spec in a step with traffic 0% on a weighted TraefikService',
      ],
    ],
    [
      'return 1, {}',
      ['lua-object-wiped 4:1: the script returns {}, which has no spec: the object loses spec, labels and annotations'],
    ],
    ['return "a"', ['lua-returns-no-table 4:1: the script returns a string, not a table']],
    [
      `return { ${rest} }`,
      [
        'lua-object-wiped 4:1: the returned table has no spec, and the object loses its spec in a step with traffic 0% on a weighted TraefikService',
      ],
    ],
    [
      'return { spec = obj.data.spec, annotations = obj.data.annotations }',
      ['lua-metadata-dropped 4:1: the object loses labels in a step with traffic 0% on a weighted TraefikService'],
    ],
    [
      'return { spec = obj.data.spec, labels = obj.data.labels }',
      ['lua-metadata-dropped 4:1: the object loses annotations in a step with traffic 0% on a weighted TraefikService'],
    ],
    [
      'return { spec = obj.data.spec }',
      [
        'lua-metadata-dropped 4:1: the object loses labels and annotations in a step with traffic 0% on a weighted TraefikService',
      ],
    ],
    [
      'obj.data.labels = nil\nreturn obj.data',
      ['lua-metadata-dropped 5:1: the object loses labels in a step with traffic 0% on a weighted TraefikService'],
    ],
    [
      'if obj.canaryWeight == 100 then obj.data.labels = nil end\nreturn obj.data',
      ['lua-metadata-dropped 5:1: the object loses labels in a step with traffic 100% on a weighted TraefikService'],
    ],
    [
      'if obj.canaryWeight == 100 then obj.data.spec = nil end\nreturn obj.data',
      [
        'lua-object-wiped 5:1: the returned table has no spec, and the object loses its spec in a step with traffic 100% on a weighted TraefikService',
      ],
    ],
    [
      'obj.data.labels = "a"\nreturn obj.data',
      [
        'lua-object-wiped 5:1: the controller cannot read the result (json: cannot unmarshal string into Go struct field Data.labels of type map[string]string) in a step with traffic 0% on a weighted TraefikService',
      ],
    ],
    [
      'obj.data.spec.f = print\nreturn obj.data',
      [
        'lua-not-json 5:1: the controller cannot encode the result of a step with traffic 0% on a weighted TraefikService: cannot encode function to JSON',
      ],
    ],
  ])('%j has %j', (end, findings) => {
    expect(custom(end)).toEqual(findings);
  });
});
