/** What the controller does around the steps: creation, steps without traffic, the end, rollbacks, and where it stops. */
import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import {
  albAnnotations,
  albScript,
  ORDERED,
  objectsOf,
  ourScript,
  path,
  rehearseObjects,
  rehearseStack,
  rulesOf,
  service,
  sharesOf,
} from './stack';

const NGINX = {
  ingressClassName: 'nginx',
  annotations: {},
  port: { number: 80 },
  route: { ingress: { name: 'web', classType: 'nginx' } },
};
const titles = (rehearsal: ReturnType<typeof rehearseStack>) => rehearsal.moments.map(({ title }) => title);

describe('a release by canary', () => {
  const rehearsal = rehearseStack(NGINX);

  it("goes through creation, steps, end and rollback in the controller's order", () => {
    expect(rulesOf(rehearsal)).toEqual([]);
    expect(titles(rehearsal)).toEqual([
      'before',
      'steps[0]: canary Ingress created',
      'steps[0]: 20%',
      'steps[1]: 100%',
      'end: Service web selects all pods again',
      'end: routes restored',
      'end: Service web-canary deleted',
      'end: released',
      'rollback: routes restored',
      'rollback: Service web selects all pods again',
      'rollback: Service web-canary deleted',
    ]);
  });

  it('says what the controller writes at each moment', () => {
    const written = rehearsal.moments.map(({ changes }) =>
      changes.map(({ action, object }) => `${action} ${object.kind} ${object.name}`),
    );

    expect(written.slice(0, 3)).toEqual([
      [],
      ['changed Service web', 'created Service web-canary', 'created Ingress web-canary'],
      ['changed Ingress web-canary'],
    ]);
    expect(written.slice(4, 7)).toEqual([
      ['changed Service web'],
      ['deleted Ingress web-canary'],
      ['deleted Service web-canary'],
    ]);
    expect(written[8]).toEqual(['deleted Ingress web-canary']);
  });

  it('tells versions apart by pods', () => {
    expect(sharesOf(rehearsal)).toMatchObject({
      before: { any: 0 },
      'steps[0]: 20%': { any: 20 },
      'end: routes restored': { any: 50 },
      'end: released': { any: 100 },
      'rollback: routes restored': { any: 0 },
    });
  });
});

describe('a step without traffic', () => {
  it('takes all routing away for its length', () => {
    const steps = [{ traffic: '20%', replicas: '20%' }, { replicas: '50%' }, { traffic: '60%', replicas: '60%' }];
    const rehearsal = rehearseStack({ ...NGINX, steps });

    expect(titles(rehearsal).filter((title) => title.startsWith('steps[1]'))).toEqual([
      'steps[1]: Service web selects all pods again',
      'steps[1]: routes restored',
      'steps[1]: Service web-canary deleted',
      'steps[1]: no traffic is routed',
    ]);
    // 5 new pods beside 10 old ones.
    expect(sharesOf(rehearsal)['steps[1]: no traffic is routed']).toMatchObject({ any: 33 });
  });
});

describe('other styles', () => {
  it('skip routing in partition style once all pods are replaced', () => {
    const strategy = { enableExtraWorkloadForCanary: false };
    const steps = [
      { traffic: '20%', replicas: 2 },
      { traffic: '50%', replicas: 10 },
    ];
    const rehearsal = rehearseStack({ ...NGINX, strategy, steps });

    expect(rehearsal.style).toBe('partition');
    expect(sharesOf(rehearsal)['steps[1]: 50%']).toMatchObject({ any: 100 });
    expect(rulesOf(rehearsal)).toEqual(['rehearsal-canary-gets-everything']);
  });

  it('replace the only pod of a workload in partition style at the first step, up to 0.5', () => {
    const strategy = { enableExtraWorkloadForCanary: false };
    const rehearsal = rehearseStack(
      { ...NGINX, strategy, replicas: 1 },
      { kruiseVersion: KruiseRolloutVersion.V0_5_5 },
    );

    expect(sharesOf(rehearsal)['steps[0]: canary pods ready']).toMatchObject({ any: 100 });
  });

  it('change over at the end in blue-green style', () => {
    const steps = [
      { traffic: '0%', replicas: '100%' },
      { traffic: '50%', replicas: '100%' },
    ];
    const rehearsal = rehearseStack({ ...NGINX, style: 'blueGreen', steps });

    expect(rulesOf(rehearsal)).toEqual([]);
    expect(sharesOf(rehearsal)).toMatchObject({
      'steps[0]: 0%': { any: 0 },
      'steps[1]: 50%': { any: 50 },
      'end: all traffic routed to the new version': { any: 100 },
      'end: released': { any: 100 },
    });
  });
});

describe('the canary Service', () => {
  it('selects nothing when its selector asks for a label that the canary pods do not have', () => {
    const strategy = { patchPodTemplateMetadata: { labels: { version: 'new' } } };
    const old = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { selector: { app: 'web', tier: 'front' }, ports: [{ port: 80 }] },
    };
    const rehearsal = rehearseStack({ ...NGINX, strategy, service: old });

    // Neither does the stable one: that was so before the release.
    expect(rehearsal.requests).toEqual([]);
    expect(rehearsal.findings.map(({ rule }) => rule)).toEqual(['rehearsal-incomplete']);
  });

  it('has no type of its own, so that a load balancer is made once more', () => {
    const spec = {
      type: 'LoadBalancer',
      selector: { app: 'web' },
      ports: [{ port: 80, nodePort: 30080 }],
      clusterIP: '10.0.0.1',
    };
    const rehearsal = rehearseStack({
      ...NGINX,
      service: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop' }, spec },
    });
    const created = rehearsal.moments[1]!.changes.find(
      ({ object }) => object.name === 'web-canary' && object.kind === 'Service',
    );

    expect(created?.after?.spec).toEqual({
      type: 'LoadBalancer',
      ports: [{ port: 80 }],
      selector: { app: 'web', 'pod-template-hash': 'canary' },
    });
  });
});

describe('where the controller stops', () => {
  it('crashes on a rule without paths', () => {
    const [rollout, deployment, webService, ingress] = objectsOf(NGINX) as [
      object,
      object,
      object,
      { spec: { rules: object[] } },
    ];
    const broken = {
      ...ingress,
      spec: { ...ingress.spec, rules: [...ingress.spec.rules, { host: 'static.example.com' }] },
    };
    const [rehearsal] = rehearseObjects([rollout, deployment, webService, broken]);

    expect(rehearsal!.stopped).toMatchObject({ class: 'panic', step: 0 });
    expect(rulesOf(rehearsal!)).toEqual(['rehearsal-controller-panics']);
    expect(rehearsal!.findings[0]!.message).toContain('spec.rules[1].http is missing');
    expect(titles(rehearsal!)).toEqual(['before', 'steps[0]: the controller gets no further']);
    expect(rehearsal!.moments[1]!.changes.map(({ object }) => `${object.kind} ${object.name}`)).toEqual([
      'Service web',
      'Service web-canary',
    ]);
  });

  it('crashes on a Service without selector', () => {
    const rehearsal = rehearseStack({
      ...NGINX,
      service: {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web', namespace: 'shop' },
        spec: { ports: [{ port: 80 }] },
      },
    });

    expect(rehearsal.stopped).toMatchObject({ class: 'panic' });
  });

  it('waits for ever for a script that is not there', () => {
    const rehearsal = rehearseStack({ scripts: {} });

    expect(rehearsal.stopped).toMatchObject({ class: 'script-not-found', message: 'aws-alb lua script is not found' });
    expect(rehearsal.findings.find(({ severity }) => severity === 'error')).toMatchObject({
      rule: 'rehearsal-controller-stuck',
      because: expect.stringContaining('newNetworkProvider failed: aws-alb lua script is not found'),
    });
  });

  it('names the line of a script that fails', () => {
    const rehearsal = rehearseStack({ scripts: albScript('local a = obj.annotations\nreturn a.b.c') });

    expect(rehearsal.findings.find(({ rule }) => rule === 'rehearsal-controller-stuck')?.message).toContain(
      '(line 2 of the script)',
    );
  });

  it('never gets done with a script that counts', () => {
    const script = `obj.annotations["n"] = tostring((obj.annotations["n"] or 0) + 1)\nreturn obj.annotations`;

    expect(rulesOf(rehearseStack({ scripts: albScript(script) }))).toContain('rehearsal-never-settles');
  });

  it('says that a Service is missing, and no more', () => {
    const objects = objectsOf(NGINX).filter((object) => (object as { kind: string }).kind !== 'Service');
    const [rehearsal] = rehearseObjects(objects);

    expect(rehearsal!.findings).toMatchObject([{ rule: 'rehearsal-incomplete', severity: 'note' }]);
  });

  it('says that a disabled Rollout has no steps, and leaves those without routing alone', () => {
    const [rollout, ...others] = objectsOf(NGINX) as [{ spec: { strategy: { canary: object } } }, ...object[]];
    const disabled = { ...rollout, spec: { ...rollout.spec, disabled: true } };
    const without = {
      ...rollout,
      spec: { ...rollout.spec, strategy: { canary: { ...rollout.spec.strategy.canary, trafficRoutings: [] } } },
    };

    expect(rehearseObjects([disabled, ...others])).toMatchObject([
      {
        moments: [{ title: 'before' }],
        findings: [{ rule: 'rehearsal-incomplete', severity: 'note', path: 'spec.disabled' }],
      },
    ]);
    expect(rehearseObjects([without, ...others])).toEqual([]);
  });
});

describe('a TrafficRouting', () => {
  it('is applied and taken back, and makes no canary', () => {
    const trafficRouting = {
      apiVersion: 'rollouts.kruise.io/v1alpha1',
      kind: 'TrafficRouting',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { objectRef: [{ service: 'web', ingress: { name: 'web', classType: 'nginx' } }], strategy: { weight: 20 } },
    };
    const objects = objectsOf(NGINX).filter((object) => (object as { kind: string }).kind !== 'Rollout');
    const [rehearsal] = rehearseObjects([...objects, trafficRouting]);

    expect(rehearsal).toMatchObject({ style: 'traffic-routing', canaryService: 'web' });
    expect(rulesOf(rehearsal!)).toEqual([]);
  });

  it('crashes the controller with a gateway that names no route', () => {
    const trafficRouting = {
      apiVersion: 'rollouts.kruise.io/v1alpha1',
      kind: 'TrafficRouting',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { objectRef: [{ service: 'web', gateway: {} }], strategy: { weight: 20 } },
    };
    const [rehearsal] = rehearseObjects([trafficRouting, service('web')]);

    expect(rulesOf(rehearsal!)).toEqual(['rehearsal-controller-panics']);
  });
});

describe('requests of other applications', () => {
  it('are those of the same host and load balancer only', () => {
    const rehearsal = rehearseStack({
      scripts: albScript(ourScript('trafficrouting_ingress/aws-alb.lua')),
      annotations: albAnnotations('web', 80, ORDERED),
      more: [
        service('blog'),
        {
          apiVersion: 'networking.k8s.io/v1',
          kind: 'Ingress',
          metadata: { name: 'blog', namespace: 'shop', annotations: { 'alb.ingress.kubernetes.io/target-type': 'ip' } },
          spec: {
            ingressClassName: 'alb',
            rules: [{ host: 'blog.example.com', http: { paths: [path('/', 'blog')] } }],
          },
        },
      ],
    });

    expect(rehearsal.loadBalancers).toEqual([{ router: 'aws-alb', name: 'shop', port: 80, protocol: 'HTTP' }]);
    expect(rehearsal.requests.map(({ text }) => text).join()).not.toContain('blog');
  });
});
