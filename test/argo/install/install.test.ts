import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { admissionFindings } from '../../../src/argo/admission';
import {
  type ArgoInstallOptions,
  type ArgoTrafficRouter,
  argoInstall,
  argoInstallProblems,
} from '../../../src/argo/install';
import { TRAFFIC_ROUTERS } from '../../../src/argo/install/router-rules';
import { checkArgoAlb } from '../../../src/argo/rules';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
import { AwsAccess } from '../../../src/aws';
import { Manifest, World } from '../../../src/core';
import { schemaProblems } from '../../kubernetes-schema';
import { granted, without } from './permissions';

// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds
type Objects = any[];

const install = (options: ArgoInstallOptions = {}): Objects => argoInstall({ crds: 'skip', ...options });
const find = (objects: Objects, kind: string, name = 'argo-rollouts') =>
  objects.find((object) => object.kind === kind && object.metadata.name === name);
const podOf = (objects: Objects) => find(objects, 'Deployment').spec.template;
const containerOf = (objects: Objects) => podOf(objects).spec.containers[0];

/** Findings of an install. */
function findingsOf(objects: Objects) {
  const world = World.of(objects.map((object) => Manifest.of(object)));
  return [...world.findings, ...admissionFindings(world), ...checkArgoAlb(world)];
}

const WITH_ROLE: ArgoInstallOptions = {
  aws: { verifyTargetGroup: true, region: 'eu-west-1' },
  serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/rollouts' },
};

describe('the contents of an install', () => {
  it.each<[string, ArgoInstallOptions, string[]]>([
    [
      'a cluster',
      { crds: 'keep' },
      [
        'Namespace argo-rollouts',
        'CustomResourceDefinition analysisruns.argoproj.io',
        'CustomResourceDefinition analysistemplates.argoproj.io',
        'CustomResourceDefinition clusteranalysistemplates.argoproj.io',
        'CustomResourceDefinition experiments.argoproj.io',
        'CustomResourceDefinition rollouts.argoproj.io',
        'ServiceAccount argo-rollouts',
        'Role argo-rollouts',
        'RoleBinding argo-rollouts',
        'ClusterRole argo-rollouts',
        'ClusterRoleBinding argo-rollouts',
        'ClusterRole argo-rollouts-aggregate-to-view',
        'ClusterRole argo-rollouts-aggregate-to-edit',
        'ClusterRole argo-rollouts-aggregate-to-admin',
        'ConfigMap argo-rollouts-config',
        'Deployment argo-rollouts',
        'PodDisruptionBudget argo-rollouts',
        'Service argo-rollouts-metrics',
      ],
    ],
    [
      'a namespace, which takes no rights beyond it',
      { crds: undefined as never, namespaced: true, namespace: 'shop' },
      [
        'ServiceAccount argo-rollouts',
        'Role argo-rollouts',
        'RoleBinding argo-rollouts',
        'ConfigMap argo-rollouts-config',
        'Deployment argo-rollouts',
        'PodDisruptionBudget argo-rollouts',
        'Service argo-rollouts-metrics',
      ],
    ],
    [
      'as little as can be',
      {
        createNamespace: false,
        aggregateRoles: false,
        serviceAccountName: 'made-elsewhere',
        replicas: 1,
        metrics: false,
      },
      [
        'Role argo-rollouts',
        'RoleBinding argo-rollouts',
        'ClusterRole argo-rollouts',
        'ClusterRoleBinding argo-rollouts',
        'ConfigMap argo-rollouts-config',
        'Deployment argo-rollouts',
      ],
    ],
    [
      'a dashboard of one namespace',
      { namespaced: true, namespace: 'shop', dashboard: {}, replicas: 1, metrics: false },
      [
        'ServiceAccount argo-rollouts',
        'Role argo-rollouts',
        'RoleBinding argo-rollouts',
        'ConfigMap argo-rollouts-config',
        'Deployment argo-rollouts',
        'ServiceAccount argo-rollouts-dashboard',
        'Role argo-rollouts-dashboard',
        'RoleBinding argo-rollouts-dashboard',
        'Service argo-rollouts-dashboard',
        'Deployment argo-rollouts-dashboard',
      ],
    ],
  ])('of %s', (_, options, expected) => {
    const objects = install(options);
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(expected);
    expect(argoInstallProblems(options)).toEqual([]);
    expect(findingsOf(objects)).toEqual([]);
  });

  it('the API server accepts every object', () => {
    const objects = [
      ...argoInstall({
        ...WITH_ROLE,
        dashboard: { rootPath: 'argo' },
        metrics: { serviceMonitor: { interval: '30s' } },
      }),
      ...argoInstall({
        namespaced: true,
        namespace: 'shop',
        dashboard: { readOnly: true },
        plugins: { steps: [{ name: 'acme/step', location: 'file:///plugins/step' }] },
        notifications: { config: { 'service.slack': 'token: $slack-token' }, secret: { 'slack-token': 'x' } },
      }),
    ];
    expect(objects.flatMap((object) => schemaProblems(Manifest.of(object)))).toEqual([]);
  });

  it('every object outside the namespace of the controller has no namespace', () => {
    const namespaces = install({ namespace: 'delivery', dashboard: {}, notifications: { config: {}, secret: {} } }).map(
      ({ kind, metadata }) => `${metadata.namespace ?? kind}`,
    );
    expect([...new Set(namespaces)].sort()).toEqual(['ClusterRole', 'ClusterRoleBinding', 'Namespace', 'delivery']);
    const subjects = install({ namespace: 'delivery', dashboard: {} }).flatMap((object) => object.subjects ?? []);
    expect(new Set(subjects.map(({ namespace }: Objects[number]) => namespace))).toEqual(new Set(['delivery']));
  });
});

describe('the CRDs', () => {
  const crds = (options: ArgoInstallOptions) =>
    argoInstall(options).filter(({ kind }) => kind === 'CustomResourceDefinition');

  it('are kept when the rest is removed, and use server-side apply', () => {
    for (const { metadata } of crds({ labels: { team: 'platform' } })) {
      expect(metadata.labels).toEqual({ team: 'platform' });
      expect(metadata.annotations).toEqual({
        'helm.sh/resource-policy': 'keep',
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false,ServerSideApply=true',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      });
    }
  });

  it('would fit into the annotation of a client-side apply, unlike those of upstream', () => {
    for (const crd of crds({})) expect(JSON.stringify(crd).length).toBeLessThan(262_144);
  });

  it('may be removed with the rest, or come from elsewhere', () => {
    for (const { metadata } of crds({ crds: 'remove' })) {
      expect(metadata.annotations).toEqual({ 'argocd.argoproj.io/sync-options': 'ServerSideApply=true' });
    }
    expect(crds({ crds: 'skip' })).toEqual([]);
    expect(crds({ namespaced: true, namespace: 'shop' })).toEqual([]);
    expect(crds({ namespaced: true, namespace: 'shop', crds: 'keep' })).toHaveLength(5);
  });
});

describe('the permissions', () => {
  const rights = (options: ArgoInstallOptions = {}) => granted(install(options), 'ClusterRole');
  const none = rights({ trafficRouters: [] });

  it.each<[ArgoTrafficRouter, string[]]>([
    ['alb', ['networking.k8s.io/ingresses patch,update']],
    [
      'ambassador',
      [
        'getambassador.io/ambassadormappings create,delete,get,update',
        'getambassador.io/mappings create,delete,get,update',
        'x.getambassador.io/ambassadormappings create,delete,get,update',
        'x.getambassador.io/mappings create,delete,get,update',
      ],
    ],
    ['apisix', ['apisix.apache.org/apisixroutes create,delete,get,update']],
    [
      'appMesh',
      [
        'appmesh.k8s.aws/virtualnodes get,update',
        'appmesh.k8s.aws/virtualrouters get,update',
        'appmesh.k8s.aws/virtualservices get',
      ],
    ],
    ['contour', ['projectcontour.io/httpproxies get,list,update,watch']],
    [
      'gatewayApi',
      [
        '/configmaps create,get,update',
        'gateway.networking.k8s.io/grpcroutes get,list,update,watch',
        'gateway.networking.k8s.io/httproutes get,list,update,watch',
        'gateway.networking.k8s.io/tcproutes get,list,update,watch',
        'gateway.networking.k8s.io/tlsroutes get,list,update,watch',
        'gateway.networking.k8s.io/udproutes get,list,update,watch',
      ],
    ],
    ['glooPlatform', ['networking.gloo.solo.io/routetables get,list,patch,update,watch']],
    [
      'istio',
      [
        'networking.istio.io/destinationrules get,list,update,watch',
        'networking.istio.io/virtualservices get,list,update,watch',
      ],
    ],
    ['nginx', ['networking.k8s.io/ingresses create,patch']],
    ['smi', ['split.smi-spec.io/trafficsplits create,get,patch']],
    ['traefik', ['traefik.containo.us/traefikservices get,update', 'traefik.io/traefikservices get,update']],
  ])('for %s are only those', (router, expected) => {
    expect(without(rights({ trafficRouters: [router] }), none)).toEqual(expected);
  });

  it('support every router', () => {
    expect(TRAFFIC_ROUTERS).toHaveLength(11);
    expect(argoInstallProblems({ trafficRouters: TRAFFIC_ROUTERS as ArgoTrafficRouter[] })).toEqual([]);
  });

  it('are by default those of the built-in routers', () => {
    const groups = new Set([...rights()].map((entry) => entry.split('/')[0]));
    expect(groups.has('appmesh.k8s.aws')).toBe(true);
    expect(groups.has('gateway.networking.k8s.io')).toBe(false);
  });

  it('to watch Ingresses and Jobs always exist: without them the controller does not start', () => {
    const bare = rights({ trafficRouters: [], permissions: { analysisJobs: false, analysisSecrets: false } });
    for (const resource of ['networking.k8s.io/ingresses', 'batch/jobs']) {
      expect([...bare].filter((entry) => entry.startsWith(`${resource} `)).sort()).toEqual(
        ['get', 'list', 'watch'].map((verb) => `${resource} ${verb}`),
      );
    }
  });

  it('on target groups come with the verification, in the API of the option', () => {
    const alb = rights({ trafficRouters: ['alb'] });
    const aws = { verifyTargetGroup: true, region: 'eu-west-1' };
    expect(without(rights({ trafficRouters: ['alb'], aws }), alb)).toEqual([
      '/endpoints get',
      'elbv2.k8s.aws/targetgroupbindings get,list',
    ]);
    const auto = { ...aws, targetGroupBindingApiVersion: 'eks.amazonaws.com/v1' };
    expect(without(rights({ trafficRouters: ['alb'], aws: auto }), alb)).toEqual([
      '/endpoints get',
      'eks.amazonaws.com/targetgroupbindings get,list',
    ]);
  });

  it('on Secrets and Jobs can be removed', () => {
    expect(without(none, rights({ trafficRouters: [], permissions: { analysisSecrets: false } }))).toEqual([
      '/secrets get',
    ]);
    expect(without(none, rights({ trafficRouters: [], permissions: { analysisJobs: false } }))).toEqual([
      'batch/jobs create,delete',
    ]);
  });

  it('on ConfigMaps and Secrets of all namespaces come with self-service notifications', () => {
    expect(without(rights({ trafficRouters: [], notifications: { selfService: true } }), none)).toEqual([
      '/configmaps list,watch',
      '/secrets list,watch',
    ]);
  });

  it('of a namespaced install are in one Role, without cluster-scoped resources', () => {
    const role = granted(install({ namespaced: true, namespace: 'shop' }), 'Role');
    expect([...role].filter((entry) => entry.includes('clusteranalysistemplates'))).toEqual([]);
    // It has the rest of the ClusterRole.
    const cluster = [...rights()].filter((entry) => !entry.includes('clusteranalysistemplates'));
    expect(cluster.filter((entry) => !role.has(entry))).toEqual([]);
  });

  it('are followed by custom rules', () => {
    const additionalRules = [{ apiGroups: ['acme.io'], resources: ['routes'], verbs: ['update'] }];
    expect(without(rights({ trafficRouters: [], additionalRules }), none)).toEqual(['acme.io/routes update']);
  });

  it('of a read-only dashboard have no writing verb', () => {
    const verbs = (dashboard: ArgoInstallOptions['dashboard']) =>
      new Set(
        [...granted(install({ dashboard }), 'ClusterRole', 'argo-rollouts-dashboard')].map(
          (entry) => entry.split(' ')[1],
        ),
      );
    expect(verbs({ readOnly: true })).toEqual(new Set(['get', 'list', 'watch']));
    expect(verbs({})).toEqual(new Set(['get', 'list', 'watch', 'patch', 'update']));
  });
});

describe('the process', () => {
  const args = (options: ArgoInstallOptions) => containerOf(install(options)).args;

  it('has by default only the flag of leader election', () => {
    expect(args({})).toEqual(['--leader-elect=true']);
  });

  it.each<[ArgoInstallOptions, string[]]>([
    [{ namespaced: true, namespace: 'shop' }, ['--namespaced']],
    [{ instanceId: 'blue' }, ['--instance-id=blue']],
    [{ healthPort: 9080 }, ['--healthzPort=9080']],
    [{ metrics: { port: 9090 } }, ['--metricsPort=9090']],
    [{ metrics: { port: 9090 }, version: ArgoRolloutsVersion.V1_8_3 }, ['--metricsport=9090']],
    [
      { logLevel: 'debug', logFormat: 'json', kubernetesLogLevel: 0 },
      ['--loglevel=debug', '--logformat=json', '--kloglevel=0'],
    ],
    [
      { albIngressClasses: ['alb', 'internal', ''] },
      ['alb', 'internal', ''].map((name) => `--alb-ingress-classes=${name}`),
    ],
    [{ nginxIngressClasses: ['nginx', 'edge'] }, ['--nginx-ingress-classes=nginx', '--nginx-ingress-classes=edge']],
    [{ aws: { verifyTargetGroup: true, region: 'eu-west-1' } }, ['--aws-verify-target-group']],
    [{ aws: { verifyTargetGroup: false } }, []],
    [
      {
        aws: {
          verifyTargetGroup: true,
          region: 'eu-west-1',
          targetGroupBindingApiVersion: 'eks.amazonaws.com/v1',
          resourceIdTagKey: 'ingress.eks.amazonaws.com/resource',
        },
      },
      [
        '--aws-verify-target-group',
        '--aws-target-group-binding-api-version=eks.amazonaws.com/v1',
        '--alb-tag-key-resource-id=ingress.eks.amazonaws.com/resource',
      ],
    ],
    [{ notifications: { selfService: true } }, ['--self-service-notification-enabled']],
    [{ extraArgs: ['--rollout-threads=20', '--qps=80'] }, ['--rollout-threads=20', '--qps=80']],
  ])('%j', (options, expected) => {
    expect(args(options)).toEqual(['--leader-elect=true', ...expected]);
    expect(argoInstallProblems(options)).toEqual([]);
  });

  it('uses only flags of its release', () => {
    for (const version of ArgoRolloutsVersion.ALL) {
      const aws = {
        verifyTargetGroup: true,
        region: 'eu-west-1',
        ...(version.facts.awsApiFlags
          ? { targetGroupBindingApiVersion: 'eks.amazonaws.com/v1', resourceIdTagKey: 'a' }
          : {}),
      };
      const options: ArgoInstallOptions = {
        version,
        aws,
        namespaced: true,
        namespace: 'shop',
        instanceId: 'a',
        healthPort: 9080,
        metrics: { port: 9090 },
        logLevel: 'warn',
        logFormat: 'text',
        kubernetesLogLevel: 1,
        albIngressClasses: [''],
        nginxIngressClasses: [''],
        notifications: { selfService: true },
      };
      expect(argoInstallProblems(options)).toEqual([]);
      const names = args(options).map((arg: string) => /^--([^=]+)/.exec(arg)?.[1]);
      expect(names.filter((name: string) => !version.facts.flags.includes(name))).toEqual([]);
      expect(names).toHaveLength(version.facts.awsApiFlags ? 14 : 12);
    }
  });

  it('gets its region from the environment, before other variables', () => {
    const env = [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }];
    expect(containerOf(install({ ...WITH_ROLE, extraEnv: env })).env).toEqual([
      { name: 'AWS_REGION', value: 'eu-west-1' },
      ...env,
    ]);
    expect(containerOf(install()).env).toBeUndefined();
  });

  it('is probed at the port that it serves', () => {
    const container = containerOf(install({ healthPort: 9080, metrics: { port: 9090 } }));
    expect(container.ports).toEqual([
      { name: 'metrics', containerPort: 9090, protocol: 'TCP' },
      { name: 'healthz', containerPort: 9080, protocol: 'TCP' },
    ]);
    expect([container.livenessProbe.httpGet.port, container.readinessProbe.httpGet.port]).toEqual([
      'healthz',
      'healthz',
    ]);
  });

  it('runs as the given ServiceAccount', () => {
    const objects = install({ serviceAccountName: 'made-elsewhere' });
    expect(podOf(objects).spec.serviceAccountName).toBe('made-elsewhere');
    expect(find(objects, 'ClusterRoleBinding').subjects[0].name).toBe('made-elsewhere');
    expect(find(objects, 'RoleBinding').subjects[0].name).toBe('made-elsewhere');
    expect(find(objects, 'ServiceAccount')).toBeUndefined();
  });
});

describe('access to AWS', () => {
  const aws = { verifyTargetGroup: true, region: 'eu-west-1' };
  const provider = 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD';

  it('is on the ServiceAccount with IRSA', () => {
    const objects = install({ aws: { ...aws, access: AwsAccess.irsa({ provider }) } });
    expect(find(objects, 'ServiceAccount').metadata.annotations).toEqual({
      'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/argo-rollouts-verification',
    });
    expect(findingsOf(objects)).toEqual([]);
  });

  it('is on pods and namespace with kiam', () => {
    const access = AwsAccess.kiam({ trustedRoles: ['arn:aws:iam::111122223333:role/kiam'] });
    const objects = install({
      aws: { ...aws, access },
      podAnnotations: { team: 'a' },
      namespaceAnnotations: { b: 'c' },
    });
    expect(podOf(objects).metadata.annotations).toEqual({
      'iam.amazonaws.com/role': 'argo-rollouts-verification',
      team: 'a',
    });
    expect(find(objects, 'Namespace').metadata.annotations).toEqual({
      'iam.amazonaws.com/permitted': 'argo-rollouts-verification',
      b: 'c',
    });
  });

  it('is in the environment with keys', () => {
    const access = AwsAccess.staticKeys({ secretName: 'keys' });
    const names = containerOf(install({ aws: { ...aws, access } })).env.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);
  });
});

describe('the pods', () => {
  it('comply with the restricted Pod Security Standard', () => {
    const { spec } = podOf(install());
    expect(spec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(spec.containers[0].securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    });
    expect(find(install(), 'Namespace').metadata.labels['pod-security.kubernetes.io/enforce']).toBe('restricted');
    const own = install({ namespaced: true, namespace: 'shop', createNamespace: true });
    expect(find(own, 'Namespace', 'shop').metadata.labels).toEqual({ 'app.kubernetes.io/name': 'argo-rollouts' });
  });

  it('are scheduled as configured', () => {
    const options: ArgoInstallOptions = {
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [{ key: 'system', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      topologySpreadConstraints: [],
      priorityClassName: 'system-cluster-critical',
      imagePullSecrets: ['registry'],
    };
    const { spec } = podOf(install(options));
    expect(spec).toMatchObject({ ...options, imagePullSecrets: [{ name: 'registry' }] });
    const dashboard = find(install({ ...options, dashboard: {} }), 'Deployment', 'argo-rollouts-dashboard');
    expect(dashboard.spec.template.spec).toMatchObject({
      nodeSelector: options.nodeSelector,
      tolerations: options.tolerations,
      imagePullSecrets: [{ name: 'registry' }],
    });
    const other = { nodeSelector: {}, tolerations: [], affinity: {} };
    const elsewhere = find(install({ ...options, dashboard: other }), 'Deployment', 'argo-rollouts-dashboard');
    expect(elsewhere.spec.template.spec.nodeSelector).toBeUndefined();
    expect(elsewhere.spec.template.spec.affinity).toEqual({});
  });

  it('have the image of the release, or that of a mirror', () => {
    const { V1_9_0 } = ArgoRolloutsVersion;
    const images = (options: ArgoInstallOptions) =>
      install({ dashboard: {}, ...options })
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ spec }) => spec.template.spec.containers[0].image);
    expect(images({ version: V1_9_0 })).toEqual([
      'quay.io/argoproj/argo-rollouts:v1.9.0',
      'quay.io/argoproj/kubectl-argo-rollouts:v1.9.0',
    ]);
    const digest = `sha256:${'a'.repeat(64)}`;
    const registry = 'registry.example.com:5000/mirror';
    const mirrored = { image: { registry, tag: 'v1', digest }, dashboard: { image: { registry, repository: 'argo' } } };
    expect(argoInstallProblems(mirrored)).toEqual([]);
    expect(images(mirrored)).toEqual([
      `registry.example.com:5000/mirror/argoproj/argo-rollouts:v1@${digest}`,
      'registry.example.com:5000/mirror/argo:v1.9.1',
    ]);
  });

  it('have custom volumes in addition to those of the install', () => {
    const options: ArgoInstallOptions = {
      extraVolumes: [{ name: 'plugins', emptyDir: {} }],
      extraVolumeMounts: [{ name: 'plugins', mountPath: '/plugins' }],
      initContainers: [
        { name: 'fetch', image: 'acme/fetch:1', volumeMounts: [{ name: 'plugins', mountPath: '/plugins' }] },
      ],
    };
    const { spec } = podOf(install(options));
    expect(spec.volumes.map(({ name }: { name: string }) => name)).toEqual(['plugin-bin', 'tmp', 'plugins']);
    expect(spec.containers[0].volumeMounts.at(-1)).toEqual({ name: 'plugins', mountPath: '/plugins' });
    expect(spec.initContainers).toEqual(options.initContainers);
    expect(argoInstallProblems(options)).toEqual([]);
  });

  it('a budget comes with the second replica', () => {
    expect(find(install(), 'PodDisruptionBudget').spec.maxUnavailable).toBe(1);
    expect(find(install({ replicas: 1 }), 'PodDisruptionBudget')).toBeUndefined();
    expect(find(install({ podDisruptionBudget: false }), 'PodDisruptionBudget')).toBeUndefined();
    expect(find(install({ podDisruptionBudget: { minAvailable: '50%' } }), 'PodDisruptionBudget').spec).toMatchObject({
      minAvailable: '50%',
    });
  });
});

describe('related objects', () => {
  it('selectors match the pods, for any labels', () => {
    const labels = { team: 'platform' };
    const objects = install({ labels, podLabels: { 'team.acme.io/cost': 'a' }, dashboard: {} });
    for (const [name, main] of [
      ['argo-rollouts', 'argo-rollouts-metrics'],
      ['argo-rollouts-dashboard', 'argo-rollouts-dashboard'],
    ] as const) {
      const { selector, template } = find(objects, 'Deployment', name).spec;
      expect(template.metadata.labels).toMatchObject(selector.matchLabels);
      expect(template.metadata.labels).toMatchObject(find(objects, 'Service', main).spec.selector);
    }
    expect(objects.filter(({ metadata }) => metadata.labels.team !== 'platform')).toEqual([]);
    expect(podOf(objects).metadata.labels['team.acme.io/cost']).toBe('a');
  });

  it('metrics: container, Service and ServiceMonitor', () => {
    const metrics = {
      port: 9090,
      serviceAnnotations: { 'prometheus.io/scrape': 'true' },
      serviceMonitor: { labels: { release: 'prometheus' }, interval: '30s', scrapeTimeout: '10s' },
    };
    const objects = install({ metrics });
    const service = find(objects, 'Service', 'argo-rollouts-metrics');
    const monitor = find(objects, 'ServiceMonitor');
    expect(service.metadata.annotations).toEqual(metrics.serviceAnnotations);
    expect(service.spec.ports[0]).toMatchObject({ port: 9090, targetPort: 'metrics' });
    expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels);
    expect(monitor.metadata.labels).toEqual({ release: 'prometheus' });
    expect(monitor.spec).toMatchObject({
      namespaceSelector: { matchNames: ['argo-rollouts'] },
      endpoints: [{ port: service.spec.ports[0].name, path: '/metrics', interval: '30s', scrapeTimeout: '10s' }],
    });
  });

  it('plugins: the ConfigMap that the controller reads once, and pods that roll with it', () => {
    const sha256 = 'b'.repeat(64);
    const plugins = {
      trafficRouters: [
        {
          name: 'argoproj-labs/gatewayAPI',
          location: 'https://example.com/gateway',
          sha256,
          headersFromSecrets: ['token'],
        },
      ],
      metricProviders: [{ name: 'acme/metrics', location: 'file:///plugins/metrics', args: ['-l', 'debug'] }],
      steps: [{ name: 'acme/step', location: 'file:///plugins/step' }],
    };
    expect(argoInstallProblems({ plugins })).toEqual([]);
    const objects = install({ plugins });
    const { data } = find(objects, 'ConfigMap', 'argo-rollouts-config');
    expect(Object.keys(data)).toEqual(['metricProviderPlugins', 'stepPlugins', 'trafficRouterPlugins']);
    expect(parse(data.trafficRouterPlugins)).toEqual([
      {
        name: 'argoproj-labs/gatewayAPI',
        location: 'https://example.com/gateway',
        sha256,
        headersFrom: [{ secretRef: { name: 'token' } }],
      },
    ]);
    expect(parse(data.metricProviderPlugins)).toEqual(plugins.metricProviders);
    expect(parse(data.stepPlugins)).toEqual(plugins.steps);
    const checksum = (options: ArgoInstallOptions) =>
      podOf(install(options)).metadata.annotations?.['rollout-constructs.io/argo-config-checksum'];
    expect(checksum({ plugins })).toMatch(/^[0-9a-f]{64}$/);
    expect(checksum({ plugins })).toBe(checksum({ plugins: { ...plugins } }));
    expect(checksum({ plugins: { steps: plugins.steps } })).not.toBe(checksum({ plugins }));
    expect(checksum({})).toBeUndefined();
  });

  it('notifications: under the names that the controller reads', () => {
    const config = { 'trigger.on-aborted': '- send: [aborted]' };
    const objects = install({ notifications: { config, secret: { 'slack-token': 'x' } } });
    expect(find(objects, 'ConfigMap', 'argo-rollouts-notification-configmap').data).toEqual(config);
    expect(find(objects, 'Secret', 'argo-rollouts-notification-secret')).toMatchObject({
      type: 'Opaque',
      stringData: { 'slack-token': 'x' },
    });
    // Without content, neither is created.
    expect(install().filter(({ metadata }) => metadata.name.includes('notification'))).toEqual([]);
  });

  it('the dashboard: path, pods and Service', () => {
    const dashboard = {
      replicas: 2,
      rootPath: 'argo',
      resources: { limits: { cpu: 1 } },
      serviceAnnotations: { a: 'b' },
      affinity: { podAffinity: {} },
    };
    const objects = install({ dashboard });
    const { spec } = find(objects, 'Deployment', 'argo-rollouts-dashboard');
    expect(spec.replicas).toBe(2);
    expect(spec.template.spec.affinity).toEqual(dashboard.affinity);
    expect(spec.template.spec.containers[0]).toMatchObject({
      args: ['dashboard', '--root-path=argo'],
      resources: dashboard.resources,
    });
    const service = find(objects, 'Service', 'argo-rollouts-dashboard');
    expect(service.metadata.annotations).toEqual({ a: 'b' });
    expect(service.spec.ports[0].targetPort).toBe(spec.template.spec.containers[0].ports[0].name);
  });
});

describe('any flag of a user', () => {
  const { facts } = ArgoRolloutsVersion.LATEST;

  it('is accepted only if the release has it and the install does not write it', () => {
    const written = new Set(
      facts.flags.filter((flag) => argoInstallProblems({ extraArgs: [`--${flag}=1`] }).length > 0),
    );
    expect([...written].sort()).toEqual([
      'alb-ingress-classes',
      'alb-tag-key-resource-id',
      'alb-verify-weight',
      'aws-target-group-binding-api-version',
      'aws-verify-target-group',
      'healthzPort',
      'help',
      'instance-id',
      'kloglevel',
      'leader-elect',
      'logformat',
      'loglevel',
      'metricsPort',
      'metricsport',
      'namespace',
      'namespaced',
      'nginx-ingress-classes',
      'self-service-notification-enabled',
      'version',
    ]);
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-zA-Z-]{0,20}$/), (flag) => {
        const taken = facts.flags.includes(flag) && !written.has(flag);
        expect(argoInstallProblems({ extraArgs: [`--${flag}`] })).toHaveLength(taken ? 0 : 1);
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it('similar to a known one gives a suggestion', () => {
    const problem = (flag: string) => argoInstallProblems({ extraArgs: [flag] })[0];
    expect(problem('--rollout-thread=20')).toContain('did you mean "--rollout-threads"?');
    expect(problem('--rollout-Threads=20')).toContain('did you mean "--rollout-threads"?');
  });
});
