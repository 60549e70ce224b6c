import { describe, expect, test } from 'vitest';
import {
  buildCanaryIngress,
  type CanaryIngress,
  ensureIngressRoutes,
  finaliseIngress,
  runIngressStep,
} from '../../../src/kruise/controller';
import { scriptRunner } from '../../../src/kruise/scripts/contract';
import { ingress, path } from '../manifests';

const services = { stableService: 'web', canaryService: 'web-canary' };
const PANIC = 'runtime error: invalid memory address or nil pointer dereference';

function built(stableIngress: unknown): CanaryIngress {
  const result = buildCanaryIngress(stableIngress, services);
  if (!result.ok) throw new Error(result.error.message);
  return result.ingress;
}

function stableWith(rules: unknown[], others: object = {}) {
  return ingress(undefined, { rules, ...others });
}

/** A script that records the weight and how it was called. */
const WEIGHT = `
  local annotations = obj.annotations or {}
  annotations["weight"] = obj.weight
  annotations["matches"] = obj.matches and tostring(#obj.matches) or nil
  return annotations`;

describe('the canary Ingress', () => {
  test('copies metadata, class and TLS of the stable Ingress', () => {
    const last = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
    const stable = {
      ...ingress(last, {
        ingressClassName: 'nginx',
        defaultBackend: { service: { name: 'web', port: { number: 80 } } },
        tls: [{ hosts: ['a.example.com'], secretName: 'a' }, { hosts: ['z.example.com'] }, {}],
        rules: [{ host: 'a.example.com', http: { paths: [path('web')] } }],
      }),
      status: { loadBalancer: {} },
    };
    const labelled = { ...stable, metadata: { ...stable.metadata, labels: { app: 'web' }, finalizers: ['x'] } };
    expect(built(labelled)).toEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'web-canary', namespace: 'shop', labels: { app: 'web' }, annotations: last },
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['a.example.com'], secretName: 'a' }, { hosts: ['z.example.com'] }, {}],
        rules: [{ host: 'a.example.com', http: { paths: [path('web-canary')] } }],
      },
    });
  });

  test('keeps only the paths to the stable Service, each with its port', () => {
    const named = { name: 'http' };
    const rules = [
      { host: 'a.example.com', http: { paths: [path('web', '/a', named), path('api', '/b'), path('web', '/c')] } },
      { host: 'b.example.com', http: { paths: [path('api')] } },
      { http: { paths: [path('web-2'), path('web', '')] } },
    ];
    expect(built(stableWith(rules)).spec.rules).toEqual([
      { host: 'a.example.com', http: { paths: [path('web-canary', '/a', named), path('web-canary', '/c')] } },
      { http: { paths: [{ pathType: 'Prefix', backend: { service: { name: 'web-canary', port: { number: 80 } } } }] } },
    ]);
  });

  test('has no rules if no path leads to the stable Service', () => {
    expect(built(stableWith([{ http: { paths: [path('api')] } }, { http: {} }])).spec).toEqual({});
    expect(built(ingress()).metadata).toEqual({ name: 'web-canary', namespace: 'shop' });
  });

  test('does not change the stable Ingress', () => {
    const stable = ingress({ a: '1' });
    const before = structuredClone(stable);
    runIngressStep({ stableIngress: stable }, { ...services, strategy: { traffic: '20%' } }, scriptRunner(WEIGHT));
    expect(stable).toEqual(before);
  });

  test.each([
    ['a rule without http', [{ host: 'x' }], 'spec.rules[0].http'],
    [
      'a rule with http null behind a good one',
      [{ http: { paths: [path('web')] } }, { http: null }],
      'spec.rules[1].http',
    ],
    [
      'a resource backend, also beside a Service',
      [{ http: { paths: [path('web'), { path: '/s', backend: { resource: { kind: 'Bucket', name: 's' } } }] } }],
      'spec.rules[0].http.paths[1].backend.service',
    ],
    ['a path without backend', [{ http: { paths: [{}] } }], 'spec.rules[0].http.paths[0].backend.service'],
    ['a null among the paths', [{ http: { paths: [null] } }], 'spec.rules[0].http.paths[0].backend.service'],
  ])('panics the controller on %s', (_name, rules, at) => {
    const error = {
      class: 'panic',
      message: PANIC,
      path: at,
      object: { kind: 'Ingress', namespace: 'shop', name: 'web' },
    };
    expect(buildCanaryIngress(stableWith(rules), services)).toEqual({ ok: false, error });
    const pass = ensureIngressRoutes(
      { stableIngress: stableWith(rules) },
      { ...services, strategy: { traffic: '1%' } },
      scriptRunner(WEIGHT),
    );
    expect(pass).toEqual({ done: false, error });
  });

  test('does not panic on a resource as default backend', () => {
    const rules = [{ http: { paths: [path('web')] } }];
    expect(
      built(stableWith(rules, { defaultBackend: { resource: { kind: 'Bucket', name: 's' } } })).spec.rules,
    ).toHaveLength(1);
  });
});

describe('one reconcile', () => {
  const run = scriptRunner(WEIGHT);

  test('creates the canary Ingress with the script at weight 0 and without matches', () => {
    const strategy = { traffic: '20%', matches: [{}] };
    const pass = ensureIngressRoutes({ stableIngress: ingress({ a: '1' }) }, { ...services, strategy }, run);
    expect(pass).toMatchObject({ written: 'created', done: false });
    expect(pass.call?.obj).toEqual({ annotations: { a: '1' }, weight: '0', canaryService: 'web-canary' });
    expect(pass.canaryIngress?.metadata.annotations).toEqual({ a: '1', weight: '0' });
  });

  test('creates nothing at weight 0, and runs no script', () => {
    const routing = { ...services, strategy: { traffic: '0%' } };
    expect(ensureIngressRoutes({ stableIngress: ingress() }, routing, run)).toEqual({ done: true });
    const unreadable = { ...services, strategy: { traffic: 'half' } };
    expect(ensureIngressRoutes({ stableIngress: ingress() }, unreadable, run)).toEqual({ done: true });
  });

  test('runs the script on the annotations of the canary Ingress, also at weight 0', () => {
    const stableIngress = ingress({ stable: '1' });
    const canaryIngress = { ...built(stableIngress), metadata: { name: 'web-canary', annotations: { own: '1' } } };
    const routing = { ...services, strategy: { traffic: '0%' } };
    const pass = ensureIngressRoutes({ stableIngress, canaryIngress }, routing, run);
    expect(pass.call?.obj).toEqual({ annotations: { own: '1' }, weight: '0', canaryService: 'web-canary' });
    expect(pass).toMatchObject({ written: 'patched', done: false });
    const next = ensureIngressRoutes({ stableIngress, canaryIngress: pass.canaryIngress }, routing, run);
    expect(next).toMatchObject({ done: true });
    expect(next.written).toBeUndefined();
  });

  test('removes every annotation that the script does not return', () => {
    const canaryIngress = built(ingress({ a: '1' }));
    const routing = { ...services, strategy: { traffic: '5%' } };
    const pass = ensureIngressRoutes({ stableIngress: ingress(), canaryIngress }, routing, scriptRunner('return {}'));
    expect(pass.canaryIngress?.metadata).toEqual({ name: 'web-canary', namespace: 'shop' });
  });

  test('leaves the canary Ingress as it was when the script fails', () => {
    const canaryIngress = built(ingress({ a: '1' }));
    const routing = { ...services, strategy: { traffic: '5%' } };
    const pass = ensureIngressRoutes({ stableIngress: ingress(), canaryIngress }, routing, scriptRunner('error("no")'));
    expect(pass.canaryIngress).toBe(canaryIngress);
    expect(pass.done).toBe(false);
    expect(pass.error).toMatchObject({
      class: 'lua',
      message: '<string>:1: no',
      log: 'execute lua failed: <string>:1: no',
      object: { kind: 'Ingress', namespace: 'shop', name: 'web-canary' },
    });
  });

  test('fails if the API server rejects the annotations', () => {
    const run256KiB = scriptRunner('return {a = string.rep("x", 256 * 1024)}');
    const pass = ensureIngressRoutes(
      { stableIngress: ingress() },
      { ...services, strategy: { traffic: '5%' } },
      run256KiB,
    );
    expect(pass.canaryIngress).toBeUndefined();
    expect(pass.error).toMatchObject({
      class: 'rejected',
      message: 'metadata.annotations: Too long: must have at most 262144 bytes',
    });
  });
});

describe('a step', () => {
  test('settles once the script returns the existing annotations', () => {
    const routing = { ...services, strategy: { traffic: '20%' } };
    const step = runIngressStep({ stableIngress: ingress() }, routing, scriptRunner(WEIGHT));
    expect(step.passes.map(({ written, done }) => [written, done])).toEqual([
      ['created', false],
      ['patched', false],
      [undefined, true],
    ]);
    expect(step.created?.metadata.annotations).toEqual({ weight: '0' });
    expect(step.canaryIngress?.metadata.annotations).toEqual({ weight: '20' });
    expect(step.error).toBeUndefined();
  });

  test('never settles if the script extends its own output, and names the annotation', () => {
    const script = `
      local annotations = obj.annotations or {}
      annotations["runs"] = (annotations["runs"] or "") .. "x"
      return annotations`;
    const routing = { ...services, strategy: { traffic: '20%' } };
    const step = runIngressStep({ stableIngress: ingress({ other: '1' }) }, routing, scriptRunner(script));
    expect(step.error).toMatchObject({ class: 'never-settles', path: 'metadata.annotations' });
    expect(step.error?.message).toBe(
      'the script changes its own output with every run: after 20 runs annotation "runs" still differs',
    );
    expect(step.passes).toHaveLength(20);
  });

  test('never settles if the script alternates between two results', () => {
    const script = 'if obj.annotations and obj.annotations.a then return {b = "1"} end return {a = "1"}';
    const routing = { ...services, strategy: { traffic: '20%' } };
    const step = runIngressStep({ stableIngress: ingress() }, routing, scriptRunner(script));
    expect(step.error?.message).toContain('annotation "a", annotation "b" still differ');
  });

  test('that doubles its output ends when the API server rejects it', () => {
    const script = 'local a = obj.annotations or {}; a.x = string.rep(a.x or "x", 4); return a';
    const routing = { ...services, strategy: { traffic: '20%' } };
    const step = runIngressStep({ stableIngress: ingress() }, routing, scriptRunner(script));
    expect(step.error?.class).toBe('rejected');
  });
});

test('the end of a rollout deletes an existing canary Ingress', () => {
  const canaryIngress = built(ingress());
  expect(finaliseIngress({ stableIngress: ingress(), canaryIngress })).toEqual({ deleted: canaryIngress });
  expect(finaliseIngress({ stableIngress: ingress() })).toEqual({});
});
