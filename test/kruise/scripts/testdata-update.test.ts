import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Json } from '../../../src/core/json';
import type { ScriptTarget } from '../../../src/kruise/scripts/library';
import { updateTestdata } from '../../../src/kruise/scripts/testdata-update';
import { ingress, NGINX, ROUTE, read, rollout, route, run, verdicts } from './cases';

function updated(script: string, text: string, target: ScriptTarget) {
  return updateTestdata(text, read(text, target).testdata!, run(script, text, target).played, target);
}

const HEAD = `# Why this case is here.
rollout:
    apiVersion:   rollouts.kruise.io/v1beta1   # odd spaces stay
    kind: Rollout
    spec: {strategy: {canary: {steps: [{traffic: 20%}, {traffic: "60%"}], trafficRoutings: [{service: web}]}}}
original:
    apiVersion: example.com/v1
    kind: Route
    metadata: {name: web}
    spec: { host: a }   # the stable one
`;

const SCRIPT = 'local d = obj.data d.spec.weight = obj.canaryWeight return d';

describe('updateTestdata', () => {
  it('changes nothing if all expectations hold', () => {
    const text = `${HEAD}expected:\n- spec: {host: a,   weight: 20}\n- spec: {weight: 60, host: a}\n`;
    expect(updated(SCRIPT, text, ROUTE)).toEqual({ text });
  });

  it('rewrites the value that differs and keeps comments and the formatting of the rest', () => {
    const text = (weight: number) => `${HEAD}expected:
- spec: {host: a,   weight: 20}   # untouched
# after the second step
-   spec:
        # the host stays
        host: 'a'
        weight: ${weight} # most of it

# the end
`;
    expect(updated(SCRIPT, text(50), ROUTE)).toEqual({ text: text(60) });
  });

  it('adds missing items and removes surplus ones', () => {
    const few = `${HEAD}expected:\n- spec: {host: a, weight: 20}\n# the end\n`;
    const { text } = updated(SCRIPT, few, ROUTE);
    expect(text.startsWith(HEAD)).toBe(true);
    expect(verdicts(SCRIPT, text, ROUTE)).toEqual(['passed', 'passed']);
    const many = `${text}- spec: {}\n`;
    expect(verdicts(SCRIPT, updated(SCRIPT, many, ROUTE).text, ROUTE)).toEqual(['passed', 'passed']);
  });

  it.each([['expected: []\n'], ['expected:\n'], ['expected: [{spec: {a: 1}}]\n'], ['']])(
    'writes a file with %j anew',
    (end) => {
      const { text, refused } = updated(SCRIPT, HEAD + end, ROUTE);
      expect(refused).toBeUndefined();
      expect(verdicts(SCRIPT, text, ROUTE)).toEqual(['passed', 'passed']);
      expect(text.startsWith(HEAD)).toBe(true);
      expect(text).toContain('- apiVersion: example.com/v1\n      kind: Route\n      metadata:\n          name: web\n');
    },
  );

  it('keeps the text after "expected"', () => {
    const tail = `original:\n  {apiVersion: example.com/v1, kind: Route,   spec: {host: a}}\n# the end\n`;
    const head = HEAD.slice(0, HEAD.indexOf('original:'));
    const { text } = updated(SCRIPT, `${head}expected:\n  - spec: {}\n\n# next\n${tail}`, ROUTE);
    expect(text.startsWith(head)).toBe(true);
    expect(text.endsWith(`\n# next\n${tail}`)).toBe(true);
    expect(verdicts(SCRIPT, text, ROUTE)).toEqual(['passed', 'passed']);
  });

  it('writes labels and spec of an Ingress only if they are given', () => {
    const script = 'local a = obj.annotations or {} a.weight = obj.weight return a';
    const text = stringify({ rollout: rollout([{ traffic: '0%' }, { traffic: '20%' }]), original: ingress() });
    const { testdata } = read(updated(script, text, NGINX).text, NGINX);
    expect(testdata!.expected.map((item) => (item.kind === 'object' ? item.object : item.kind))).toEqual([
      { metadata: { annotations: { weight: '0' } } },
      'absent',
      { metadata: { annotations: { weight: '20' } } },
    ]);
  });

  it('never writes an error as a new expectation', () => {
    const script = 'if obj.canaryWeight == 60 then error("no") end return obj.data';
    const text = `${HEAD}expected:\n- spec: {}\n- spec: {b: 2}\n`;
    const update = updated(script, text, ROUTE);
    expect(update.refused).toContain('step 1 (traffic 60%) fails: <string>:1: no');
    expect(verdicts(script, update.text, ROUTE)).toEqual(['passed', 'the script fails: <string>:1: no']);
    expect(update.text).toContain('- spec: {b: 2}');
  });

  it('updates the text of an expected error', () => {
    const script = 'if obj.canaryWeight == 60 then error("use a match") end return obj.data';
    const text = `${HEAD}expected:\n- spec: {host: a}\n- error: use a weight # why\n`;
    expect(updated(script, text, ROUTE).text).toBe(text.replace('use a weight', 'use a match'));
  });

  it('quotes words that YAML would not read as strings', () => {
    const script = 'return { spec = { a = "yes", b = "010", c = "12:30", d = "~", e = "1e3", f = "" } }';
    expect(verdicts(script, updated(script, HEAD, ROUTE).text, ROUTE)).toEqual(['passed', 'passed']);
  });

  it('keeps the other uses of values that are shared by anchors', () => {
    const text = `${HEAD}expected:\n- spec: &spec\n    host: a\n    weight: 20\n- spec: *spec\n`;
    const { text: after, refused } = updated(SCRIPT, text, ROUTE);
    expect(refused).toBeUndefined();
    expect(verdicts(SCRIPT, after, ROUTE)).toEqual(['passed', 'passed']);
    expect(after).toContain('- spec: &spec\n    host: a\n    weight: 20\n');
  });

  it('throws instead of changing the rest of the file', () => {
    const text = `${HEAD.replace('spec: { host: a }', 'spec: &s { host: a }')}expected:\n- spec: *s\n- spec: {host: a, weight: 60}\n`;
    const update = updated('return { spec = { host = "b" } }', text, ROUTE);
    expect(read(update.text, ROUTE).testdata!.original).toEqual(read(text, ROUTE).testdata!.original);
  });

  it('results in a passing case for any script, and changes nothing outside of "expected"', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom('yes', '010', '- a', 'a: b', '#c', '', '\n', '"', '{', '*x'),
    );
    const { data } = fc.letrec<{ data: Json }>((tie) => ({
      data: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        word,
        fc.integer(),
        fc.boolean(),
        fc.array(tie('data'), { minLength: 1, maxLength: 3 }),
        fc.dictionary(word, tie('data'), { minKeys: 1, maxKeys: 3 }),
      ),
    }));
    const spec = fc.dictionary(word, data, { minKeys: 1, maxKeys: 4 });
    fc.assert(
      fc.property(spec, spec, fc.constantFrom(2, 4), fc.boolean(), (before, now, indent, indentSeq) => {
        const testdata = {
          rollout: rollout([{ traffic: '20%' }]),
          original: route(now as object),
          expected: [{ spec: before }],
        };
        const text = stringify(testdata, { indent, indentSeq, version: '1.1' });
        const { text: after, refused } = updated('return obj.data', text, ROUTE);
        expect(refused).toBeUndefined();
        expect(verdicts('return obj.data', after, ROUTE)).toEqual(['passed']);
        expect(after.slice(0, after.indexOf('\nexpected:'))).toBe(text.slice(0, text.indexOf('\nexpected:')));
      }),
      { seed: 5, numRuns: 150 },
    );
  });
});
