import { describe, expect, test } from 'vitest';
import { namesOf, run } from './program';

const CRD = 'kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition';
const DEPLOYMENT = 'kubernetes:apps/v1:Deployment';
const SCRIPTS = 'kubernetes:core/v1:ConfigMap';

describe('KruiseRolloutInstall', () => {
  test('keeps the CRDs, unless they are to go with the rest', async () => {
    const retained = async (crds?: 'keep' | 'remove') => {
      const { resources } = await run(({ library, recorded }) => {
        new library.KruiseRolloutInstall('kruise', crds === undefined ? {} : { crds }, recorded);
      });
      return resources.filter(({ options }) => options.retainOnDelete === true).map(({ type }) => type);
    };
    expect(await retained()).toEqual([CRD, CRD, CRD, CRD]);
    expect(await retained('keep')).toEqual([CRD, CRD, CRD, CRD]);
    expect(await retained('remove')).toEqual([]);
  });

  test('makes the controllers after all that they need, and everything after the namespace', async () => {
    const { of, resources } = await run(({ library, recorded }) => {
      const install = new library.KruiseRolloutInstall('kruise', {}, recorded);
      expect(install.crds).toHaveLength(4);
    });
    const needed = await namesOf(of(DEPLOYMENT).options.dependsOn);
    expect(needed).toContain('kruise-namespace');
    expect(needed.filter((name) => name.startsWith('kruise-custom-resource-definition-'))).toHaveLength(4);
    expect(needed).toContain('kruise-mutating-webhook-configuration');
    expect(needed).toContain('kruise-cluster-role-binding');
    for (const { type, name, options, inputs } of resources) {
      if (inputs.metadata?.namespace === undefined) continue;
      expect(await namesOf(options.dependsOn), `${type} ${name}`).toContain('kruise-namespace');
    }
  });

  test('ignores exactly the fields that the controller writes into its own objects', async () => {
    const { resources } = await run(({ library, recorded }) => {
      new library.KruiseRolloutInstall('kruise', {}, recorded);
    });
    const ignored = resources
      .filter(({ options }) => options.ignoreChanges !== undefined)
      .map(({ name, options }) => [name, options.ignoreChanges]);
    const conversion = [
      'spec.conversion.webhook.clientConfig.caBundle',
      'spec.conversion.webhook.clientConfig.service.port',
      'spec.conversion.webhook.conversionReviewVersions',
    ];
    expect(Object.fromEntries(ignored)).toEqual({
      'kruise-custom-resource-definition-batchreleases.rollouts.kruise.io': conversion,
      'kruise-custom-resource-definition-rollouts.rollouts.kruise.io': conversion,
      'kruise-mutating-webhook-configuration': expect.arrayContaining(['webhooks[0].clientConfig.caBundle']),
      'kruise-validating-webhook-configuration': expect.arrayContaining(['webhooks[0].clientConfig.caBundle']),
    });
  });

  test('creates the ConfigMap of scripts after the namespace, with a digest on the pods', async () => {
    const { of } = await run(({ library, recorded }) => {
      const scripts = [library.LuaScripts.fromLibrary('aws-alb')];
      new library.KruiseRolloutInstall('kruise', { scripts }, recorded);
    });
    const scripts = of(SCRIPTS);
    expect(scripts.name).toBe('kruise-scripts-config-map');
    expect(await namesOf(scripts.options.dependsOn)).toEqual(['kruise-namespace']);
    expect(scripts.urn).toContain('rollout-constructs:index:LuaRoutingConfigMap$kubernetes:');
    expect(of('rollout-constructs:index:LuaRoutingConfigMap').urn).toContain(
      'rollout-constructs:index:KruiseRolloutInstall$rollout-constructs:index:LuaRoutingConfigMap',
    );
    const { annotations } = of(DEPLOYMENT).inputs.spec.template.metadata;
    expect(annotations['rollout-constructs.io/routing-scripts-checksum']).toMatch(/^[0-9a-f]{64}$/);
  });

  test('reports all problems of its arguments together, and creates nothing', async () => {
    const { result, resources } = await run(({ library }) => {
      try {
        new library.KruiseRolloutInstall('kruise', { namespace: 'No Name', replicas: 0, image: { tag: 'no tag' } });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(result.split('\n')).toEqual([
      'KruiseRolloutInstall "kruise" cannot be made:',
      expect.stringContaining('- namespace is "No Name"'),
      expect.stringContaining('- replicas is 0'),
      expect.stringContaining('- image.tag is "no tag"'),
    ]);
    expect(resources).toEqual([]);
  });

  test('exposes what other components need', async () => {
    const { result } = await run(async ({ library, pulumi }) => {
      const install = new library.KruiseRolloutInstall('kruise', { namespace: pulumi.output('rollouts') });
      const binding = new library.GatewayRoleBinding('contour', {
        install,
        kinds: [library.GatewayKind.CONTOUR_HTTP_PROXY],
      });
      const names = pulumi.all([install.namespace, install.serviceAccountName, binding.name!]);
      // biome-ignore lint/suspicious/noExplicitAny: what Pulumi keeps to itself has no types
      return (names as any).promise();
    });
    expect(result).toEqual([
      'rollouts',
      'kruise-rollout-controller-manager',
      'kruise-rollout-httpproxies.projectcontour.io',
    ]);
  });

  test('a script that fails ends the program', async () => {
    const { result } = await run(({ library }) => {
      try {
        const scripts = [library.LuaScripts.inline('ingress.mine', 'return obj.annotations +')];
        new library.LuaRoutingConfigMap('scripts', { scripts });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(result).toContain('LuaRoutingConfigMap "scripts" cannot be made');
    expect(result).toContain('error[lua-');
  });
});
