import { describe, expect, it, test } from 'vitest';
import { checkStack } from '../../src/check';
import { type Finding, type JsonObject, parseManifests, World } from '../../src/core';
import { schemaRules } from '../../src/core/schema';
import { rehearse } from '../../src/rehearsal';
import { type Mutation, mutated } from '../stage/judge/mutate';
import { readVectorFiles } from '../stage/judge/vectors';

const seeds = [...readVectorFiles().values()].flat();

function objectsOf(stack: string): JsonObject[] {
  return seeds.filter((seed) => seed.stack === stack).map(({ object }) => object);
}

function worldOf(objects: readonly JsonObject[]) {
  return parseManifests(objects.map((object) => JSON.stringify(object)).join('\n---\n'), 'stack.yaml');
}

function findingsOf(objects: readonly JsonObject[]): readonly Finding[] {
  const { manifests, findings } = worldOf(objects);
  return checkStack(World.of(manifests), { earlier: findings }).findings;
}

const textOf = ({ rule, object, message }: Finding) => `${rule} ${object?.kind}/${object?.name} ${message}`;

/** What is found only since a mutation. */
function foundAfter(stack: string, kind: string, name: string, mutation: Mutation): readonly Finding[] {
  const objects = objectsOf(stack);
  const is = ({ kind: own, metadata }: JsonObject) => own === kind && (metadata as JsonObject).name === name;
  expect(objects.filter(is)).toHaveLength(1);
  const before = new Set(findingsOf(objects).map(textOf));
  const after = findingsOf(objects.map((object) => (is(object) ? mutated(object, mutation) : object)));
  return after.filter((finding) => !before.has(textOf(finding)));
}

const brief = ({ rule, severity, object }: Finding) => `${severity} ${rule} ${object?.kind}/${object?.name}`;

describe('of an object that is refused', () => {
  test.each<[string, string, string, Mutation, string[]]>([
    [
      'the name of a Service',
      'Service',
      'shop',
      { path: ['metadata', 'name'], change: '= "1web"' },
      ['error metadata-invalid Service/1web', 'note rehearsal-incomplete Rollout/shop'],
    ],
    [
      'a port of a Service',
      'Service',
      'shop',
      { path: ['spec', 'ports', 0, 'port'], change: 'in quotes' },
      ['error field-invalid Service/shop', 'note rehearsal-refused Rollout/shop'],
    ],
    [
      'a path of an Ingress',
      'Ingress',
      'shop',
      { path: ['spec', 'rules', 0, 'http', 'paths', 0, 'path'], change: '= "cart"' },
      ['error field-invalid Ingress/shop', 'note rehearsal-refused Rollout/shop'],
    ],
    [
      'the backend of an Ingress',
      'Ingress',
      'shop',
      {
        path: ['spec', 'rules', 0, 'http', 'paths', 0, 'backend'],
        change: '= {"serviceName":"shop","servicePort":80}',
      },
      [
        'error field-invalid Ingress/shop',
        'error field-unknown Ingress/shop',
        'error field-unknown Ingress/shop',
        'note rehearsal-refused Rollout/shop',
      ],
    ],
    [
      'the labels of a Deployment',
      'Deployment',
      'cart',
      { path: ['spec', 'template', 'metadata', 'labels'], change: '= {"app":"basket"}' },
      ['error field-invalid Deployment/cart', 'note rehearsal-refused Rollout/cart'],
    ],
    [
      'the kind of a Deployment',
      'Deployment',
      'cart',
      { path: ['kind'], change: '= "deployment"' },
      ['error api-not-served deployment/cart'],
    ],
  ])('only the refusal is an error: %s', (_, kind, name, mutation, expected) => {
    const findings = foundAfter('judge-kruise', kind, name, mutation);
    expect(findings.map(brief).sort()).toEqual(expected);
  });

  it('the rehearsal names the object and the field', () => {
    const [refusal] = foundAfter('judge-kruise', 'Service', 'shop', {
      path: ['spec', 'ports', 0, 'port'],
      change: 'in quotes',
    }).filter(({ rule }) => rule === 'rehearsal-refused');
    expect(refusal).toMatchObject({
      message:
        'not rehearsed: the API server refuses its Service "shop": spec.ports[0].port: must be of type integer: "string"',
      fix: 'correct the Service "shop"',
      related: { object: { kind: 'Service', name: 'shop' }, source: { file: 'stack.yaml' } },
    });
  });

  it('a rehearsal without a check makes an error, and has one moment', () => {
    const objects = objectsOf('judge-kruise').map((object) =>
      object.kind === 'Ingress' ? mutated(object, { path: ['spec', 'rules', 0, 'host'], change: '= "A_B"' }) : object,
    );
    const all = rehearse(World.of(worldOf(objects).manifests));
    const refused = all.filter(({ findings }) => findings.some(({ rule }) => rule === 'rehearsal-refused'));
    expect(refused.map(({ rollout }) => rollout.name).sort()).toEqual(['mail', 'shop']);
    expect(refused.map(({ moments }) => moments.length)).toEqual([1, 1]);
    expect(refused.flatMap(({ findings }) => findings.map(({ severity }) => severity))).toEqual(['error', 'error']);
    expect(all.some(({ moments }) => moments.length > 1)).toBe(true);
  });
});

describe('what has nothing to do with a refusal', () => {
  it('is reported beside it', () => {
    const objects = objectsOf('judge-kruise').flatMap((object) => {
      if (object.kind === 'Secret') return [mutated(object, { path: ['metadata', 'name'], change: '= "A_B"' })];
      return object.kind === 'Service' && (object.metadata as JsonObject).name === 'shop' ? [] : [object];
    });
    const rules = findingsOf(objects).map(brief);
    expect(rules).toContain('error metadata-invalid Secret/A_B');
    expect(rules).toContain('error kruise-reference-missing Rollout/shop');
  });
});

/** Every n-th mutant that the API server refuses. */
const EACH = 41;

const OF_REFUSALS = [
  ...Object.values(schemaRules).map(({ id }) => id),
  'api-not-served',
  'kubernetes-api-removed',
  'metadata-not-a-string',
  'object-without-name',
];

describe('in a whole stack', () => {
  test.each([
    ['judge-kruise', 'Deployment'],
    ['judge-kruise', 'Ingress'],
    ['judge-kruise', 'Service'],
    ['judge-argo', 'Ingress'],
    ['judge-argo', 'Service'],
  ])('%s, refused values of each %s have no other error', (stack, kind) => {
    const own = seeds.filter((seed) => seed.stack === stack && seed.object.kind === kind);
    const objects = objectsOf(stack);
    const before = new Set(findingsOf(objects).map(textOf));
    const wrong = own.flatMap(({ object, mutants }) =>
      mutants
        .filter(({ apply, create }) => typeof apply === 'object' || typeof create === 'object')
        .filter(({ mutation: { path } }, index) => index % EACH === 0 && path[0] !== 'apiVersion' && path[0] !== 'kind')
        .flatMap(({ mutation }) =>
          findingsOf(objects.map((one) => (one === object ? mutated(object, mutation) : one)))
            .filter((finding) => finding.severity === 'error' && !before.has(textOf(finding)))
            .filter(({ rule }) => !OF_REFUSALS.includes(rule))
            .map((finding) => `${mutation.path.join('.')} ${mutation.change}: ${textOf(finding)}`),
        ),
    );
    expect(own.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});
