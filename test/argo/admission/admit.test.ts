import { describe, expect, it } from 'vitest';
import { admitArgoRollout } from '../../../src/argo/admission';
import { checkSteps } from '../../../src/argo/admission/steps';
import { apiSchema } from '../../../src/argo/api/schema';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
import { isJsonObject, type Json, type JsonObject } from '../../../src/core/json';

const FACTS = ArgoRolloutsVersion.LATEST.facts;

const POD = { metadata: { labels: { app: 'shop' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
const service = (name: string): JsonObject => ({ metadata: { name }, spec: { selector: { app: 'shop' } } });
const services = [service('stable'), service('canary')];
const path = (backend: JsonObject) => ({ http: { paths: [{ path: '/*', backend }] } });
const ingress = (...backends: JsonObject[]): JsonObject => ({
  metadata: { name: 'shop' },
  spec: { rules: backends.map(path) },
});
const STABLE = { service: { name: 'stable' } };

const rollout = (canary: JsonObject, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Rollout',
  metadata: { name: 'shop' },
  spec: { selector: { matchLabels: { app: 'shop' } }, template: POD, strategy: { canary }, ...spec },
});
const routed = (more: JsonObject = {}) =>
  rollout({
    stableService: 'stable',
    canaryService: 'canary',
    trafficRouting: { alb: { ingress: 'shop', servicePort: 80 } },
    ...more,
  });

const classOf = (verdict: ReturnType<typeof admitArgoRollout>) => (verdict.allowed ? 'allowed' : verdict.class);

describe('the validation of a Rollout by the controller', () => {
  it('is a crash if a backend without a Service comes before its own', () => {
    const resource = { resource: { kind: 'Bucket', name: 'files' } };
    expect(classOf(admitArgoRollout(routed(), { services, ingresses: [ingress(resource, STABLE)] }))).toBe('crash');
    expect(classOf(admitArgoRollout(routed(), { services, ingresses: [ingress(STABLE, resource)] }))).toBe('allowed');
  });

  it('differs from lint for a template with workloadRef', () => {
    const workload = { kind: 'Deployment', metadata: { name: 'shop' }, spec: { template: POD } };
    const verdict = admitArgoRollout(
      rollout({}, { workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop' } }),
      { workloads: [workload] },
    );
    expect(verdict).toMatchObject({ allowed: false, class: 'S3', stage: 'lint', controller: { allowed: true } });
  });

  it('drops empty lists', () => {
    const alb = { servicePort: 80, ingresses: [], ingress: 'shop' };
    const cluster = { services, ingresses: [ingress(STABLE)] };
    expect(classOf(admitArgoRollout(routed({ trafficRouting: { alb } }), cluster))).toBe('allowed');
    const steps = [{ setHeaderRoute: { name: 'beta', match: [] } }];
    const trafficRouting = { alb, managedRoutes: [] };
    expect(classOf(admitArgoRollout(routed({ trafficRouting, steps }), cluster))).toBe('C18');
  });

  it.each([
    ['30', true],
    ['1h30m', true],
    ['1.5s', true],
    ['-0.5s', true],
    ['1d', false],
    ['-1', false],
    ['', false],
    ['1000000h', false],
  ])('pauses for %s: %s', (duration, allowed) => {
    expect(classOf(admitArgoRollout(rollout({ steps: [{ pause: { duration } }] })))).toBe(allowed ? 'allowed' : 'C13');
  });

  it.each([
    [{}, 0, []],
    [{}, 100, []],
    [{}, 101, ['C12']],
    [{}, -1, ['C12']],
    [{ maxTrafficWeight: 1000 }, 1000, []],
    [{ maxTrafficWeight: 1000 }, 1001, ['C12']],
  ])('accepts a weight up to the maximum that %j allows: %d', (trafficRouting, setWeight, classes) => {
    expect(checkSteps({ steps: [{ setWeight }], trafficRouting }, [], FACTS).map((problem) => problem.class)).toEqual(
      classes,
    );
  });

  it.each([
    [{ exact: '1' }, []],
    [{ exact: '1', prefix: '2' }, ["SetHeaderRoute match value invalid. ALB supports 'exact' value only"]],
    [{ prefix: '2' }, ["SetHeaderRoute match value invalid. ALB supports 'exact' value only"]],
  ])('accepts the header value %j for an ALB only as an exact match', (headerValue, messages) => {
    const match = [{ headerName: 'x', headerValue }];
    const steps: Json = [{ setHeaderRoute: { name: 'beta', match } }];
    const trafficRouting = { alb: {}, managedRoutes: [{ name: 'beta' }] };
    expect(checkSteps({ steps, trafficRouting }, [], FACTS).map(({ message }) => message)).toEqual(messages);
  });

  it('reports a wrong method of a mirror route twice, as the controller checks it twice', () => {
    const match = [{ method: { exact: 'GET', prefix: 'P' }, path: { exact: '/', regex: '/' } }];
    const steps: Json = [{ setMirrorRoute: { name: 'copy', match } }];
    const trafficRouting = { istio: {}, managedRoutes: [{ name: 'copy' }] };
    const texts = checkSteps({ steps, trafficRouting }, [], FACTS).map(({ text }) => text.split(' ')[0]);
    expect(texts).toEqual(['method', 'path', 'method']);
  });

  it.each<readonly [string, boolean]>([
    ...['name', 'namespace', 'uid', 'labels', 'annotations'].map((field) => [`metadata.${field}`, true] as const),
    ["metadata.labels['app']", true],
    ["metadata.annotations['app']", true],
    ["metadata.annotations['not a key']", false],
    ["metadata.uid['app']", false],
    ['metadata', false],
    ['metadatas', false],
    ['xmetadata.other', true],
    ["metadata.labels['not a key']", false],
    ["metadata.name['x']", false],
    ['metadata.generation', false],
    ['status.phase', true],
  ])('accepts arguments from %s: %s', (fieldPath, allowed) => {
    const step = { analysis: { args: [{ name: 'a', valueFrom: { fieldRef: { fieldPath } } }] } };
    expect(classOf(admitArgoRollout(rollout({ steps: [step] })))).toBe(allowed ? 'allowed' : 'C20');
  });

  it('is empty if the controller cannot decode the Rollout', () => {
    expect(classOf(admitArgoRollout(rollout({}, { replicas: 2 ** 31 })))).toBe('decode');
    const resources = { limits: { cpu: 'much' } };
    const template = { ...POD, spec: { containers: [{ name: 'web', image: 'nginx', resources }] } };
    expect(classOf(admitArgoRollout(rollout({}, { template })))).toBe('decode');
  });

  it('never throws, for any value of a field', () => {
    const values: readonly Json[] = [null, 0, -1, '', 'x', true, [], [null], {}, { x: 1 }];
    const fields = (schema: unknown): string[] => (isJsonObject(schema) ? Object.keys(schema) : []);
    for (const name of fields(apiSchema('Rollout').properties?.spec?.properties as unknown)) {
      for (const value of values) expect(() => admitArgoRollout(rollout({}, { [name]: value }))).not.toThrow();
    }
    for (const name of fields(
      apiSchema('Rollout').properties?.spec?.properties?.strategy?.properties?.canary?.properties,
    )) {
      for (const value of values) expect(() => admitArgoRollout(routed({ [name]: value }))).not.toThrow();
    }
  });
});
