import { describe, expect, it } from 'vitest';
import {
  acceptRehearsals,
  acceptShard,
  checkObjects,
  checkStack,
  concludeCheck,
  WorldCut,
  wholeCatalogue,
} from '../../src/check';
import { withoutConsequences } from '../../src/check/consequences';
import { checkKubernetesObjects } from '../../src/check/kubernetes-objects';
import { type AbsentObject, type Finding, Manifest, type ObjectRef, parseManifests, World } from '../../src/core';
import { Budget } from '../../src/core/budget';
import { rehearse } from '../../src/rehearsal';

const YAML = `apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: {name: web, namespace: shop}
spec:
  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  strategy: {canary: {enableExtraWorkloadForCanary: true, trafficRoutings: [{service: web, ingress: {name: web}}], steps: [{traffic: 20%}]}}
`;

const worldOf = (yaml: string) => World.of(parseManifests(yaml, 'a.yaml').manifests);
const world = worldOf(YAML);

const rollout: ObjectRef = {
  apiVersion: 'rollouts.kruise.io/v1beta1',
  kind: 'Rollout',
  namespace: 'shop',
  name: 'web',
};
const service: ObjectRef = { apiVersion: 'v1', kind: 'Service', namespace: 'shop', name: 'web' };
const ingress: ObjectRef = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', namespace: 'shop', name: 'web' };

interface More extends Partial<Finding> {
  readonly about?: ObjectRef;
}

function finding(rule: string, { about, ...more }: More = {}): Finding {
  const texts = { severity: 'error', message: 'wrong', because: 'it matters', fix: 'change it', docs: 'docs' } as const;
  return { rule, ...texts, ...(about && { related: { message: 'here', object: about } }), ...more };
}

const left = (...findings: Finding[]) => withoutConsequences(findings).map(({ rule }) => rule);
const refused = (object: ObjectRef, path?: string) => finding('field-invalid', { object, ...(path && { path }) });

describe('what follows from a refused object is left out', () => {
  it.each([
    ['spec.ports', 'spec.ports', true],
    ['spec.ports', 'spec.ports[0].port', true],
    ['spec.ports[0].port', 'spec.ports', true],
    ['spec.ports', 'spec.portsOfOthers', false],
    ['spec.ports', 'spec.type', false],
    [undefined, 'spec.type', true],
    ['spec.type', undefined, true],
  ])('refused at %s, wrong at %s', (at, path, isLeftOut) => {
    const other = finding('other', { object: service, ...(path && { path }) });
    expect(left(refused(service, at), other)).toEqual(isLeftOut ? ['field-invalid'] : ['field-invalid', 'other']);
  });

  it('by any of the fields that are refused', () => {
    const both = [refused(service, 'spec.ports'), refused(service, 'spec.type')];
    expect(left(...both, finding('other', { object: service, path: 'spec.type' }))).toHaveLength(2);
    expect(left(...both, finding('other', { object: service, path: 'spec.selector' }))).toHaveLength(3);
  });

  it('and nothing where none is refused, or as a warning only', () => {
    const other = finding('other', { object: service, path: 'spec' });
    expect(left(other)).toEqual(['other']);
    expect(left({ ...refused(service, 'spec'), severity: 'warning' }, other)).toEqual(['field-invalid', 'other']);
  });

  it('unless it is a note, a refusal itself, or about another object', () => {
    const others = [
      finding('other', { object: service, path: 'spec', severity: 'note' }),
      finding('field-unknown', { object: service, path: 'spec' }),
      finding('third', { object: { ...service, namespace: 'cart' }, path: 'spec' }),
      finding('fourth', { path: 'spec' }),
    ];
    expect(left(refused(service, 'spec'), ...others)).toEqual([
      'field-invalid',
      'other',
      'field-unknown',
      'third',
      'fourth',
    ]);
  });

  it('also where an object of another kind is told about it', () => {
    expect(left(refused(service), finding('other', { object: ingress, about: service }))).toEqual(['field-invalid']);
    const same = finding('other', { object: { ...service, name: 'b' }, about: service });
    expect(left(refused(service, 'spec.type'), same)).toEqual(['field-invalid', 'other']);
    expect(left(refused(service), finding('other', { object: rollout, about: ingress }))).toHaveLength(2);
  });

  it.each<[string, string, ObjectRef, AbsentObject, boolean]>([
    ['name', 'metadata.name', { ...service, name: 'Web' }, { kind: 'Service', namespace: 'shop', name: 'web' }, true],
    ['metadata', 'metadata', { kind: 'Service', name: '' }, { kind: 'Service', namespace: 'shop', name: 'web' }, true],
    ['empty name', 'spec', { ...service, name: '' }, { kind: 'Service', namespace: 'shop', name: 'web' }, true],
    ['kind', 'kind', { ...service, kind: 'Servce' }, { kind: 'Service', namespace: 'shop', name: 'web' }, true],
    ['apiVersion', 'apiVersion', { ...service, kind: 'X' }, { kind: 'Service', namespace: 'shop', name: 'web' }, true],
    ['spec', 'spec', service, { kind: 'Service', namespace: 'shop', name: 'web' }, false],
    ['name, elsewhere', 'metadata.name', service, { kind: 'Service', namespace: 'cart', name: 'web' }, false],
    ['name, another kind', 'metadata.name', service, { kind: 'Ingress', namespace: 'shop', name: 'web' }, false],
    ['kind, another name', 'kind', service, { kind: 'Ingress', namespace: 'shop', name: 'other' }, false],
  ])('where it may be the one that is not found, by its %s', (_, path, object, absent, isLeftOut) => {
    const missing = finding('missing', { object: rollout, absent: [absent] });
    expect(left(refused(object, path), missing)).toEqual(isLeftOut ? ['field-invalid'] : ['field-invalid', 'missing']);
    const played = finding('rehearsal-incomplete', { object: rollout });
    const waits = isLeftOut ? [] : ['missing', 'rehearsal-incomplete'];
    expect(left(refused(object, path), missing, played)).toEqual(['field-invalid', ...waits]);
  });

  it('and that a Rollout was not rehearsed becomes a note', () => {
    const notPlayed = (about: ObjectRef) => finding('rehearsal-refused', { object: rollout, about });
    const found = withoutConsequences([refused(service), notPlayed(service), notPlayed(ingress)]);
    expect(found.map(({ severity }) => severity)).toEqual(['error', 'note', 'error']);
  });
});

describe('what a rehearsal repeats of a check', () => {
  const conclude = (checked: Finding[], rehearsed: Finding[]) =>
    concludeCheck(world, checked, rehearsed).findings.map(({ rule }) => rule);

  it('is left out: a refused Rollout', () => {
    const repeated = finding('rehearsal-refused', { object: rollout });
    expect(conclude([finding('kruise-reference-missing', { object: rollout })], [repeated])).toEqual([
      'kruise-reference-missing',
    ]);
    const warning = finding('kruise-reference-missing', { object: rollout, severity: 'warning' });
    expect(conclude([warning], [repeated])).toContain('rehearsal-refused');
    expect(conclude([finding('kruise-reference-missing', { object: service })], [repeated])).toContain(
      'rehearsal-refused',
    );
  });

  it('is left out: a load balancer that is frozen before the release, by an object with an error', () => {
    const mistake = finding('alb-scheme', { object: ingress });
    const freezes = (more: More) => finding('rehearsal-group-freezes', { object: rollout, ...more });
    expect(conclude([mistake], [freezes({ about: ingress })])).toEqual(['alb-scheme']);
    expect(conclude([mistake], [freezes({ about: ingress, step: 0 })])).toHaveLength(2);
    expect(conclude([mistake], [freezes({ about: service })])).toHaveLength(2);
    expect(conclude([mistake], [freezes({})])).toHaveLength(2);
    expect(
      conclude([mistake], [finding('rehearsal-weight-differs', { object: rollout, about: ingress })]),
    ).toHaveLength(2);
  });
});

describe('a check whose budget is spent', () => {
  it('names what was not looked at', () => {
    const budget = new Budget({ seconds: -1, memory: 2 ** 40, began: Date.now() });
    const found = checkObjects(world, { budget });
    expect(found.map(({ rule }) => rule)).toEqual(['budget-spent']);
    expect(found[0]!.message).toContain('the time of -1 s is spent; not checked: Kruise Rollouts, routing scripts,');
    const enough = new Budget({ seconds: 600, memory: 2 ** 40, began: Date.now() });
    expect(checkObjects(world, { budget: enough })).toEqual(checkObjects(world));
  });
});

describe('a stack', () => {
  it('is rehearsed with reports, without them, or not', () => {
    const { failing } = wholeCatalogue().get('rehearsal-match-widened')!;
    const rules = (rehearsal: false | { reports?: boolean }) => {
      const { findings, rehearsals } = checkStack(worldOf(failing.text), { rehearsal });
      return { reports: rehearsals.length, rules: findings.map(({ rule }) => rule) };
    };
    const all = rules({});
    expect(all.reports).toBe(1);
    expect(all.rules.filter((rule) => rule.startsWith('rehearsal-'))).not.toEqual([]);
    expect(rules({ reports: false })).toEqual({ reports: 0, rules: all.rules });
    expect(rules(false)).toEqual({ reports: 0, rules: all.rules.filter((rule) => !rule.startsWith('rehearsal-')) });
  });

  it('is checked with the objects that are elsewhere', () => {
    const missing = (external: readonly ObjectRef[]) =>
      checkObjects(world, { external }).flatMap(({ rule, absent }) =>
        rule === 'kruise-reference-missing' ? (absent ?? []).map(({ kind }) => kind) : [],
      );
    expect(missing([]).sort()).toEqual(['Deployment', 'Ingress', 'Service']);
    expect(missing([service, ingress])).toEqual(['Deployment']);
  });

  it('also checks declarations that others of the same object overwrite', () => {
    const twice = `${YAML.replace('20%', '200%')}---\n${YAML}---\n${YAML.replace('{name: web}', '{name: web, x: 1}')}`;
    const rules = checkStack(worldOf(twice), { rehearsal: false }).findings.filter(({ source }) => source?.line === 6);
    expect(rules.some(({ severity }) => severity === 'error')).toBe(true);
  });
});

describe('a suppression that matches nothing', () => {
  const annotated = (text: string) =>
    worldOf(
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, annotations: {rollout-constructs.io/ignore: "${text}"}}\n`,
    );
  const unused = (text: string, options = {}) =>
    checkStack(annotated(text), { rehearsal: false, ...options }).findings.filter(
      ({ rule }) => rule === 'suppression-unused',
    ).length;

  it('is told of rules that were checked and that annotations accept', () => {
    expect(unused('kruise-reference-missing: known')).toBe(1);
    expect(unused('lua-header-ignored: known')).toBe(0);
    expect(unused('rehearsal-incomplete: known')).toBe(0);
    expect(unused('rehearsal-incomplete: known', { rehearsal: {} })).toBe(1);
    expect(unused('lua-script-key-invalid: known')).toBe(1);
    expect(unused('lua-script-key-invalid: known', { isProven: () => true })).toBe(0);
    expect(unused('kruise-aliyun-order-moves: known')).toBe(0);
    expect(unused('argo-alb-port-assumed: known')).toBe(0);
  });
});

describe('an object of Kubernetes without a name', () => {
  it('is told once: by the reader of its file, or else by the check', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels: { app: 1 } } };
    const rules = (one: World) => checkKubernetesObjects(one, '1.34').map(({ path }) => path);
    expect(rules(worldOf(JSON.stringify(object)))).toEqual([]);
    expect(rules(World.of([Manifest.of(object)]))).toEqual(['metadata.name', 'metadata.labels.app']);
    const wrong = { ...object, metadata: { name: 'A', labels: { app: 'a b' } } };
    expect(rules(worldOf(JSON.stringify(wrong)))).toEqual(['metadata.name', 'metadata.labels']);
  });
});

describe('parts of a World of the same weight', () => {
  it('are divided in the order of the World', () => {
    const app = (namespace: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: ${namespace}}\n`;
    const { parts } = WorldCut.of(worldOf(['c', 'a', 'b'].map(app).join('---\n')), 3);
    const all = worldOf(['c', 'a', 'b'].map(app).join('---\n')).manifests.map(({ namespace }) => namespace);
    expect(parts.map((part) => part.world.manifests.map(({ namespace }) => namespace))).toEqual(
      all.map((one) => [one]),
    );
  });
});

describe('rehearsals of a stack with accepted findings', () => {
  const accepting = (text: string) =>
    worldOf(YAML.replace('namespace: shop', `namespace: shop, annotations: {rollout-constructs.io/ignore: "${text}"}`));
  const rulesOf = (findings: readonly Finding[]) => [...new Set(findings.map(({ rule }) => rule))];

  it('are without these, and a suppression that matches nothing is told', () => {
    const rehearsals = rehearse(world);
    const [known] = rulesOf(rehearsals.flatMap(({ findings }) => findings));
    const here = accepting(`${known}: known\\nrehearsal-weight-differs: known`);
    const result = acceptRehearsals(rehearse(here), here);
    expect(rulesOf(result.rehearsals.flatMap(({ findings }) => findings))).not.toContain(known);
    expect(rulesOf(result.findings)).toContain('suppression-unused');
    expect(rulesOf(result.suppressed.map(({ finding: one }) => one))).toEqual([known]);
    expect(rulesOf(acceptRehearsals(rehearse(here), here, () => false).findings)).toContain(known);
  });

  it('are told by the shard that holds the object', () => {
    const here = accepting('rehearsal-weight-differs: known');
    const cut = WorldCut.of(here, 2);
    const told = [1, 2].map((index) => {
      const part = cut.parts[index - 1]!;
      const { findings, ifAll } = acceptShard(rehearse(part.world), { world: here, cut, shard: { index, total: 2 } });
      return [...findings, ...ifAll].filter(({ rule }) => rule === 'suppression-unused').length;
    });
    expect(told).toEqual([1, 0]);
  });

  it('are told by each shard of its own objects', () => {
    const yaml = YAML.replace(
      'namespace: shop',
      'namespace: shop, annotations: {rollout-constructs.io/ignore: "rehearsal-weight-differs: known"}',
    );
    const here = worldOf(`${yaml}---\n${yaml.replace('namespace: shop', 'namespace: cart')}`);
    const cut = WorldCut.of(here, 2);
    const told = cut.parts.map((part, at) => {
      const { findings } = acceptShard(rehearse(part.world), { world: here, cut, shard: { index: at + 1, total: 2 } });
      return findings.filter(({ rule }) => rule === 'suppression-unused').map(({ object }) => object?.namespace);
    });
    expect(told).toEqual([['cart'], ['shop']]);
  });
});
