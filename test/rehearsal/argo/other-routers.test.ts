/** Canaries of Argo Rollouts through ingress-nginx, through Istio, and without a traffic router. */
import { describe, expect, it } from 'vitest';
import { sharesOf } from '../stack';
import { rehearseAll, rehearseYaml, service } from './stack';

const rollout = (canary: string, replicas = 4) => `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: web, namespace: shop }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: example.com/web }] }
  strategy:
    canary:
${canary.replaceAll(/^/gm, '      ')}
`;
const STEPS = 'steps: [{ setWeight: 25 }, { pause: {} }, { setWeight: 60 }]';
const SERVICES = 'stableService: web-stable\ncanaryService: web-canary';
const BOTH = [service('web-stable'), service('web-canary')];
const ingress = (backend: string) => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web, namespace: shop }
spec:
  ingressClassName: nginx
  tls: [{ hosts: [shop.example.com], secretName: shop }]
  rules:
    - host: shop.example.com
      http:
        paths:
          - { path: /, pathType: Prefix, backend: { service: { name: ${backend}, port: { number: 80 } } } }
          - { path: /other, pathType: Prefix, backend: { service: { name: other, port: { number: 80 } } } }
    - host: other.example.com
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: other, port: { number: 80 } } } }] }
`;
const stackOf = (...texts: readonly string[]) => texts.join('---\n');
const anyOf = (text: string) =>
  Object.entries(sharesOf(rehearseYaml(text))).map(([title, { any }]) => `${title} ${any}`);
const errorsOf = (text: string) => rehearseYaml(text).findings.filter(({ severity }) => severity !== 'note');

describe('a canary through ingress-nginx', () => {
  const nginx = (more = '', fields = '') =>
    stackOf(
      rollout(`${SERVICES}\ntrafficRouting: { nginx: { stableIngress: web${more} }${fields} }\n${STEPS}`),
      ingress('web-stable'),
      ...BOTH,
    );

  it('gets its weights by a second Ingress', () => {
    expect(errorsOf(nginx())).toEqual([]);
    expect(anyOf(nginx())).toEqual([
      'before 0',
      'steps[0]: no pod of the new version is ready 0',
      'steps[0]: setWeight: 25% 25',
      'steps[1]: pause: 25% 25',
      'steps[2]: setWeight: 60% 60',
      'end: all steps are done 100',
      'end: the new version is stable 100',
      'end: the old pods are gone 100',
      'rollback: aborted, and the steps begin again 0',
      'rollback: Service web-canary goes to the new pods and back at each reconcile 0',
      'rollback: the new pods are gone 0',
    ]);
  });

  it('copies the rules of the stable Service only, and TLS, and takes annotations of the Rollout', () => {
    const more =
      ', additionalIngressAnnotations: { canary-by-header: x-beta }, canaryIngressAnnotations: { example.com/team: web }';
    const first = rehearseYaml(nginx(more, ', maxTrafficWeight: 1000')).moments.find(({ title }) =>
      title.startsWith('steps[0]: set'),
    )!;
    const written = first.changes.find(({ object }) => object.kind === 'Ingress')!;

    expect(written.object.name).toBe('web-web-canary');
    expect(written.after).toMatchObject({
      metadata: {
        annotations: {
          'nginx.ingress.kubernetes.io/canary': 'true',
          'nginx.ingress.kubernetes.io/canary-weight': '25',
          'nginx.ingress.kubernetes.io/canary-weight-total': '1000',
          'nginx.ingress.kubernetes.io/canary-by-header': 'x-beta',
          'example.com/team': 'web',
        },
      },
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['shop.example.com'], secretName: 'shop' }],
        rules: [
          {
            host: 'shop.example.com',
            http: {
              paths: [{ backend: { service: { name: 'web-canary' } } }, { backend: { service: { name: 'other' } } }],
            },
          },
        ],
      },
    });
    expect((written.after as { spec: { rules: object[] } }).spec.rules.length).toBe(1);
  });

  it('gets nothing with annotations that ingress-nginx does not read', () => {
    expect(errorsOf(nginx(', annotationPrefix: example.com')).map(({ rule }) => rule)).toContain(
      'rehearsal-canary-gets-nothing',
    );
  });
});

describe('a canary through Istio', () => {
  const virtualService = (routes: string) => `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: web, namespace: shop }
spec:
  hosts: [shop.example.com]
  gateways: [public]
  http:
    - name: primary
      route: [${routes}]
`;
  const gateway = `apiVersion: networking.istio.io/v1
kind: Gateway
metadata: { name: public, namespace: shop }
spec:
  selector: { istio: ingressgateway }
  servers: [{ port: { number: 80, name: http, protocol: HTTP }, hosts: ["*"] }]
`;
  const hosts = '{ destination: { host: web-stable } }, { destination: { host: web-canary } }';
  const subsets = '{ destination: { host: web, subset: stable } }, { destination: { host: web, subset: canary } }';
  const istio = (more = '', steps = STEPS) =>
    stackOf(
      rollout(
        `${SERVICES}\ntrafficRouting:\n  istio: { virtualService: { name: web, routes: [primary] } }\n${more}${steps}`,
      ),
      virtualService(hosts),
      gateway,
      ...BOTH,
    );

  it('gets its weights by destinations', () => {
    expect(errorsOf(istio())).toEqual([]);
    expect(anyOf(istio()).slice(2, 6)).toEqual([
      'steps[0]: setWeight: 25% 25',
      'steps[1]: pause: 25% 25',
      'steps[2]: setWeight: 60% 60',
      'end: all steps are done 100',
    ]);
  });

  it('gets the requests of a header route, and loses them with an abort', () => {
    const header = `steps:
  - setCanaryScale: { replicas: 1 }
  - setHeaderRoute: { name: beta, match: [{ headerName: x-beta, headerValue: { exact: tester } }] }
  - pause: {}`;
    const shares = sharesOf(rehearseYaml(istio('  managedRoutes: [{ name: beta }]\n', header)));

    expect(shares['steps[2]: pause: 0%, all of x-beta: tester']).toMatchObject({ any: 0, 'x-beta: tester': 100 });
    expect(shares['rollback: the new pods are gone']).toMatchObject({ any: 0, 'x-beta: tester': 0 });
  });

  it('gets the requests that meet any entry of a header route: a text, an expression or a prefix', () => {
    const header = `steps:
  - setCanaryScale: { replicas: 1 }
  - setHeaderRoute:
      name: beta
      match:
        - { headerName: x-beta, headerValue: { exact: tester } }
        - { headerName: user-agent, headerValue: { regex: firefox(.*) } }
        - { headerName: x-team, headerValue: { prefix: web. } }
  - pause: {}`;
    const text = istio('  managedRoutes: [{ name: beta }]\n', header);
    const shares = sharesOf(rehearseYaml(text));

    expect(errorsOf(text)).toEqual([]);
    expect(
      shares['steps[2]: pause: 0%, all of x-beta: tester or user-agent: firefox(.*) or x-team: web\\..*'],
    ).toMatchObject({
      any: 0,
      'x-beta: tester': 100,
      'user-agent: firefox(.*)': 100,
      'x-team: web\\..*': 100,
    });
  });

  it('gets its weights by subsets, whose labels follow the pods', () => {
    const rule = `apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: { name: web, namespace: shop }
spec: { host: web, subsets: [{ name: stable, labels: { app: web } }, { name: canary, labels: { app: web } }] }
`;
    const routing =
      'trafficRouting: { istio: { virtualService: { name: web, routes: [primary] }, destinationRule: { name: web, stableSubsetName: stable, canarySubsetName: canary } } }';
    const text = stackOf(rollout(`${routing}\n${STEPS}`), virtualService(subsets), rule, gateway, service('web'));

    expect(errorsOf(text)).toEqual([]);
    expect(anyOf(text).slice(2, 5)).toEqual([
      'steps[0]: setWeight: 25% 25',
      'steps[1]: pause: 25% 25',
      'steps[2]: setWeight: 60% 60',
    ]);
  });
});

describe('a canary without a traffic router', () => {
  const plain = (canary: string, replicas?: number) =>
    stackOf(rollout(canary, replicas), ingress('web'), service('web'), ...BOTH);

  it('gets the share of its pods', () => {
    expect(errorsOf(plain(STEPS))).toEqual([]);
    expect(anyOf(plain(STEPS))).toEqual([
      'before 0',
      'steps[0]: no pod of the new version is ready 0',
      'steps[0]: setWeight: 25% 25',
      'steps[1]: pause: 25% 25',
      'steps[2]: setWeight: 60% 60',
      'end: the new version is stable 100',
      'rollback: the new pods are gone 0',
    ]);
  });

  it.each([
    // replicas, weight, surge, share of the canary
    [10, 10, '25%', '10'],
    [10, 5, '25%', '9.1'],
    [4, 20, 0, '25'],
    [3, 50, '25%', '50'],
    [1, 20, '25%', '50'],
    [1, 20, 0, '0'],
    [2, 99, 0, '50'],
  ])('of %i pods with weight %i and surge %s gets %s %%', (replicas, weight, surge, share) => {
    const moments = rehearseYaml(
      plain(`maxSurge: ${surge}\nmaxUnavailable: 1\nsteps: [{ setWeight: ${weight} }, { pause: {} }]`, replicas),
    ).moments;
    const step = moments.find(({ title }) => title.startsWith('steps[1]'))!;
    expect(step.title).toBe(`steps[1]: pause: ${share}%`);
  });

  it('says where the pods cannot make the weight', () => {
    const notes = (weight: number) =>
      rehearseYaml(plain(`steps: [{ setWeight: ${weight} }, { pause: {} }]`)).findings.filter(
        ({ rule }) => rule === 'rehearsal-weight-by-pods',
      );

    expect(notes(25)).toEqual([]);
    expect(notes(10)).toMatchObject([
      { severity: 'note', step: 0, message: 'setWeight: 10 gives the canary 20% at steps[0]: 1 of 5 pods' },
    ]);
  });

  it('leaves what goes to its stable Service with the old version until the end, and with no pod just before', () => {
    const text = stackOf(rollout(`${SERVICES}\n${STEPS}`), ingress('web-stable'), ...BOTH);

    expect(rehearseYaml(text).findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        rule: 'rehearsal-requests-fail',
        message: expect.stringContaining('Service shop/web-stable selects no pod'),
        because: expect.stringContaining('removes the last old pods before it points the stable Service'),
        fix: expect.stringContaining('a Service that selects the pods of both versions'),
      },
    ]);
    expect(anyOf(text).slice(1)).toEqual([
      'steps[0]: no pod of the new version is ready 0',
      'steps[0]: setWeight: 25% 0',
      'steps[1]: pause: 25% 0',
      'steps[2]: setWeight: 60% 0',
      'end: the old pods are gone 0',
      'end: the new version is stable 100',
      'rollback: the new pods are gone 0',
    ]);
  });

  it('is passed over where no load balancer leads to it', () => {
    expect(rehearseAll(stackOf(rollout(STEPS), service('web')))).toEqual([]);
  });
});
