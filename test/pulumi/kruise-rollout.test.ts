import { describe, expect, test } from 'vitest';
import { KruiseRolloutStep, KruiseRolloutStrategy } from '../../src/constructs';
import { namesOf, run } from './program';

const strategy = KruiseRolloutStrategy.canary({
  steps: [KruiseRolloutStep.traffic('20%', { pause: { duration: 60 } }), KruiseRolloutStep.traffic('100%')],
});
const workload = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const ROLLOUT = 'kubernetes:rollouts.kruise.io/v1beta1:Rollout';
const COMPONENT = 'rollout-constructs:index:KruiseRollout';

describe('KruiseRollout', () => {
  test('makes the Rollout as a child of its own', async () => {
    const { of, result } = await run(({ library, recorded }) => {
      return new library.KruiseRollout(
        'web',
        { workload, strategy, trafficRouting: { service: 'web', ingress: 'web', classType: 'nginx' } },
        recorded,
      );
    });
    const rollout = of(ROLLOUT);
    expect(rollout.name).toBe('web-rollout');
    expect(rollout.urn).toBe(`urn:pulumi:stack::project::${COMPONENT}$${ROLLOUT}::web-rollout`);
    expect(rollout.options.parent).toBe(result);
    expect(rollout.inputs).toEqual({
      apiVersion: 'rollouts.kruise.io/v1beta1',
      kind: 'Rollout',
      metadata: { name: 'web' },
      spec: {
        workloadRef: workload,
        strategy: {
          canary: {
            enableExtraWorkloadForCanary: true,
            steps: [
              { traffic: '20%', replicas: '20%', pause: { duration: 60 } },
              { traffic: '100%', replicas: '100%' },
            ],
            trafficRoutings: [{ service: 'web', ingress: { name: 'web', classType: 'nginx' } }],
          },
        },
      },
    });
  });

  test('depends on the install and on the resources that it names', async () => {
    const { of } = await run(({ library, recorded }) => {
      const install = new library.KruiseRolloutInstall('kruise', {}, recorded);
      const ingress = new library.AlbCanaryIngress('web', { service: { name: 'web', port: 80 } }, recorded);
      new library.KruiseRollout(
        'web',
        { install, workload, strategy, trafficRouting: ingress.trafficRouting() },
        recorded,
      );
    });
    expect(await namesOf(of(ROLLOUT).options.dependsOn)).toEqual(['kruise', 'web']);
    expect(of(ROLLOUT).inputs.spec.strategy.canary.trafficRoutings).toEqual([
      {
        service: 'web',
        gracePeriodSeconds: 30,
        customNetworkRefs: [{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'web' }],
      },
    ]);
  });

  test('passes its own dependencies on to its objects', async () => {
    const { of } = await run(({ library, recorded, pulumi }) => {
      class Other extends pulumi.ComponentResource {}
      const dependsOn = new Other('test:index:Other', 'other');
      new library.KruiseRollout('web', { workload, strategy }, { ...recorded, dependsOn });
    });
    expect(await namesOf(of(ROLLOUT).options.dependsOn)).toEqual(['other']);
  });

  test('passes provider and aliases on', async () => {
    const { of } = await run(({ library, recorded, pulumi }) => {
      class Provider extends pulumi.ProviderResource {}
      const provider = new Provider('kubernetes', 'cluster', {});
      const aliases = [{ name: 'old' }];
      new library.KruiseRollout('web', { workload, strategy }, { ...recorded, provider, aliases });
    });
    expect(of(ROLLOUT).provider).toContain('pulumi:providers:kubernetes::cluster');
    expect(of(COMPONENT).options.aliases).toEqual([{ name: 'old' }]);
  });

  test('says everything that the API server and the webhook would refuse, in one error', async () => {
    const { result, resources } = await run(({ library }) => {
      try {
        new library.KruiseRollout('web', {
          metadata: { name: 'web' },
          workload: { ...workload, kind: 'Job' },
          strategy: KruiseRolloutStrategy.canary({ steps: [{ traffic: '20', replicas: 1 }, { replicas: '120%' }] }),
        });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(resources).toEqual([]);
    expect(result).toMatch(/^KruiseRollout "web" cannot be made:\n- error\[/);
    expect(result).toContain('spec.strategy.canary.steps[0]');
    expect(result).toContain('spec.strategy.canary.steps[1]');
    expect(result.match(/^- error\[/gm)!.length).toBeGreaterThan(1);
  });

  test('reports arguments that contradict each other', async () => {
    const { result } = await run(({ library }) => {
      try {
        new library.KruiseRollout('web', { workload, strategy, trafficRouting: { service: 'web' } });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(result).toBe(
      'KruiseRollout "web" cannot be made:\n' +
        '- trafficRouting of the service "web" has no route: set ingress, gateway or customNetworkRefs',
    );
  });

  test('takes resources of the program, and checks them too', async () => {
    const { of, findings, log } = await run(async ({ library, pulumi }) => {
      const { Deployment } = await import('@pulumi/kubernetes/apps/v1/deployment');
      const { Service } = await import('@pulumi/kubernetes/core/v1/service');
      const { Ingress } = await import('@pulumi/kubernetes/networking/v1/ingress');
      const labels = { app: 'web' };
      const metadata = { name: 'web' };
      const deployment = new Deployment('web', {
        metadata,
        spec: {
          replicas: 5,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
        },
      });
      const service = new Service('web', { metadata, spec: { selector: labels, ports: [{ port: 80 }] } });
      const ingress = new Ingress('web', {
        metadata,
        spec: {
          ingressClassName: 'nginx',
          rules: [
            {
              host: 'shop.example.com',
              http: {
                paths: [
                  // The wrong Service: no release of `web` would be seen.
                  {
                    path: '/',
                    pathType: 'Prefix',
                    backend: { service: { name: pulumi.output('other'), port: { number: 80 } } },
                  },
                ],
              },
            },
          ],
        },
      });
      new library.KruiseRollout('web', {
        workload: deployment,
        strategy,
        trafficRouting: { service, ingress, classType: 'nginx' },
      });
    });
    expect(of(ROLLOUT).inputs.spec.workloadRef).toEqual(workload);
    const errors = findings.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message }) => message).join('\n')).toContain('"web"');
    expect(log.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toHaveLength(
      errors.length,
    );
    expect(errors.length).toBeGreaterThan(0);
  });

  test('refuses a resource of another kind', async () => {
    const { result } = await run(async ({ library }) => {
      const { Service } = await import('@pulumi/kubernetes/core/v1/service');
      const service = new Service('web', { metadata: { name: 'web' } });
      try {
        new library.KruiseRollout('web', { workload, strategy, trafficRouting: { service: 'web', ingress: service } });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(result).toContain('ingress is the Service');
  });

  test('reports a warning on the resource that it is about, as often as there are stacks', async () => {
    const last = KruiseRolloutStrategy.canary({ steps: [KruiseRolloutStep.traffic('20%')] });
    const program = (options: object) =>
      run(({ library }) => {
        new library.KruiseRollout('web', {
          workload,
          strategy: last,
          trafficRouting: { service: 'web', ingress: 'web' },
          ...options,
        });
      });
    const { log } = await program({});
    const said = log.filter(({ message }) => message.startsWith('warning[kruise-last-step-partial]'));
    expect(said).toHaveLength(1);
    expect(said[0]!.severity).toBe('warning');
    expect(said[0]!.urn.endsWith('::web-rollout')).toBe(true);

    const failed = await program({ warnings: 'fail' });
    const error = failed.log.find(({ message }) => message.startsWith('warning[kruise-last-step-partial]'));
    expect(error!.severity).toBe('error');

    const accepted = await program({
      suppressions: [{ rule: 'kruise-last-step-partial', reason: 'the rest is done by hand' }],
    });
    expect(accepted.findings.map(({ rule }) => rule)).not.toContain('kruise-last-step-partial');
  });
});
