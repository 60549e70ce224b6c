import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applySuppressions,
  coreRules,
  defineRules,
  formatIgnore,
  IGNORE_ANNOTATION,
  Manifest,
  parseIgnore,
  parseManifests,
  RuleCatalogue,
  type Suppression,
  World,
} from '../../src/core';

const example = { language: 'yaml', text: '' } as const;
const declared = { severity: 'error', title: 't', because: 'b', fix: 'f', basis: 'read', sources: ['s'] } as const;
const rules = defineRules({
  'a-rule': { ...declared, failing: example, corrected: example },
  'b-rule': { ...declared, failing: example, corrected: example },
});
const catalogue = RuleCatalogue.of(coreRules, rules);

function service(ignore?: string, name = 'web'): Manifest {
  const annotations = ignore === undefined ? {} : { [IGNORE_ANNOTATION]: ignore };
  return Manifest.of({ apiVersion: 'v1', kind: 'Service', metadata: { name, annotations } });
}

function apply(manifests: Manifest[], suppressions: Suppression[] = [], checked?: Iterable<(typeof rules)['a-rule']>) {
  const world = World.of(manifests);
  const findings = manifests.map((manifest) =>
    manifest.finding(rules['a-rule'], { message: 'm', construct: 'app/web' }),
  );
  const result = applySuppressions(findings, { world, catalogue, suppressions, checked });
  return { rules: result.findings.map(({ rule }) => rule), ...result };
}

describe('the ignore annotation', () => {
  it('suppresses the findings of its rule on its object', () => {
    const { rules: left, suppressed } = apply([service('a-rule: known: and wanted')]);
    expect(left).toEqual([]);
    expect(suppressed).toMatchObject([{ reason: 'known: and wanted', finding: { rule: 'a-rule' } }]);
  });

  it('leaves other objects alone', () => {
    const { findings } = apply([service('a-rule: wanted'), service(undefined, 'other')]);
    expect(findings).toMatchObject([{ rule: 'a-rule', object: { name: 'other' } }]);
  });

  it.each([
    ['a-rule: one; b-rule: two', ['suppression-unused']],
    ['a-rule: one\n\nb-rule: two\n', ['suppression-unused']],
    ['a-rule', ['a-rule', 'suppression-invalid']],
    ['a-rule:  ', ['a-rule', 'suppression-invalid']],
    [': why', ['a-rule', 'suppression-invalid']],
    ['a-rul: why', ['a-rule', 'suppression-unknown-rule']],
    ['suppression-unused: why', ['a-rule', 'suppression-invalid']],
    ['', ['a-rule']],
  ])('%j leaves %j', (annotation, left) => {
    expect(apply([service(annotation)]).rules).toEqual(left);
  });

  it('says what to write, and where', () => {
    const text = `apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations:\n    ${IGNORE_ANNOTATION}: 'a-rul: why; b-rule'\n`;
    const { findings } = apply([...parseManifests(text, 'web.yaml').manifests]);
    expect(findings.slice(1)).toMatchObject([
      {
        message: 'the suppression of b-rule gives no reason',
        fix: 'write "b-rule: <reason>"',
        path: `metadata.annotations["${IGNORE_ANNOTATION}"]`,
        source: { file: 'web.yaml', line: 6 },
      },
      { message: 'the suppression names the rule "a-rul", which does not exist', fix: 'did you mean a-rule?' },
    ]);
  });

  it('does not call unused what was not looked for', () => {
    expect(apply([service('b-rule: not checked here', 'x')], [], [rules['a-rule']]).rules).toEqual(['a-rule']);
  });

  it('reads back what is written', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/);
    const reason = fc.stringMatching(/^[^\s;]([^;\r\n\t\v\f]{0,20}[^\s;])?$/).map((text) => text.replace(/\s+/g, ' '));
    fc.assert(
      fc.property(fc.array(fc.record({ rule: word, reason })), (entries) => {
        expect(parseIgnore(formatIgnore(entries))).toEqual(entries);
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});

describe('a suppression in code', () => {
  it.each<[Suppression, string[]]>([
    [{ rule: 'a-rule', reason: 'r' }, []],
    [{ rule: 'a-rule', reason: 'r', object: { kind: 'Service', name: 'web' } }, []],
    [{ rule: 'a-rule', reason: 'r', object: { kind: 'Service', name: 'other' } }, ['a-rule', 'suppression-unused']],
    [{ rule: 'a-rule', reason: 'r', construct: 'app' }, []],
    [{ rule: 'a-rule', reason: 'r', construct: 'ap' }, ['a-rule', 'suppression-unused']],
    [{ rule: 'a-rule', reason: ' ' }, ['a-rule', 'suppression-invalid']],
    [{ rule: 'no-rule', reason: 'r' }, ['a-rule', 'suppression-unknown-rule']],
  ])('%j leaves %j', (suppression, left) => {
    expect(apply([service()], [suppression]).rules).toEqual(left);
  });

  it('counts as used together with an annotation that matches the same finding', () => {
    expect(apply([service('a-rule: here')], [{ rule: 'a-rule', reason: 'there' }]).rules).toEqual([]);
  });
});
