import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkArgoAlb } from '../../../src/argo/rules';
import {
  irsaTrustPolicy,
  oidcProvider,
  podIdentityTrustPolicy,
  policyJson,
  verificationPolicy,
} from '../../../src/aws';
import { type JsonObject, Manifest, World } from '../../../src/core';

const NAMESPACE = 'argo-rollouts';
const ARGO = { namespace: NAMESPACE, name: 'argo-rollouts' };
const PROVIDER = oidcProvider('arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD');
const ROLE_ARN = 'arn:aws:iam::111122223333:role/rollouts';
const REGION = { name: 'AWS_REGION', value: 'eu-west-1' };
const VERIFY = '--aws-verify-target-group';
const TOKEN_TRUST = policyJson(irsaTrustPolicy(PROVIDER, ARGO));
const POD_TRUST = policyJson(podIdentityTrustPolicy({ serviceAccount: ARGO, clusterName: 'shop' }));

const object = (apiVersion: string, kind: string, name: string, spec: object, annotations = {}) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: NAMESPACE, annotations },
  spec,
});

const account = (role?: string) => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: {
    name: 'argo-rollouts',
    namespace: NAMESPACE,
    annotations: role === undefined ? {} : { 'eks.amazonaws.com/role-arn': role },
  },
});

const controller = (container: object = {}, pod: object = {}, annotations: object = {}) =>
  object('apps/v1', 'Deployment', 'argo-rollouts', {
    template: {
      metadata: { annotations },
      spec: {
        serviceAccountName: 'argo-rollouts',
        containers: [
          {
            name: 'argo-rollouts',
            image: 'quay.io/argoproj/argo-rollouts:v1.9.1',
            args: [VERIFY],
            env: [REGION],
            ...container,
          },
        ],
        ...pod,
      },
    },
  });

const ack = (kind: string, name: string, spec: object) => object('iam.services.k8s.aws/v1alpha1', kind, name, spec);
const upbound = (kind: string, name: string, forProvider: object, annotations = {}) =>
  object('iam.aws.upbound.io/v1beta1', kind, name, { forProvider }, annotations);

const policyText = (...statements: object[]) => JSON.stringify({ Version: '2012-10-17', Statement: statements });
const ALL = verificationPolicy().Statement[0]!;
const ackRole = (spec: object = {}) =>
  ack('Role', 'rollouts', {
    name: 'rollouts',
    assumeRolePolicyDocument: TOKEN_TRUST,
    policyRefs: [{ from: { name: 'verification' } }],
    ...spec,
  });
const ackPolicy = (text = policyText(ALL)) =>
  ack('Policy', 'verification', { name: 'verification', policyDocument: text });

const association = (spec: object) =>
  object('eks.services.k8s.aws/v1alpha1', 'PodIdentityAssociation', 'rollouts', { namespace: NAMESPACE, ...spec });

const check = (...objects: object[]) =>
  checkArgoAlb(World.of(objects.map((one) => Manifest.of(one as unknown as JsonObject))));
const told = (...objects: object[]) => check(...objects).map(({ rule, severity }) => [rule, severity]);

describe('permissions', () => {
  it('are not reported if they are unknown', () => {
    expect(told(controller())).toEqual([]);
    expect(told(account(), controller({ envFrom: [{ secretRef: { name: 'aws' } }] }))).toEqual([]);
    expect(told(account(), controller({ volumeMounts: [{ name: 'aws', mountPath: '/home/argo/.aws' }] }))).toEqual([]);
    expect(told(account(), controller({}, {}, { 'iam.amazonaws.com/role': 'rollouts' }))).toEqual([]);
    expect(told(account(), controller({ env: [REGION, { name: 'AWS_ROLE_ARN', value: ROLE_ARN }] }))).toEqual([]);
    expect(told(account(), controller({ args: [] }))).toEqual([]);
  });

  it('are also required of the ServiceAccount default', () => {
    const unnamed = controller({}, { serviceAccountName: undefined });
    const byDefault = { ...account(), metadata: { name: 'default', namespace: NAMESPACE } };
    expect(told(account(), unnamed)).toEqual([]);
    expect(told(byDefault, unnamed)).toEqual([['argo-verification-without-permissions', 'warning']]);
  });

  it('may serve another purpose than verification', () => {
    const metrics = { Effect: 'Allow', Action: 'cloudwatch:GetMetricData', Resource: '*' };
    const withoutFlag = controller({ args: [] });
    expect(told(account(ROLE_ARN), withoutFlag, ackRole(), ackPolicy(policyText(ALL, metrics)))).toEqual([]);
    expect(told(account(ROLE_ARN), withoutFlag)).toEqual([]);
    expect(told(account(ROLE_ARN), withoutFlag, ackRole(), ackPolicy())).toEqual([
      ['argo-verification-off', 'warning'],
    ]);
  });
});

describe('keys', () => {
  it('are never repeated', () => {
    const found = check(controller({ env: [REGION, { name: 'AWS_SECRET_ACCESS_KEY', value: 'hunter2' }] }));
    expect(found.map(({ rule, path }) => [rule, path])).toEqual([
      ['argo-verification-key-in-manifest', 'spec.template.spec.containers[0].env[1]'],
    ]);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  it('have an id that is not secret', () => {
    expect(told(controller({ env: [REGION, { name: 'AWS_ACCESS_KEY_ID', value: 'AKIAIOSFODNN7EXAMPLE' }] }))).toEqual(
      [],
    );
  });
});

describe('the ARN of the role', () => {
  it.each([
    [ROLE_ARN, 'eu-west-1', undefined],
    ['arn:aws-cn:iam::111122223333:role/rollouts', 'cn-north-1', undefined],
    ['arn:aws-us-gov:iam::111122223333:role/a/b', 'us-gov-east-1', undefined],
    [ROLE_ARN, 'cn-north-1', 'is in the partition aws, but the region cn-north-1 is in aws-cn'],
    ['arn:aws:iam::111122223333:user/rollouts', 'eu-west-1', 'is not the ARN of a role'],
    ['arn:aws:iam::1111:role/rollouts', 'eu-west-1', 'is not the ARN of a role'],
  ])('%s in %s: %s', (arn, region, problem) => {
    const found = check(account(arn), controller({ env: [{ name: 'AWS_REGION', value: region }] }));
    expect(found.map(({ rule, message }) => [rule, message.replace(/.*, which /, '')])).toEqual(
      problem === undefined ? [] : [['argo-verification-role-arn', problem]],
    );
  });
});

describe('the roles of a Namespace', () => {
  const toldOf = (annotation: string, value: string, role = 'rollouts') => {
    const namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: NAMESPACE, annotations: { [annotation]: value } },
    };
    const found = check(namespace, account(), controller({}, {}, { 'iam.amazonaws.com/role': role }));
    expect(new Set(found.map(({ rule }) => rule)).size).toBe(found.length === 0 ? 0 : 1);
    return found.map(({ message }) => message.replace(/.*Namespace "argo-rollouts" /, ''));
  };

  it.each([
    ['.*', 'rollouts', true],
    ['rollouts', 'rollouts', true],
    ['roll', 'rollouts', false],
    ['', 'rollouts', false],
    // Each half has only one anchor.
    ['shop|outs', 'rollouts', true],
    ['arn:.*/rollouts', 'rollouts', false],
    ['(a+)+$', `${'a'.repeat(5000)}!`, false],
  ])('in kiam: "%s" and %s', (permitted, role, fits) => {
    expect(toldOf('iam.amazonaws.com/permitted', permitted, role).length === 0).toBe(fits);
  });

  it.each([
    ['["rollouts"]', 'rollouts', []],
    ['["shop", "roll*"]', ROLE_ARN, []],
    [`["${ROLE_ARN}"]`, 'rollouts', []],
    ['["teams/*"]', 'arn:aws:iam::111122223333:role/teams/rollouts', []],
    ['["roll[a-z]+"]', ROLE_ARN, []],
    ['["teams/rollouts"]', 'rollouts', []],
    ['["shop"]', 'rollouts', ['has "shop", but the role is "rollouts"']],
    ['[]', 'rollouts', ['has nothing, but the role is "rollouts"']],
    ['rollouts', 'rollouts', ['is not a JSON list']],
    ['{}', 'rollouts', ['is not a JSON list']],
  ])('in kube2iam: %s and %s', (allowed, role, messages) => {
    expect(toldOf('iam.amazonaws.com/allowed-roles', allowed, role)).toEqual(messages);
  });
});

describe('trust', () => {
  const elsewhere = policyJson(irsaTrustPolicy(PROVIDER, { namespace: 'default', name: 'argo-rollouts' }));

  it('is read from a role of Crossplane, by its name in AWS', () => {
    const role = (trust: string) =>
      upbound('Role', 'shop-rollouts', { assumeRolePolicy: trust }, { 'crossplane.io/external-name': 'rollouts' });
    expect(told(account(ROLE_ARN), controller(), role(TOKEN_TRUST))).toEqual([]);
    const [finding, ...others] = check(account(ROLE_ARN), controller(), role(elsewhere));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      rule: 'argo-verification-trust',
      path: 'spec.forProvider.assumeRolePolicy',
      object: { kind: 'Role', name: 'shop-rollouts' },
      related: { object: { kind: 'Deployment', name: 'argo-rollouts' } },
    });
    expect(finding!.message).toBe(
      'the trust policy of role "rollouts" is for "system:serviceaccount:default:argo-rollouts", and the pods are "system:serviceaccount:argo-rollouts:argo-rollouts"',
    );
  });

  it('is read from the newer API of Crossplane', () => {
    const [role, given] = ['Role', 'PodIdentityAssociation'].map((kind) => {
      const group = kind === 'Role' ? 'iam' : 'eks';
      const forProvider =
        kind === 'Role'
          ? { assumeRolePolicy: TOKEN_TRUST }
          : { namespace: NAMESPACE, serviceAccount: 'argo-rollouts', roleArnRef: { name: 'rollouts' } };
      return object(`${group}.aws.m.upbound.io/v1beta1`, kind, 'rollouts', { forProvider });
    });
    expect(told(account(), controller(), role!, given!)).toEqual([['argo-verification-trust', 'error']]);
  });

  it('is not read from a role of another consumer', () => {
    expect(
      told(
        account('arn:aws:iam::111122223333:role/other'),
        controller(),
        ackRole({ assumeRolePolicyDocument: elsewhere }),
        ackPolicy(),
      ),
    ).toEqual([]);
  });

  it('is that of EKS Pod Identity if an association sets the role', () => {
    const given = association({
      clusterName: 'shop',
      serviceAccount: 'argo-rollouts',
      roleRef: { from: { name: 'rollouts' } },
    });
    const role = (trust: string) => ackRole({ assumeRolePolicyDocument: trust });
    expect(told(account(), controller(), role(POD_TRUST), ackPolicy(), given)).toEqual([]);
    expect(told(account(), controller(), role(TOKEN_TRUST), ackPolicy(), given)).toEqual([
      ['argo-verification-trust', 'error'],
    ]);
  });

  it('fails for an association without session tags if it has conditions on them', () => {
    const given = object('eks.aws.upbound.io/v1beta1', 'PodIdentityAssociation', 'rollouts', {
      forProvider: {
        namespace: NAMESPACE,
        serviceAccount: 'argo-rollouts',
        disableSessionTags: true,
        roleArnRef: { name: 'rollouts' },
      },
    });
    const [finding] = check(
      account(),
      controller(),
      upbound('Role', 'rollouts', { assumeRolePolicy: POD_TRUST }),
      given,
    );
    expect(finding).toMatchObject({ rule: 'argo-verification-trust' });
    expect(finding!.message).toContain('turns session tags off');
  });
});

describe('associations', () => {
  it('are reported if they are for another ServiceAccount, also for an external role', () => {
    const stray = association({ serviceAccount: 'rollouts', roleARN: ROLE_ARN });
    expect(told(account(), controller(), stray)).toEqual([['argo-verification-association', 'warning']]);
    const ofOthers = association({ serviceAccount: 'rollouts', roleARN: ROLE_ARN, namespace: 'kube-system' });
    expect(told(account(), controller(), ofOthers)).toEqual([['argo-verification-without-permissions', 'warning']]);
  });

  it('are accepted next to a correct one', () => {
    const right = association({ serviceAccount: 'argo-rollouts', roleARN: ROLE_ARN });
    const other = {
      ...association({ serviceAccount: 'x', roleARN: ROLE_ARN }),
      metadata: { name: 'x', namespace: NAMESPACE },
    };
    expect(told(account(), controller(), right, other)).toEqual([]);
  });
});

describe('actions', () => {
  const given = (text: string, ...more: object[]) =>
    check(account(ROLE_ARN), controller(), ackRole(), ackPolicy(text), ...more);

  it.each([
    ['the six', ALL],
    ['a pattern', { Effect: 'Allow', Action: 'elasticloadbalancing:Describe*', Resource: ['*'] }],
    ['everything, in any case', { Effect: 'Allow', Action: 'ELASTICLOADBALANCING:*', Resource: '*' }],
    ['the region', { ...ALL, Condition: { StringEquals: { 'aws:RequestedRegion': 'eu-west-1' } } }],
    ['a condition of which nothing is known', { ...ALL, Condition: { StringEquals: { 'aws:SourceVpc': 'vpc-1' } } }],
    ['what it is not about', { Effect: 'Allow', NotAction: 'iam:*', Resource: '*' }],
  ])('are sufficient with %s', (_, statement) => {
    expect(given(policyText(statement))).toEqual([]);
  });

  it.each([
    [
      'an action is missing',
      { ...ALL, Action: ALL.Action.slice(1) },
      'do not allow DescribeTargetGroups to Deployment "argo-rollouts"',
    ],
    [
      'the region is another',
      { ...ALL, Condition: { StringEquals: { 'aws:RequestedRegion': 'us-east-1' } } },
      'do not allow',
    ],
    ['a resource is named', { ...ALL, Resource: 'arn:aws:elasticloadbalancing:*' }, ': they are limited to a resource'],
  ])('are not sufficient if %s', (_, statement, message) => {
    const [finding, ...others] = given(policyText(statement));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      rule: 'argo-verification-actions',
      object: { kind: 'Policy', name: 'verification' },
      path: 'spec.policyDocument',
    });
    expect(finding!.message).toContain(message);
  });

  it('are not sufficient if another statement denies them', () => {
    const deny = { Effect: 'Deny', Action: 'elasticloadbalancing:DescribeTags', Resource: '*' };
    expect(given(policyText(ALL, deny)).map(({ message }) => message)).toEqual([
      'the policies of role "rollouts" do not allow DescribeTags to Deployment "argo-rollouts"',
    ]);
  });

  it('are fewer for blue-green', () => {
    const forBlueGreen = policyJson(verificationPolicy({ rollouts: 'blueGreen' }));
    expect(given(forBlueGreen)).toEqual([]);
    const canary = object('argoproj.io/v1alpha1', 'Rollout', 'shop', {
      strategy: { canary: { trafficRouting: { alb: { ingress: 'shop', servicePort: 80 } } } },
    });
    expect(given(forBlueGreen, canary).map(({ rule }) => rule)).toContain('argo-verification-actions');
  });

  it('are merged from all policies, and not checked if one is unknown', () => {
    const [first, second] = [ALL.Action.slice(0, 3), ALL.Action.slice(3)];
    const inline = { inlinePolicies: { more: policyText({ ...ALL, Action: second }) } };
    const half = ackPolicy(policyText({ ...ALL, Action: first }));
    expect(told(account(ROLE_ARN), controller(), ackRole(inline), half)).toEqual([]);
    expect(told(account(ROLE_ARN), controller(), ackRole({ policies: ['arn:aws:iam::aws:policy/X'] }), half)).toEqual(
      [],
    );
    expect(told(account(ROLE_ARN), controller(), ackRole(), half)).toEqual([['argo-verification-actions', 'error']]);
  });

  it('are read from attachments of Crossplane', () => {
    const role = upbound('Role', 'rollouts', { assumeRolePolicy: TOKEN_TRUST });
    const attachment = upbound('RolePolicyAttachment', 'rollouts', {
      roleRef: { name: 'rollouts' },
      policyArnRef: { name: 'verification' },
    });
    const policy = (actions: readonly string[]) =>
      upbound('Policy', 'verification', { policy: policyText({ ...ALL, Action: actions }) });
    const all = [...ALL.Action];
    expect(told(account(ROLE_ARN), controller(), role, attachment, policy(all))).toEqual([]);
    expect(told(account(ROLE_ARN), controller(), role, attachment, policy(all.slice(2)))).toEqual([
      ['argo-verification-actions', 'error'],
    ]);
    expect(told(account(ROLE_ARN), controller(), role, policy(all.slice(2)))).toEqual([]);
  });
});

describe('policies', () => {
  it('are read from every field that contains one, once each', () => {
    const found = check(
      ack('Policy', 'a', { policyDocument: 'x' }),
      ack('Role', 'b', {
        assumeRolePolicyDocument: '[]',
        inlinePolicies: { c: '{}' },
        policyRefs: [{ from: { name: 'a' } }],
      }),
      upbound('Policy', 'd', { policy: '' }),
      upbound('Role', 'e', { assumeRolePolicy: 'null' }),
      upbound('RolePolicy', 'f', { policy: '{"Statement": []}', roleRef: { name: 'e' } }),
    );
    expect(found.map(({ rule }) => rule)).toEqual(Array(6).fill('argo-verification-policy-invalid'));
    expect(found.map(({ path }) => path).sort()).toEqual([
      'spec.assumeRolePolicyDocument',
      'spec.forProvider.assumeRolePolicy',
      'spec.forProvider.policy',
      'spec.forProvider.policy',
      'spec.inlinePolicies.c',
      'spec.policyDocument',
    ]);
  });
});

describe('any input', () => {
  const KINDS = [
    'iam.services.k8s.aws/v1alpha1 Role',
    'iam.services.k8s.aws/v1alpha1 Policy',
    'eks.services.k8s.aws/v1alpha1 PodIdentityAssociation',
    'iam.aws.upbound.io/v1beta1 Role',
    'iam.aws.upbound.io/v1beta1 RolePolicyAttachment',
    'eks.aws.upbound.io/v1beta1 PodIdentityAssociation',
    'apps/v1 Deployment',
  ];
  const FIELDS = [
    ...['name', 'forProvider', 'assumeRolePolicyDocument', 'assumeRolePolicy', 'policyRefs', 'policy', 'policies'],
    ...[
      'inlinePolicies',
      'roleRef',
      'from',
      'roleArnRef',
      'serviceAccount',
      'namespace',
      'roleARN',
      'template',
      'spec',
    ],
    ...['containers', 'args', 'env', 'metadata', 'annotations', 'valueFrom', 'value', 'image'],
  ];
  const texts = fc.constantFrom(
    'rollouts',
    'argo-rollouts',
    VERIFY,
    TOKEN_TRUST,
    POD_TRUST,
    policyText(ALL),
    '{"Statement":{}}',
  );

  it('is read without an exception, and deterministically', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, texts, fc.constant(null), fc.integer(), tie('list'), tie('map')),
      list: fc.array(tie('value'), { maxLength: 2 }),
      map: fc.dictionary(fc.constantFrom(...FIELDS), tie('value'), { maxKeys: 6 }),
    }));
    const written = fc.record({ of: fc.constantFrom(...KINDS), spec: value });
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 4 }), (objects) => {
        const manifests = objects.map(({ of, spec }, index) => {
          const [apiVersion, kind] = of.split(' ');
          return object(apiVersion!, kind!, index === 0 ? 'rollouts' : `rollouts-${index}`, spec as object);
        });
        const found = check(account(ROLE_ARN), controller(), ...manifests);
        expect(check(account(ROLE_ARN), controller(), ...manifests)).toEqual(found);
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});

describe('the place of a finding', () => {
  const places = (...objects: object[]) =>
    check(...objects)
      .filter(({ rule }) => rule.startsWith('argo-verification-'))
      .map(({ rule, object: at, path }) => `${rule.replace('argo-verification-', '')} ${at?.kind} ${path}`);
  const ROLE = { 'eks.amazonaws.com/role-arn': ROLE_ARN };
  const secret = (name: string, more: object = { secretKeyRef: { name: 'aws', key: 'k' } }) => ({
    name,
    valueFrom: more,
  });

  it.each<[string, object[], string[]]>([
    [
      'a role on pods, whose ServiceAccount has none',
      [account(), controller({}, {}, ROLE)],
      ['role-on-pod Deployment spec.template.metadata.annotations["eks.amazonaws.com/role-arn"]'],
    ],
    ['a role on pods and on the ServiceAccount', [account(ROLE_ARN), controller({}, {}, ROLE)], []],
    [
      'an ARN that is none',
      [account('role'), controller()],
      ['role-arn ServiceAccount metadata.annotations["eks.amazonaws.com/role-arn"]'],
    ],
    ['no role', [account(), controller()], ['without-permissions Deployment spec.template.spec.containers[0].args[0]']],
    ['no role and no flag', [account(), controller({ args: [] })], []],
    [
      'a role that is not used',
      [account(ROLE_ARN), controller({ args: [] }), ackRole(), ackPolicy()],
      ['off Deployment spec.template.spec.containers[0].args'],
    ],
    [
      'a key of a Secret',
      [controller({ env: [REGION, secret('AWS_SECRET_ACCESS_KEY')] })],
      ['static-key Deployment spec.template.spec.containers[0].env[1]'],
    ],
    ['a token of a Secret', [controller({ env: [REGION, secret('AWS_SESSION_TOKEN')] })], []],
    ['a key of elsewhere', [controller({ env: [REGION, secret('AWS_SECRET_ACCESS_KEY', { fieldRef: {} })] })], []],
    [
      'a token in plain text',
      [controller({ env: [{ name: 'AWS_SESSION_TOKEN', value: 'x' }, REGION] })],
      ['key-in-manifest Deployment spec.template.spec.containers[0].env[0]'],
    ],
    ['another variable', [controller({ env: [{ name: 'AWS_PROFILE', value: 'x' }, REGION] })], []],
  ])('of %s', (_, objects, expected) => {
    expect(places(...objects)).toEqual(expected);
  });
});
