import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  ArgoRolloutsInstall,
  AwsAccess,
  IamObjects,
  TargetGroupVerificationPolicy,
  type TargetGroupVerificationPolicyProps,
} from '../../src/constructs';

const PROVIDER = 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD';
const IRSA = AwsAccess.irsa({ provider: PROVIDER });
const POD_IDENTITY = AwsAccess.podIdentity({ clusterName: 'shop' });

function verificationOf(props: Partial<TargetGroupVerificationPolicyProps> = {}) {
  const chart = new Chart(Testing.app(), 'test');
  const verification = new TargetGroupVerificationPolicy(chart, 'Verification', {
    region: 'eu-west-1',
    access: IRSA,
    ...props,
  });
  return { chart, verification };
}

/** The controller without an install, as Helm makes it. */
function addController(chart: Chart, args: readonly string[], serviceAccountName = 'argo-rollouts') {
  new ApiObject(chart, 'Controller', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'argo-rollouts', namespace: 'argo-rollouts' },
    spec: {
      selector: { matchLabels: { app: 'argo-rollouts' } },
      template: {
        metadata: { labels: { app: 'argo-rollouts' } },
        spec: {
          serviceAccountName,
          containers: [
            {
              name: 'argo-rollouts',
              image: 'quay.io/argoproj/argo-rollouts:v1.9.1',
              args,
              env: [{ name: 'AWS_REGION', value: 'eu-west-1' }],
            },
          ],
        },
      },
    },
  });
}

const rulesOf = (verification: TargetGroupVerificationPolicy) => verification.findings().map(({ rule }) => rule);

afterEach(() => {
  vi.restoreAllMocks();
});

describe('TargetGroupVerificationPolicy', () => {
  test('makes no object unless asked to, and has the documents', () => {
    const { chart, verification } = verificationOf();
    expect(Testing.synth(chart)).toEqual([]);
    expect(JSON.parse(verification.toJson())).toEqual(verification.document);
    expect(JSON.parse(verification.trustPolicyJson()!)).toEqual(verification.trustPolicy);
    expect(verification.toJson()).toContain('\n  "Statement": [');
  });

  test('names the ServiceAccount in the trust policy', () => {
    const serviceAccount = { namespace: 'platform', name: 'rollouts' };
    const { verification } = verificationOf({ serviceAccount });
    expect(verification.trustPolicyJson()).toContain('"system:serviceaccount:platform:rollouts"');
    expect(verification.installProps).toMatchObject({
      namespace: 'platform',
      serviceAccountName: 'rollouts',
      aws: { access: { serviceAccountAnnotations: {} } },
    });
    const chart = new Chart(Testing.app(), 'test');
    new ArgoRolloutsInstall(chart, 'ArgoRollouts', { ...verification.installProps });
    const kinds = Testing.synth(chart).map(({ kind }) => kind);
    expect(kinds).toContain('Deployment');
    expect(kinds).not.toContain('ServiceAccount');
  });

  test.each([
    ['irsa', IRSA],
    ['podIdentity', POD_IDENTITY],
    ['kiam', AwsAccess.kiam({ trustedRoles: ['arn:aws:iam::111122223333:role/kiam-server'] })],
    ['kube2iam', AwsAccess.kube2iam({ trustedRoles: ['arn:aws:iam::111122223333:role/nodes'] })],
  ])('gives an install all that it needs to verify by %s', (_, access) => {
    const chart = new Chart(new App(), 'test');
    const verification = new TargetGroupVerificationPolicy(chart, 'Verification', {
      region: 'eu-west-1',
      access,
      objects: IamObjects.ack(),
    });
    const install = new ArgoRolloutsInstall(chart, 'ArgoRollouts', { ...verification.installProps });
    expect([...verification.findings(), ...install.findings()]).toEqual([]);
    const objects = Testing.synth(chart);
    const deployment = objects.find(({ kind }) => kind === 'Deployment');
    const [container] = deployment.spec.template.spec.containers;
    expect(container.args).toContain('--aws-verify-target-group');
    expect(container.env).toContainEqual({ name: 'AWS_REGION', value: 'eu-west-1' });
    expect(deployment.spec.template.metadata.annotations ?? {}).toMatchObject(access.podAnnotations);
    const account = objects.find(({ kind }) => kind === 'ServiceAccount');
    expect(account.metadata.annotations ?? {}).toMatchObject(access.serviceAccountAnnotations);
    const namespace = objects.find(({ kind }) => kind === 'Namespace');
    expect(namespace.metadata.annotations ?? {}).toMatchObject(access.namespaceAnnotations);
  });

  test('puts the objects of ACK into the controller’s namespace, and those of Crossplane into none', () => {
    const ack = Testing.synth(verificationOf({ access: POD_IDENTITY, objects: IamObjects.ack() }).chart);
    expect(ack.map(({ kind, metadata }) => [kind, metadata.namespace])).toEqual([
      ['Policy', 'argo-rollouts'],
      ['Role', 'argo-rollouts'],
      ['PodIdentityAssociation', 'argo-rollouts'],
    ]);
    const crossplane = Testing.synth(verificationOf({ objects: IamObjects.crossplane() }).chart);
    expect(crossplane.map(({ kind, metadata }) => [kind, metadata.name, metadata.namespace])).toEqual([
      ['Policy', 'argo-rollouts-verification', undefined],
      ['Role', 'argo-rollouts-verification', undefined],
      ['RolePolicyAttachment', 'argo-rollouts-verification', undefined],
    ]);
  });

  test('has names and tags of its own', () => {
    const { chart } = verificationOf({ objects: IamObjects.ack(), policyName: 'read-albs', tags: { team: 'shop' } });
    const [policy, role] = Testing.synth(chart);
    expect(policy.spec).toMatchObject({ name: 'read-albs', tags: [{ key: 'team', value: 'shop' }] });
    expect(role.spec.policyRefs).toEqual([{ from: { name: 'read-albs' } }]);
  });

  test('is reported if the controller does not verify', () => {
    const { chart, verification } = verificationOf();
    addController(chart, []);
    expect(rulesOf(verification)).toEqual(['argo-verification-off']);
    const other = verificationOf();
    addController(other.chart, ['--aws-verify-target-group']);
    expect(rulesOf(other.verification)).toEqual([]);
    const foreign = verificationOf();
    addController(foreign.chart, [], 'somebody');
    expect(rulesOf(foreign.verification)).toEqual([]);
  });

  test('reports it at synth, and fails if warnings fail', () => {
    const { chart } = verificationOf();
    addController(chart, []);
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    (chart.node.root as App).synth();
    expect(printed.mock.calls.join('').match(/\[argo-verification-off\]/g)).toHaveLength(1);
    const strict = verificationOf({ warnings: 'fail' });
    addController(strict.chart, []);
    expect(() => (strict.chart.node.root as App).synth()).toThrow('argo-verification-off');
  });

  test('reports it once if the policy is an object', () => {
    const { chart, verification } = verificationOf({ access: POD_IDENTITY, objects: IamObjects.ack() });
    addController(chart, []);
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    Testing.synth(chart);
    (chart.node.root as App).synth();
    const text = printed.mock.calls.join('');
    expect(text.match(/\[argo-verification-off\]/g)).toHaveLength(1);
    expect(rulesOf(verification)).toEqual(['argo-verification-off']);
  });

  test('reports it if the install does not take installProps, which names the role', () => {
    const { chart, verification } = verificationOf({ objects: IamObjects.ack() });
    new ArgoRolloutsInstall(chart, 'ArgoRollouts');
    expect(rulesOf(verification)).toEqual(['argo-verification-off']);
    const right = verificationOf({ objects: IamObjects.ack() });
    new ArgoRolloutsInstall(right.chart, 'ArgoRollouts', { ...right.verification.installProps });
    expect(rulesOf(right.verification)).toEqual([]);
  });

  test.each(['before', 'after'])('its objects come after the Namespace of an install that is made %s it', (when) => {
    const chart = Testing.chart();
    if (when === 'before') new ArgoRolloutsInstall(chart, 'ArgoRollouts');
    new TargetGroupVerificationPolicy(chart, 'Verification', {
      region: 'eu-west-1',
      access: POD_IDENTITY,
      objects: IamObjects.ack(),
    });
    if (when === 'after') new ArgoRolloutsInstall(chart, 'ArgoRollouts');
    const kinds = chart.toJson().map(({ kind }: { kind: string }) => kind);
    for (const kind of ['Policy', 'PodIdentityAssociation']) {
      expect(kinds.indexOf(kind), kind).toBeGreaterThan(kinds.indexOf('Namespace'));
    }
  });

  test('warns of keys once: at the controller, or at the construct without a controller', () => {
    const access = AwsAccess.staticKeys({ secretName: 'aws' });
    const alone = verificationOf({ access });
    expect(rulesOf(alone.verification)).toEqual(['argo-verification-static-key']);
    const { chart, verification } = verificationOf({ access });
    const install = new ArgoRolloutsInstall(chart, 'ArgoRollouts', { ...verification.installProps });
    expect([...verification.findings(), ...install.findings()].map(({ rule }) => rule)).toEqual([
      'argo-verification-static-key',
    ]);
    const reason = 'moves to IRSA with the next cluster';
    const accepted = verificationOf({ access, suppressions: [{ rule: 'argo-verification-static-key', reason }] });
    expect(rulesOf(accepted.verification)).toEqual([]);
  });

  test.each([
    ['a region that is none', { region: 'Ireland' }, 'region is "Ireland": give a region as eu-west-1'],
    ['another region than the policy', { regions: ['us-east-1'] }, 'regions has only us-east-1'],
    ['a region of another partition', { region: 'cn-north-1' }, 'the role is in the partition aws'],
    [
      'objects for keys',
      { access: AwsAccess.staticKeys({ secretName: 'aws' }), objects: IamObjects.ack() },
      'static keys need no role',
    ],
  ])('does not take %s', (_, props, message) => {
    expect(() => verificationOf(props)).toThrow(message);
  });
});
