/** The policies as a pack, asked over Pulumi's own protocol. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Resource, type RunningPack, startPack, UNKNOWN, urnOf } from './analyzer';
import { changed, example, resourceOf, resourcesOf, stateOf } from './stacks';

/** Of starting processes, on a machine that has much else to do. */
const TIMEOUT = 120_000;

const packs = join(__dirname, 'packs');
const start = (name: string) => startPack(join(packs, name), ['--import', 'tsx', 'index.ts']);

let pack: RunningPack;
let configured: RunningPack;
let clean: Resource[];
let faulty: Resource[];

beforeAll(async () => {
  [pack, configured] = await Promise.all([start('plain'), start('configured')]);
  clean = example('aws-alb-canary');
  // The canary Service that Kruise makes has no port of this number.
  faulty = changed(clean, 'Ingress', (ingress) => {
    for (const { backend } of ingress.spec.rules[0].http.paths) backend.service.port = { number: 8080 };
  });
}, TIMEOUT);

afterEach(() => pack.configure({}));
afterAll(() => Promise.all([pack?.stop(), configured?.stop()]));

const urn = (resources: readonly Resource[], kind: string) =>
  urnOf(resources.find(({ type }) => type.endsWith(`:${kind}`))!);

describe('a pack of policies', () => {
  it('tells what it is, and the policies with their levels', () => {
    expect(pack).toMatchObject({ name: 'plain', version: '1.2.3' });
    const names = pack.policies.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const levels = Object.fromEntries(pack.policies.map(({ name, level, kind }) => [name, `${kind}: ${level}`]));
    expect(levels).toEqual({
      objects: 'resource: mandatory',
      'objects-warnings': 'resource: advisory',
      rehearsal: 'stack: mandatory',
      'rehearsal-warnings': 'stack: advisory',
      kruise: 'stack: mandatory',
      'kruise-warnings': 'stack: advisory',
      argo: 'stack: mandatory',
      'argo-warnings': 'stack: advisory',
      'aws-load-balancers': 'stack: mandatory',
      'aws-load-balancers-warnings': 'stack: advisory',
      ktenv: 'stack: mandatory',
      'ktenv-warnings': 'stack: advisory',
      manifests: 'stack: mandatory',
      'manifests-warnings': 'stack: advisory',
      'unknown-values': 'resource: advisory',
    });
  });

  it('finds nothing in a stack that works, neither before nor after it is made', async () => {
    const ofEach = await Promise.all(clean.map((resource) => pack.analyze(resource)));
    expect(ofEach.flat()).toEqual([]);
    expect(await pack.analyzeStack(clean)).toEqual([]);
    expect(await pack.analyzeStack(clean.map(stateOf))).toEqual([]);
  });

  it('finds in a stack what will not work, on the resource that it is about', async () => {
    const found = await pack.analyzeStack(faulty.map(stateOf));
    const ofPort = found.find(({ message }) => message.includes('kruise-alb-backend-port'))!;
    expect(ofPort).toMatchObject({ policy: 'kruise', level: 'mandatory', urn: urn(faulty, 'Ingress') });
    expect(ofPort.message).toContain('in: Ingress shop/web, spec.rules[0]');
    expect(ofPort.message).toMatch(/because: \S/);
    expect(ofPort.message).toMatch(/fix: \S/);
    expect(ofPort.message).toContain('see: rollout-constructs explain kruise-alb-backend-port');
    const rehearsed = found.filter(({ policy }) => policy === 'rehearsal');
    expect(rehearsed.length).toBeGreaterThan(0);
    expect(new Set(found.map((each) => each.urn)).has('')).toBe(false);
  });

  it('finds in a resource what is wrong with it by itself', async () => {
    const [rollout] = resourcesOf(`
      apiVersion: argoproj.io/v1alpha1
      kind: Rollout
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
        strategy: {canary: {steps: [{setWeight: 900}, {setWieght: 20}]}}
    `);
    const found = await pack.analyze(rollout!);
    expect(found.map(({ policy, level }) => [policy, level])).toContainEqual(['objects', 'mandatory']);
    const text = found.map(({ message }) => message).join('\n');
    expect(text).toContain('argo-set-weight-out-of-range');
    expect(text).toContain('setWieght');
    expect(await pack.analyze({ ...rollout!, type: 'aws:s3/bucket:Bucket' })).toEqual([]);
  });

  it('accepts what an annotation accepts', async () => {
    const accepted = changed(faulty, 'Ingress', ({ metadata }) => {
      metadata.annotations['rollout-constructs.io/ignore'] = 'kruise-alb-backend-port: tried by hand';
    });
    const found = await pack.analyzeStack(accepted);
    expect(found.map(({ message }) => message).filter((text) => text.includes('kruise-alb-backend-port:'))).toEqual([]);
    const useless = changed(clean, 'Ingress', ({ metadata }) => {
      metadata.annotations['rollout-constructs.io/ignore'] = 'kruise-alb-backend-port: tried by hand';
    });
    expect(await pack.analyzeStack(useless)).toMatchObject([
      { policy: 'manifests-warnings', level: 'advisory', urn: urn(clean, 'Ingress') },
    ]);
  });
});

describe("Pulumi's configuration", () => {
  const rulesIn = (found: readonly { message: string }[]) =>
    new Set(found.map(({ message }) => /^([a-z0-9-]+): /m.exec(message)?.[1]));

  it('decides the level of a policy', async () => {
    await pack.configure({ kruise: { level: 'advisory' }, rehearsal: { level: 'disabled' } });
    const found = await pack.analyzeStack(faulty);
    const levels = new Set(found.map(({ policy, level }) => `${policy}: ${level}`));
    expect([...levels].sort()).toEqual(['aws-load-balancers: mandatory', 'kruise: advisory']);
  });

  it('decides what becomes of one rule', async () => {
    await pack.configure({
      kruise: { level: 'mandatory', properties: { except: ['kruise-alb-backend-port'] } },
      'kruise-warnings': { level: 'advisory', properties: { include: ['kruise-alb-backend-port'] } },
    });
    const found = await pack.analyzeStack(faulty);
    const ofRule = found.filter(({ message }) => message.includes('kruise-alb-backend-port'));
    expect(ofRule.length).toBeGreaterThan(0);
    expect(new Set(ofRule.map(({ policy, level }) => `${policy} ${level}`))).toEqual(
      new Set(['kruise-warnings advisory']),
    );
  });

  it('accepts findings on an object, with a reason', async () => {
    const accept = (object: string, reason: string) =>
      pack.configure({ kruise: { properties: { accepted: [{ rule: 'kruise-alb-backend-port', object, reason }] } } });
    const before = rulesIn(await pack.analyzeStack(faulty));
    expect(before).toContain('kruise-alb-backend-port');
    await accept('Ingress/shop/web', 'tried by hand');
    const after = rulesIn(await pack.analyzeStack(faulty));
    expect([...before].filter((rule) => !after.has(rule))).toEqual(['kruise-alb-backend-port']);
    for (const [object, reason] of [
      ['Ingress/shop/web', ' '],
      ['Ingress/other/web', 'tried'],
      ['Service/shop/web', 'tried'],
    ] as const) {
      await accept(object, reason);
      expect(rulesIn(await pack.analyzeStack(faulty))).toEqual(before);
    }
  });

  it('may hold anything', async () => {
    await pack.configure({
      kruise: { properties: { except: 'all', include: 7, accepted: [null, 'x', { object: 3 }] } },
      nobody: { level: 'disabled' },
    });
    expect(rulesIn(await pack.analyzeStack(faulty))).toContain('kruise-alb-backend-port');
  });
});

describe('a pack with options', () => {
  it('has a policy of its own for each rule that the options name, and those of the team', () => {
    expect(configured.policies).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'alb-service-missing', level: 'advisory', kind: 'stack' }),
        expect.objectContaining({ name: 'kruise-alb-backend-port', level: 'disabled', kind: 'stack' }),
        expect.objectContaining({ name: 'named-after-team', kind: 'resource' }),
      ]),
    );
  });

  it('tells what the options ask for', async () => {
    const missing = changed(faulty, 'Ingress', (ingress) => {
      const at = (name: string) => ({
        path: `/${name}`,
        pathType: 'Prefix',
        backend: { service: { name, port: { number: 80 } } },
      });
      ingress.spec.rules.push({ host: 'more.example.com', http: { paths: [at('billing'), at('search')] } });
    });
    const found = await configured.analyzeStack(missing);
    const text = found.map(({ message }) => message).join('\n');
    // Not rehearsed, the rule on ports disabled, one Service external, and the other one only an advice.
    expect(found.filter(({ policy }) => policy === 'rehearsal')).toEqual([]);
    expect(text).not.toContain('kruise-alb-backend-port');
    expect(text).not.toMatch(/no Service "billing"/);
    expect(found).toContainEqual(
      expect.objectContaining({
        policy: 'alb-service-missing',
        level: 'advisory',
        urn: urn(missing, 'Ingress'),
        message: expect.stringContaining('search'),
      }),
    );
  });
});

describe('a preview', () => {
  it('says which values cannot be known, and does not guess', async () => {
    const preview = changed(clean, 'Ingress', (ingress) => {
      ingress.spec.rules[0].host = UNKNOWN;
    });
    const ingress = preview.find(({ type }) => type.endsWith(':Ingress'))!;
    const found = await pack.analyze(ingress);
    expect(found).toMatchObject([{ policy: 'unknown-values', level: 'advisory' }]);
    expect(found[0]!.message).toContain('spec.rules[0].host cannot be known during preview');
    expect(await pack.analyzeStack(preview)).toEqual([]);
  });

  it('still finds what does not depend on them', async () => {
    const annotation = 'alb.ingress.kubernetes.io/certificate-arn';
    const preview = changed(faulty, 'Ingress', (ingress) => {
      ingress.metadata.annotations[annotation] = UNKNOWN;
    });
    const known = changed(faulty, 'Ingress', (ingress) => {
      ingress.metadata.annotations[annotation] = 'arn:aws:acm:eu-west-1:111122223333:certificate/0';
    });
    const found = await pack.analyzeStack(preview);
    expect(found).toEqual(await pack.analyzeStack(known));
    expect(found.map(({ policy }) => policy)).toEqual(expect.arrayContaining(['kruise', 'rehearsal']));
  });

  it('takes anything that stands where a value should be', async () => {
    const strange: unknown[] = [
      {},
      { kind: UNKNOWN },
      { metadata: UNKNOWN },
      { apiVersion: 7, kind: ['Ingress'], metadata: 'web' },
      { metadata: { name: null, annotations: [UNKNOWN] }, spec: UNKNOWN, status: 3 },
      { __inputs: UNKNOWN },
      { __inputs: { metadata: { name: 'web' }, spec: { rules: [UNKNOWN, null, { http: 7 }] } } },
      { items: [null, 1, { kind: 'Ingress' }] },
    ];
    const types = [
      'networking.k8s.io/v1:Ingress',
      'core/v1:ServiceList',
      'argoproj.io/v1alpha1:Rollout',
      'yaml:ConfigFile',
    ];
    const resources = types.flatMap((type, of) =>
      strange.map((props, index) => ({
        ...resourceOf({ kind: '' }),
        type: `kubernetes:${type}`,
        name: `${of}-${index}`,
        props: props as object,
      })),
    );
    for (const resource of resources) await pack.analyze(resource);
    const found = await pack.analyzeStack([...clean, ...resources]);
    expect(found.filter(({ message }) => message.includes('could not check'))).toEqual([]);
  });
});
