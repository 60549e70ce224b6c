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

describe('what accepts a finding', () => {
  const text = `apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n  annotations:\n    ${IGNORE_ANNOTATION}: 'a-rule: why'\n`;
  const source = { file: 'config.json', line: 2, column: 3 };

  it('is named with its place', () => {
    const { suppressed } = apply([...parseManifests(text, 'web.yaml').manifests]);
    expect(suppressed).toMatchObject([{ reason: 'why', by: 'annotation', source: { file: 'web.yaml', line: 6 } }]);
    const stated = { rule: 'a-rule', reason: ' why ' };
    expect(apply([service()], [stated]).suppressed).toMatchObject([{ reason: 'why', by: 'code' }]);
    expect(apply([service()], [{ ...stated, source }]).suppressed).toMatchObject([{ by: 'configuration', source }]);
  });

  it('counts only if it is trusted', () => {
    const [manifest] = [service('a-rule: why')];
    const world = World.of([manifest]);
    const finding = manifest.finding(rules['a-rule'], { message: 'm' });
    const asked: unknown[] = [];
    const trusts = (acceptance: { by?: string }, rule: string) => {
      asked.push([acceptance.by, rule]);
      return false;
    };
    const { findings, suppressed } = applySuppressions([finding], { world, catalogue, trusts });
    expect(findings.map(({ rule }) => rule)).toEqual(['a-rule', 'suppression-untrusted']);
    expect(suppressed).toEqual([]);
    expect(asked).toEqual([['annotation', 'a-rule']]);
    // One that matches nothing does no harm.
    expect(applySuppressions([], { world, catalogue, trusts }).findings).toEqual([]);
  });

  it('may be a trusted one beside another', () => {
    const manifest = service('a-rule: there');
    const finding = manifest.finding(rules['a-rule'], { message: 'm' });
    const { findings, suppressed } = applySuppressions([finding], {
      world: World.of([manifest]),
      catalogue,
      suppressions: [{ rule: 'a-rule', reason: 'here' }],
      trusts: ({ by }) => by === 'code',
    });
    expect(suppressed.map(({ reason }) => reason)).toEqual(['here']);
    expect(findings.map(({ rule }) => rule)).toEqual(['suppression-untrusted']);
  });

  it('may have done so before, and then counts if it is trusted', () => {
    const world = World.of([]);
    const found = service().finding(rules['a-rule'], { message: 'm' });
    const accepted = { ...found, accepted: { reason: 'r', by: 'comment' as const } };
    expect(applySuppressions([accepted], { world, catalogue })).toEqual({
      findings: [],
      suppressed: [{ finding: found, reason: 'r', by: 'comment' }],
    });
    const { findings, suppressed } = applySuppressions([accepted], { world, catalogue, trusts: () => false });
    expect([findings, suppressed]).toEqual([[found], []]);
  });

  it.each<[NonNullable<Suppression['object']>, boolean]>([
    [{ kind: 'Service', name: 'web', namespace: 'default' }, true],
    [{ apiVersion: 'v1', kind: 'Service', name: 'web' }, true],
    [{ kind: 'Service', name: 'web', namespace: 'shop' }, false],
    [{ kind: 'Ingress', name: 'web' }, false],
    [{ kind: 'Service', name: 'api' }, false],
  ])('is about the object that it names, also among others: %j', (object, matches) => {
    const { rules: left } = apply([service(), service(undefined, 'api')], [{ rule: 'a-rule', reason: 'r', object }]);
    const others = object.name === 'api' ? 1 : 2;
    expect(left.filter((rule) => rule === 'a-rule')).toHaveLength(matches ? 1 : others);
  });

  it('may be about an object that is not among the manifests', () => {
    const gone = { kind: 'Service', name: 'gone', namespace: 'shop' };
    const finding = { ...service().finding(rules['a-rule'], { message: 'm' }), object: gone };
    const left = (object: Suppression['object']) =>
      applySuppressions([finding], {
        world: World.of([service()]),
        catalogue,
        suppressions: [{ rule: 'a-rule', reason: 'r', object }],
      }).suppressed.length;
    expect([left(gone), left({ kind: 'Service', name: 'gone' })]).toEqual([1, 1]);
    expect([left({ ...gone, namespace: 'x' }), left({ ...gone, name: 'x' }), left({ ...gone, kind: 'Pod' })]).toEqual([
      0, 0, 0,
    ]);
  });
});
