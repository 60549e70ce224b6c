import { Testing } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import {
  AwsAccess,
  GatewayKind,
  GatewayRoleBinding,
  LuaRoutingConfigMap,
  LuaScripts,
  TargetGroupVerificationPolicy,
} from '../../src/constructs';
import { parseManifests } from '../../src/core';
import { cli, folderWith } from './fixture';

const objectsOf = (text: string) => parseManifests(text, 'out.yaml').manifests.map(({ object }) => object);

describe('rollout-constructs export', () => {
  it('lists its commands', async () => {
    const { stdout } = await cli(['export', '--help']);
    expect(stdout.match(/export \w+/g)).toEqual(['export routing', 'export rbac', 'export iam']);
  });

  it('routing prints what a LuaRoutingConfigMap writes', async () => {
    const chart = Testing.chart();
    new LuaRoutingConfigMap(chart, 'Scripts', {
      namespace: 'rollouts',
      scripts: [LuaScripts.fromLibrary('aws-alb', 'HTTPProxy.projectcontour.io')],
    });
    const { code, stdout } = await cli([
      'export',
      'routing',
      'aws-alb',
      'HTTPProxy.projectcontour.io',
      '-n',
      'rollouts',
    ]);
    expect(code).toBe(0);
    expect(objectsOf(stdout)).toEqual(Testing.synth(chart));
  });

  it('routing prints nothing if a script is wrong', async () => {
    const cwd = folderWith({ 'lua/trafficrouting_ingress/mine.lua': 'return obj.' });
    const { code, stdout, stderr } = await cli(['export', 'routing', '--folder', 'lua'], { cwd });
    expect(stderr).toContain('error[lua-syntax]');
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('rbac prints what a GatewayRoleBinding writes, without what is granted', async () => {
    const chart = Testing.chart();
    new GatewayRoleBinding(chart, 'Gateways', {
      kinds: [
        GatewayKind.CONTOUR_HTTP_PROXY,
        GatewayKind.of({ kind: 'Route', plural: 'routes', group: 'route.openshift.io' }),
      ],
    });
    const gateways = [
      'HTTPProxy.projectcontour.io',
      'Route.route.openshift.io=routes',
      'VirtualService.networking.istio.io',
    ];
    const { code, stdout, stderr } = await cli(['export', 'rbac', ...gateways.flatMap((kind) => ['--gateway', kind])]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/grants VirtualService\.networking\.istio\.io already/);
    expect(objectsOf(stdout)).toEqual(Testing.synth(chart));
  });

  it('iam prints the documents of a TargetGroupVerificationPolicy', async () => {
    const provider = 'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123ABCD';
    const policy = new TargetGroupVerificationPolicy(Testing.chart(), 'Policy', {
      region: 'eu-west-1',
      regions: ['eu-west-1'],
      access: AwsAccess.irsa({ provider }),
    });
    const permissions = await cli(['export', 'iam', '--region', 'eu-west-1']);
    expect(permissions.stdout).toBe(`${policy.toJson()}\n`);
    const trust = await cli(['export', 'iam', 'trust', '--oidc-provider', provider]);
    expect(trust.stdout).toBe(`${policy.trustPolicyJson()}\n`);
  });

  it.each([
    [['export', 'routing'], 'export routing needs scripts'],
    [['export', 'routing', 'aws-abl'], 'did you mean "aws-alb"'],
    [['export', 'routing', '--folder', 'nowhere'], 'nowhere'],
    [['export', 'rbac'], 'export rbac needs a kind'],
    [['export', 'rbac', '--gateway', 'HTTPProxy'], 'did you mean "HTTPProxy.projectcontour.io"'],
    [['export', 'rbac', '--gateway', 'a.b=C'], 'is not a valid kind'],
    [['export', 'iam', '--region', 'here'], 'give a region as eu-west-1'],
    [['export', 'iam', 'trust'], 'needs to know how the pods get the role'],
    [['export', 'iam', 'trust', '--region', 'eu-west-1'], '--region is an option of "export iam policy"'],
    [['export', 'iam', 'role'], 'the document is "role"'],
  ])('%j ends with 2', async (args, message) => {
    const { code, stdout, stderr } = await cli(args);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});
