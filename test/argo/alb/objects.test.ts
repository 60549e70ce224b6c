import { describe, expect, it } from 'vitest';
import { admissionFindings } from '../../../src/argo/admission';
import { ArgoAlbClass, type ArgoAlbIngressOptions, ArgoAlbService, ArgoAlbStrategy } from '../../../src/argo/alb';
import { checkArgoAlb } from '../../../src/argo/rules';
import { ArgoStep, argoAnalysis } from '../../../src/argo/steps';
import { AlbBackend } from '../../../src/routers/aws-alb/ingress-options';
import { AlbAuth, AlbListenPort } from '../../../src/routers/aws-alb/load-balancer-options';
import { canary, objectsOf, TEMPLATE, worldOf } from './options';

interface WrittenPath {
  readonly path: string;
  readonly pathType: string;
  readonly backend: { readonly service: { readonly name: string } };
}

const canaryOf = (objects: ReturnType<typeof objectsOf>) => objects.rollout.spec.strategy.canary!;
const namesOf = (objects: ReturnType<typeof objectsOf>) =>
  objects.services.map(({ metadata }) => (metadata as { name: string }).name);
const ingressOf = (ingress: ArgoAlbIngressOptions) => objectsOf({ ingress }).ingresses[0]!;
const pathsOf = (ingress: ArgoAlbIngressOptions) => {
  const { rules } = ingressOf(ingress).spec as { rules: { http: { paths: WrittenPath[] } }[] };
  return rules.map(({ http }) =>
    http.paths.map(({ path, pathType, backend }) => [path, pathType, backend.service.name]),
  );
};
const annotationsOf = (ingress: ArgoAlbIngressOptions) => ingressOf(ingress).metadata.annotations;
const alb = (name: string) => `alb.ingress.kubernetes.io/${name}`;

describe('the objects of a Rollout', () => {
  it('are the Rollout, two Services and an Ingress, the least that it takes', () => {
    expect(objectsOf()).toStrictEqual({
      rollout: {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Rollout',
        metadata: { name: 'web', namespace: 'shop' },
        spec: {
          selector: { matchLabels: { app: 'web' } },
          template: TEMPLATE,
          strategy: {
            canary: {
              stableService: 'web-stable',
              canaryService: 'web-canary',
              steps: [{ setWeight: 20 }],
              trafficRouting: { alb: { ingress: 'web', servicePort: 80 } },
            },
          },
        },
      },
      services: ['web-stable', 'web-canary'].map((name) => ({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name, namespace: 'shop' },
        spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
      })),
      ingresses: [
        {
          apiVersion: 'networking.k8s.io/v1',
          kind: 'Ingress',
          metadata: { name: 'web', namespace: 'shop', annotations: { [alb('target-type')]: 'ip' } },
          spec: {
            ingressClassName: 'alb',
            rules: [
              {
                http: {
                  paths: [
                    {
                      path: '/*',
                      pathType: 'ImplementationSpecific',
                      backend: { service: { name: 'web-stable', port: { name: 'use-annotation' } } },
                    },
                  ],
                },
              },
            ],
          },
        },
      ],
    });
  });

  it('hold the whole pod template as it was given', () => {
    const template = {
      ...TEMPLATE,
      spec: { ...TEMPLATE.spec, terminationGracePeriodSeconds: 60, tolerations: [{ operator: 'Exists' as const }] },
    };
    expect(objectsOf({ template }).rollout.spec.template).toStrictEqual(template);
  });

  it('have the fields that the Rollout was given', () => {
    const { spec } = objectsOf({
      replicas: 5,
      minReady: 10,
      progressDeadline: { toSeconds: () => 300 },
      progressDeadlineAbort: true,
      revisionHistoryLimit: 3,
      rollbackWindow: 2,
      paused: true,
      port: 8080,
      strategy: ArgoAlbStrategy.canary({
        steps: [ArgoStep.setWeight(20)],
        stickiness: { toSeconds: () => 600 },
        analysis: { ...argoAnalysis(['errors']), startingStep: 1 },
        maxSurge: '50%',
        maxUnavailable: 0,
        scaleDownDelay: 60,
        abortScaleDownDelay: 0,
        minPodsPerReplicaSet: 2,
        canaryMetadata: { labels: { role: 'canary' } },
        stableMetadata: { labels: { role: 'stable' } },
        annotationPrefix: 'alb.ingress.kubernetes.io',
        antiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: { weight: 5 } },
      }),
    }).rollout;
    expect(spec).toMatchObject({
      replicas: 5,
      minReadySeconds: 10,
      progressDeadlineSeconds: 300,
      progressDeadlineAbort: true,
      revisionHistoryLimit: 3,
      rollbackWindow: { revisions: 2 },
      paused: true,
      strategy: {
        canary: {
          analysis: { templates: [{ templateName: 'errors' }], startingStep: 1 },
          maxSurge: '50%',
          maxUnavailable: 0,
          scaleDownDelaySeconds: 60,
          abortScaleDownDelaySeconds: 0,
          minPodsPerReplicaSet: 2,
          canaryMetadata: { labels: { role: 'canary' } },
          stableMetadata: { labels: { role: 'stable' } },
          antiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: { weight: 5 } },
          trafficRouting: {
            alb: {
              servicePort: 8080,
              annotationPrefix: 'alb.ingress.kubernetes.io',
              stickinessConfig: { enabled: true, durationSeconds: 600 },
            },
          },
        },
      },
    });
  });

  it('keep managedRoutes in step with the header routes', () => {
    const objects = objectsOf({
      strategy: canary(
        ArgoStep.setCanaryScale({ replicas: 1 }),
        ArgoStep.setHeaderRoute('one', { 'x-one': '1' }),
        ArgoStep.setHeaderRoute('two', { 'x-two': ['1', '2'] }),
        ArgoStep.setHeaderRoute('one', { 'x-one': '2' }),
        ArgoStep.removeHeaderRoute('two'),
      ),
    });
    expect(canaryOf(objects).trafficRouting!.managedRoutes).toEqual([{ name: 'one' }, { name: 'two' }]);
  });

  it('take the pods of a workload', () => {
    const { rollout, services } = objectsOf({
      template: undefined,
      workloadRef: { name: 'web', scaleDown: 'progressively' },
      selector: { app: 'web' },
      targetPort: 'http',
    });
    expect(rollout.spec).toMatchObject({
      workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', scaleDown: 'progressively' },
      selector: { matchLabels: { app: 'web' } },
    });
    expect('template' in rollout.spec).toBe(false);
    expect(services[0]!.spec).toMatchObject({ ports: [{ targetPort: 'http' }] });
  });
});

describe('the Services', () => {
  it('are those of the strategy', () => {
    const steps = [ArgoStep.setWeight(20)];
    expect(namesOf(objectsOf({ strategy: ArgoAlbStrategy.pingPong({ steps }) }))).toEqual(['web-ping', 'web-pong']);
    expect(namesOf(objectsOf({ strategy: ArgoAlbStrategy.blueGreen() }))).toEqual(['web-active', 'web-preview']);
    expect(
      namesOf(
        objectsOf({
          strategy: ArgoAlbStrategy.canary({
            steps,
            stableService: ArgoAlbService.existing({ name: 'web' }),
            canaryService: ArgoAlbService.named('next'),
            rootService: ArgoAlbService.named('all', { annotations: { note: 'for requests inside the cluster' } }),
          }),
        }),
      ),
    ).toEqual(['next', 'all']);
  });

  it('have node ports where the targets are instances', () => {
    const { services } = objectsOf({ ingress: { targetType: 'instance' } });
    expect(services.map(({ spec }) => (spec as { type?: string }).type)).toEqual(['NodePort', 'NodePort']);
  });

  it('give the action another name, which is then that of the backend', () => {
    const strategy = ArgoAlbStrategy.canary({ steps: [], rootService: 'entry' });
    const objects = objectsOf({ strategy });
    expect(canaryOf(objects).trafficRouting!.alb!.rootService).toBe('entry');
    expect(JSON.stringify(objects.ingresses)).toContain('{"name":"entry","port":{"name":"use-annotation"}}');
    expect(namesOf(objects)).toEqual(['web-stable', 'web-canary']);
  });

  it('of ping-pong have a root, as Argo wants it', () => {
    const objects = objectsOf({ strategy: ArgoAlbStrategy.pingPong({ steps: [] }) });
    const { pingPong, trafficRouting, stableService } = canaryOf(objects);
    expect([pingPong, trafficRouting?.alb?.rootService, stableService]).toEqual([
      { pingService: 'web-ping', pongService: 'web-pong' },
      'web-root',
      undefined,
    ]);
  });

  it('of blue-green are reached by their port', () => {
    const objects = objectsOf({
      strategy: ArgoAlbStrategy.blueGreen({
        autoPromotion: false,
        autoPromotionDelay: 60,
        previewIngress: { rules: [{ host: 'next.example.com' }] },
        prePromotionAnalysis: argoAnalysis(['smoke']),
        scaleDownDelay: { toSeconds: () => 120 },
      }),
    });
    expect(objects.rollout.spec.strategy).toEqual({
      blueGreen: {
        activeService: 'web-active',
        previewService: 'web-preview',
        autoPromotionEnabled: false,
        autoPromotionSeconds: 60,
        prePromotionAnalysis: { templates: [{ templateName: 'smoke' }] },
        scaleDownDelaySeconds: 120,
      },
    });
    const backends = objects.ingresses.map((one) => JSON.stringify(one).match(/"service":(\{.*?\}\})/)?.[1]);
    expect(backends).toEqual([
      '{"name":"web-active","port":{"number":80}}',
      '{"name":"web-preview","port":{"number":80}}',
    ]);
  });
});

describe('the Ingress', () => {
  it('takes a path without a type for everything at and below it, the longest first', () => {
    const paths = [{ path: '/' }, { path: '/cart' }, { path: '/cart/old/' }];
    expect(pathsOf({ rules: [{ host: 'a.example.com', paths }, { host: 'b.example.com' }] })).toEqual([
      [
        ['/cart/old', 'ImplementationSpecific', 'web-stable'],
        ['/cart/old/*', 'ImplementationSpecific', 'web-stable'],
        ['/cart', 'ImplementationSpecific', 'web-stable'],
        ['/cart/*', 'ImplementationSpecific', 'web-stable'],
        ['/*', 'ImplementationSpecific', 'web-stable'],
      ],
      [['/*', 'ImplementationSpecific', 'web-stable']],
    ]);
  });

  it('leaves paths with a type or a wildcard as they are', () => {
    const paths = [
      { path: '/*.png' },
      { path: '/a', pathType: 'Exact' as const },
      { path: '/b', pathType: 'Prefix' as const },
    ];
    expect(pathsOf({ rules: [{ paths }] })).toEqual([
      [
        ['/*.png', 'ImplementationSpecific', 'web-stable'],
        ['/a', 'Exact', 'web-stable'],
        ['/b', 'Prefix', 'web-stable'],
      ],
    ]);
  });

  it('leads elsewhere where a path says so', () => {
    const rules = [
      {
        paths: [
          { path: '/status', backend: AlbBackend.fixedResponse('status', { statusCode: 200 }) },
          { path: '/blog', backend: AlbBackend.service({ name: 'blog', port: 8080 }) },
          { path: '/' },
        ],
      },
    ];
    expect(pathsOf({ rules })[0]!.map(([path, , name]) => [path, name])).toEqual([
      ['/status', 'status'],
      ['/status/*', 'status'],
      ['/blog', 'blog'],
      ['/blog/*', 'blog'],
      ['/*', 'web-stable'],
    ]);
    expect(JSON.parse(annotationsOf({ rules })[alb('actions.status')]!)).toMatchObject({ type: 'fixed-response' });
  });

  it('says of which class it is in one of three ways', () => {
    const classOf = (ingressClass: ArgoAlbClass) => {
      const { spec, metadata } = ingressOf({ ingressClass });
      return [
        (spec as { ingressClassName?: string }).ingressClassName,
        metadata.annotations['kubernetes.io/ingress.class'],
      ];
    };
    expect(classOf(ArgoAlbClass.field('public'))).toEqual(['public', undefined]);
    expect(classOf(ArgoAlbClass.annotation('alb'))).toEqual([undefined, 'alb']);
    expect(classOf(ArgoAlbClass.none())).toEqual([undefined, undefined]);
  });

  it('has what its class sets, and always an annotation', () => {
    const ingressClass = ArgoAlbClass.field({
      name: 'public',
      group: 'edge',
      targetType: 'instance',
      scheme: 'internal',
    });
    expect(annotationsOf({ ingressClass })).toEqual({ [alb('target-type')]: 'instance', [alb('group.name')]: 'edge' });
  });

  it('has all of the load balancer that props say', () => {
    const annotations = annotationsOf({
      metadata: { annotations: { owner: 'shop' } },
      scheme: 'internet-facing',
      group: { name: 'edge', order: 5 },
      listenPorts: [AlbListenPort.http(8080), AlbListenPort.https()],
      certificates: ['arn:a', 'arn:b'],
      sslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
      sslRedirect: true,
      wafAclArn: 'arn:waf',
      healthCheck: { path: '/healthz', interval: { toSeconds: () => 10 }, healthyThreshold: 3 },
      auth: AlbAuth.cognito({ userPoolArn: 'arn:pool', clientId: 'client', domain: 'shop' }),
    });
    expect(annotations).toEqual({
      owner: 'shop',
      [alb('target-type')]: 'ip',
      [alb('scheme')]: 'internet-facing',
      [alb('group.name')]: 'edge',
      [alb('group.order')]: '5',
      [alb('listen-ports')]: '[{"HTTP":8080},{"HTTPS":443}]',
      [alb('certificate-arn')]: 'arn:a,arn:b',
      [alb('ssl-policy')]: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
      [alb('ssl-redirect')]: '443',
      [alb('wafv2-acl-arn')]: 'arn:waf',
      [alb('healthcheck-path')]: '/healthz',
      [alb('healthcheck-interval-seconds')]: '10',
      [alb('healthy-threshold-count')]: '3',
      [alb('auth-type')]: 'cognito',
      [alb('auth-idp-cognito')]: '{"userPoolARN":"arn:pool","userPoolClientID":"client","userPoolDomain":"shop"}',
    });
  });

  it('is one of several, which Argo writes to in their order', () => {
    const objects = objectsOf({ ingresses: [{ scheme: 'internet-facing' }, {}, { metadata: { name: 'inner' } }] });
    const names = objects.ingresses.map(({ metadata }) => (metadata as { name?: string }).name);
    expect(names).toEqual(['web', 'web-2', 'inner']);
    expect(canaryOf(objects).trafficRouting!.alb).toEqual({ ingresses: names, servicePort: 80 });
    expect(canaryOf(objectsOf({ ingresses: [{}] })).trafficRouting!.alb).toEqual({ ingress: 'web', servicePort: 80 });
  });
});

describe('an annotation prefix', () => {
  it('of one’s own is a finding, because the load balancer controller reads one only', () => {
    const strategy = ArgoAlbStrategy.canary({ steps: [], annotationPrefix: 'alb.example.com' });
    const world = worldOf(objectsOf({ strategy }));
    expect(checkArgoAlb(world).map(({ rule }) => rule)).toEqual(['argo-alb-annotation-prefix']);
    expect(admissionFindings(world)).toEqual([]);
  });
});

describe('ArgoStep', () => {
  it('writes what the API has', () => {
    expect([
      ArgoStep.setWeight(20),
      ArgoStep.pause(),
      ArgoStep.pause(30),
      ArgoStep.pause('10m'),
      ArgoStep.pause({ toSeconds: () => 60 }),
      ArgoStep.setCanaryScale({ matchTrafficWeight: true }),
      ArgoStep.setHeaderRoute('beta', { 'x-beta': '1', 'x-region': ['eu', 'us'] }),
      ArgoStep.removeHeaderRoute('beta'),
      ArgoStep.experiment({ templates: [{ name: 'a', specRef: 'canary', weight: 5 }], duration: '5m' }),
      ArgoStep.analysis(['errors', { templateName: 'latency', clusterScope: true }], {
        args: { service: 'web' },
        dryRun: [{ metricName: 'p99' }],
      }),
      ArgoStep.analysis(['errors'], { args: [{ name: 'hash', valueFrom: { podTemplateHashValue: 'Latest' } }] }),
      ArgoStep.plugin('example.com/wait', { until: 'noon' }),
      ArgoStep.plugin('example.com/wait'),
    ]).toStrictEqual([
      { setWeight: 20 },
      { pause: {} },
      { pause: { duration: 30 } },
      { pause: { duration: '10m' } },
      { pause: { duration: 60 } },
      { setCanaryScale: { matchTrafficWeight: true } },
      {
        setHeaderRoute: {
          name: 'beta',
          match: [
            { headerName: 'x-beta', headerValue: { exact: '1' } },
            { headerName: 'x-region', headerValue: { exact: 'eu' } },
            { headerName: 'x-region', headerValue: { exact: 'us' } },
          ],
        },
      },
      { setHeaderRoute: { name: 'beta' } },
      { experiment: { templates: [{ name: 'a', specRef: 'canary', weight: 5 }], duration: '5m' } },
      {
        analysis: {
          templates: [{ templateName: 'errors' }, { templateName: 'latency', clusterScope: true }],
          args: [{ name: 'service', value: 'web' }],
          dryRun: [{ metricName: 'p99' }],
        },
      },
      {
        analysis: {
          templates: [{ templateName: 'errors' }],
          args: [{ name: 'hash', valueFrom: { podTemplateHashValue: 'Latest' } }],
        },
      },
      { plugin: { name: 'example.com/wait', config: { until: 'noon' } } },
      { plugin: { name: 'example.com/wait' } },
    ]);
  });

  it('does not lose a header that has no value', () => {
    expect(() => ArgoStep.setHeaderRoute('beta', { 'x-beta': '1', 'x-region': [] })).toThrow(
      'the header "x-region" of the route "beta" has no value',
    );
  });
});
