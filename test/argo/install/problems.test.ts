import { describe, expect, it, test } from 'vitest';
import { type ArgoInstallOptions, argoInstallProblems } from '../../../src/argo/install';
import { staticKeys, unusedPermissions } from '../../../src/argo/rules/permissions';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
import { parseManifests, World } from '../../../src/core';

const AWS = { verifyTargetGroup: true, region: 'eu-west-1' };
const plugin = (more: object = {}) => ({
  name: 'argoproj-labs/gatewayAPI',
  location: 'https://example.com/p',
  ...more,
});

/** What `aws.access` writes. */
const access = (more: object) =>
  ({ serviceAccountAnnotations: {}, podAnnotations: {}, namespaceAnnotations: {}, ...more }) as never;

describe('the options of an install', () => {
  test.each<[string, ArgoInstallOptions]>([
    ['nothing', {}],
    ['verification', { aws: AWS }],
    [
      'a region in the environment',
      { aws: { verifyTargetGroup: true }, extraEnv: [{ name: 'AWS_REGION', value: 'a' }] },
    ],
    [
      'another variable with it',
      { aws: { verifyTargetGroup: true }, extraEnv: [{ name: 'AWS_DEFAULT_REGION', value: 'a' }] },
    ],
    [
      'flags of AWS',
      { aws: { ...AWS, targetGroupBindingApiVersion: 'eks.amazonaws.com/v1', resourceIdTagKey: 'k'.repeat(128) } },
    ],
    ['an unstable API', { aws: { ...AWS, targetGroupBindingApiVersion: 'elbv2.k8s.aws/v1beta1' } }],
    ['plugins', { plugins: { steps: [plugin()], metricProviders: [plugin({ name: 'a/b', location: 'file:///b' })] } }],
    [
      'a digest of a plugin',
      { plugins: { trafficRouters: [plugin({ location: 'http://x', sha256: 'a'.repeat(64) })] } },
    ],
    ['notifications', { notifications: { config: { 'service.slack': 'x', A_1: 'y' } } }],
    ['an image', { image: { registry: 'registry.example.com:5000/mirror', repository: 'argoproj/argo-rollouts' } }],
    ['an instance', { instanceId: 'a'.repeat(63), kubernetesLogLevel: 0 }],
    ['classes', { albIngressClasses: ['alb', 'internal'], nginxIngressClasses: ['nginx'] }],
    [
      'volumes',
      {
        extraVolumes: [{ name: 'a' }],
        extraVolumeMounts: [
          { name: 'a', mountPath: '/a' },
          { name: 'tmp', mountPath: '/b' },
        ],
      },
    ],
    ['an account', { serviceAccountName: 'rollouts.of-shop' }],
    ['flags', { extraArgs: ['--rollout-threads=5', '--qps=1'] }],
  ])('may be %s', (_, options) => {
    expect(argoInstallProblems(options)).toEqual([]);
  });

  test.each<[ArgoInstallOptions, string]>([
    [{ aws: { verifyTargetGroup: true } }, 'aws.verifyTargetGroup is set, but no region: set aws.region'],
    [{ aws: { verifyTargetGroup: true }, extraEnv: [{ name: 'AWS', value: 'a' }] }, 'but no region'],
    [{ aws: { region: 'europe' } }, 'aws.region is "europe": must be a region'],
    [{ aws: AWS, trafficRouters: ['nginx'] }, 'but trafficRouters has no "alb"'],
    [{ aws: { resourceIdTagKey: 'a' } }, 'aws.resourceIdTagKey is set, but the controller verifies nothing'],
    [
      { aws: { targetGroupBindingApiVersion: 'a/v1' } },
      'aws.targetGroupBindingApiVersion is set, but the controller verifies',
    ],
    [
      { aws: { ...AWS, resourceIdTagKey: 'a' }, version: ArgoRolloutsVersion.V1_8_3 },
      'aws.resourceIdTagKey is set: v1.8.3 does not have the flag',
    ],
    [{ aws: { ...AWS, resourceIdTagKey: '' } }, 'aws.resourceIdTagKey is "": must have 1 to 128'],
    [{ aws: { ...AWS, resourceIdTagKey: 'k'.repeat(129) } }, 'must have 1 to 128 characters'],
    ...['v1', 'a/b', 'A/v1', 'a/v1gamma1', 'a/v1/b', '-a/v1'].map((api): [ArgoInstallOptions, string] => [
      { aws: { ...AWS, targetGroupBindingApiVersion: api } },
      `aws.targetGroupBindingApiVersion is "${api}": must be an API version`,
    ]),
    [
      {
        serviceAccountAnnotations: { a: 'x' },
        aws: { ...AWS, access: access({ serviceAccountAnnotations: { a: 'y' } }) },
      },
      'serviceAccountAnnotations has "a", which aws.access sets',
    ],
    [
      { podAnnotations: { a: 'x' }, aws: { ...AWS, access: access({ podAnnotations: { a: 'y' } }) } },
      'podAnnotations has "a"',
    ],
    [
      { namespaceAnnotations: { a: 'x' }, aws: { ...AWS, access: access({ namespaceAnnotations: { a: 'y' } }) } },
      'namespaceAnnotations has "a"',
    ],
    [
      { serviceAccountName: 'x', aws: { ...AWS, access: access({ serviceAccountAnnotations: { a: 'y' } }) } },
      'aws.access annotates the ServiceAccount (a), but "x" is not part',
    ],
    [{ albIngressClasses: [] }, 'albIngressClasses is empty: add a class'],
    [{ nginxIngressClasses: [] }, 'nginxIngressClasses is empty'],
    [
      { albIngressClasses: ['a, b'] },
      'albIngressClasses has "a, b": the controller does not split at commas; write ["a","b"]',
    ],
    [{ albIngressClasses: ['a', 'b', 'a', 'a'] }, 'albIngressClasses has "a" twice'],
    [
      { plugins: { steps: [plugin({ name: 'gateway' })] } },
      'plugins.steps[0].name is "gateway": must be a name such as',
    ],
    [
      { plugins: { metricProviders: [plugin(), plugin({ name: 'a/b', location: 'ftp://x' })] } },
      'plugins.metricProviders[1].location is "ftp://x": must begin with',
    ],
    [
      { plugins: { trafficRouters: [plugin({ location: 'http://x' })] } },
      'an attacker on the network could replace the program',
    ],
    [{ plugins: { trafficRouters: [plugin({ sha256: 'A'.repeat(64) })] } }, 'must be 64 hexadecimal digits'],
    [{ plugins: { trafficRouters: [plugin()], steps: [plugin()] } }, 'plugins has "argoproj-labs/gatewayAPI" twice'],
    [{ notifications: { config: { 'a b': 'x' } } }, 'notifications.config has the key "a b"'],
    [{ notifications: { secret: { 'a/b': 'x' } } }, 'notifications.secret has the key "a/b"'],
    [{ namespaced: true }, 'namespaced is set, but no namespace'],
    [{ namespace: 'A' }, 'namespace is "A"'],
    [{ replicas: 0, podDisruptionBudget: false }, 'replicas is 0'],
    [{ dashboard: { replicas: 0 } }, 'dashboard.replicas is 0'],
    [{ dashboard: { image: { tag: 'a b' } } }, 'dashboard.image.tag is "a b"'],
    [{ image: { registry: 'https://x' } }, 'image.registry is "https://x": must be a host'],
    [{ image: { repository: 'a:b' } }, 'image.repository is "a:b": must be an image without registry, tag and digest'],
    [{ serviceAccountName: 'A' }, 'serviceAccountName is "A": must be lower-case letters'],
    [
      { serviceAccountName: 'a', serviceAccountAnnotations: { a: 'b' } },
      'serviceAccountAnnotations are set, but the ServiceAccount "a" is not part',
    ],
    [{ instanceId: 'a b' }, 'instanceId is "a b": must be a valid label value'],
    [{ instanceId: 'a'.repeat(64) }, 'must be a valid label value'],
    [{ kubernetesLogLevel: -1 }, 'kubernetesLogLevel is -1: must be a whole number'],
    [{ kubernetesLogLevel: 0.5 }, 'kubernetesLogLevel is 0.5'],
    [{ healthPort: 80 }, 'healthPort is 80: must be a whole number from 1024'],
    [{ healthPort: 8090 }, 'healthPort is 8090, the same as the default metrics port 8090'],
    [{ healthPort: 9000, metrics: { port: 9000 } }, 'healthPort is 9000, the same as metrics.port'],
    [{ extraArgs: ['qps=1'] }, 'extraArgs has "qps=1": must be a flag such as'],
    [{ extraArgs: ['-qps=1'] }, 'must be a flag such as'],
    [{ extraArgs: ['--leader-elect=false'] }, 'which the install sets itself: leave it out'],
    ...Object.entries({
      namespace: 'namespace',
      namespaced: 'namespaced',
      'instance-id': 'instanceId',
      healthzPort: 'healthPort',
      metricsPort: 'metrics.port',
      metricsport: 'metrics.port',
      loglevel: 'logLevel',
      logformat: 'logFormat',
      kloglevel: 'kubernetesLogLevel',
      'alb-ingress-classes': 'albIngressClasses',
      'nginx-ingress-classes': 'nginxIngressClasses',
      'aws-verify-target-group': 'aws.verifyTargetGroup',
      'alb-verify-weight': 'aws.verifyTargetGroup',
      'aws-target-group-binding-api-version': 'aws.targetGroupBindingApiVersion',
      'alb-tag-key-resource-id': 'aws.resourceIdTagKey',
      'self-service-notification-enabled': 'notifications.selfService',
    }).map(([flag, option]): [ArgoInstallOptions, string] => [
      { extraArgs: [`--${flag}`] },
      `which the install sets itself: set ${option} instead`,
    ]),
    [{ extraArgs: ['--help'] }, 'which does not run a controller: remove it'],
    [{ extraArgs: ['--version'] }, 'which does not run a controller: remove it'],
    [{ extraArgs: ['--aws-region=x'] }, 'would exit: set aws.region instead'],
    [
      { extraArgs: ['--rollout-thread=5'] },
      'a flag that v1.9.1 does not have, so the controller would exit: did you mean "--rollout-threads"?',
    ],
    [
      {
        extraEnv: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
      'extraEnv has A twice',
    ],
    [
      { extraEnv: [{ name: 'POD_NAMESPACE', value: 'a' }] },
      'extraEnv has POD_NAMESPACE, which names of the install depend on',
    ],
    [{ aws: AWS, extraEnv: [{ name: 'AWS_REGION', value: 'a' }] }, 'extraEnv has AWS_REGION, which aws.region sets'],
    [{ extraEnv: [{ name: 'ROLLOUT_VERIFY_RETRY_INTERVAL', value: '5' }] }, 'calls AWS without a pause; remove it'],
    [
      { labels: { 'app.kubernetes.io/name': 'x' } },
      'labels has "app.kubernetes.io/name", which the install uses in its selectors',
    ],
    [{ podLabels: { 'app.kubernetes.io/name': 'x' } }, 'podLabels has "app.kubernetes.io/name"'],
    [{ extraVolumes: [{ name: 'tmp' }] }, 'extraVolumes has "tmp", which already exists'],
    [{ extraVolumes: [{ name: 'plugin-bin' }] }, 'extraVolumes has "plugin-bin", which already exists'],
    [{ extraVolumeMounts: [{ name: 'x', mountPath: '/x' }] }, 'extraVolumeMounts has "x", but there is no such volume'],
  ])('may not be %j', (options, problem) => {
    const problems = argoInstallProblems(options);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });
});

describe('what a construct knows of permissions', () => {
  const account = { namespace: 'rollouts', name: 'controller' };
  const deployment = (more: { args?: string; account?: string; annotations?: string } = {}) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: argo-rollouts, namespace: rollouts}
spec:
  template:
    metadata: {annotations: {${more.annotations ?? ''}}}
    spec: {serviceAccountName: ${more.account ?? 'controller'}, containers: [{name: a, image: 'quay.io/argoproj/argo-rollouts:v1.9.1', args: [${more.args ?? ''}]}]}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: controller, namespace: rollouts, annotations: {role: arn}}
`;
  const worldOf = (yaml: string) => World.of(parseManifests(yaml, 'a.yaml').manifests);
  const unused = (yaml: string, more: object = {}) =>
    unusedPermissions(
      worldOf(yaml),
      { serviceAccount: account, serviceAccountAnnotations: {}, podAnnotations: {}, isAssociated: false, ...more },
      'app/role',
    ).map(({ rule, construct }) => `${rule} ${construct}`);

  it('is that a controller has them and does not verify', () => {
    expect(unused(deployment())).toEqual(['argo-verification-off app/role']);
    expect(unused(deployment({ args: '--aws-verify-target-group' }))).toEqual([]);
    expect(unused(deployment({ account: 'other' }))).toEqual([]);
    expect(unused(deployment().replaceAll('namespace: rollouts', 'namespace: other'))).toEqual([]);
  });

  it('is left to the checks of the stack where these see it', () => {
    expect(unused(deployment(), { isAssociated: true })).toEqual([]);
    expect(unused(deployment(), { serviceAccountAnnotations: { role: 'arn' } })).toEqual([]);
    expect(unused(deployment(), { serviceAccountAnnotations: { role: 'other' } })).toHaveLength(1);
    expect(unused(deployment({ annotations: 'role: arn' }), { podAnnotations: { role: 'arn' } })).toEqual([]);
    expect(unused(deployment({ annotations: 'role: x' }), { podAnnotations: { role: 'arn' } })).toHaveLength(1);
  });

  it('is that keys do not expire, where no controller tells it', () => {
    expect(staticKeys(worldOf(deployment()), account, 'app/keys')).toEqual([]);
    expect(staticKeys(worldOf(deployment({ account: 'other' })), account, 'app/keys')).toMatchObject([
      {
        rule: 'argo-verification-static-key',
        construct: 'app/keys',
        message: 'ServiceAccount "controller" in "rollouts" verifies target groups with keys that do not expire',
      },
    ]);
  });
});
