import { describe, expect, test } from 'vitest';
import { AlbCanaryMode, KruiseRolloutStep, KruiseRolloutStrategy } from '../../src/constructs';
import { namesOf, run } from './program';

const INGRESS = 'kubernetes:networking.k8s.io/v1:Ingress';
const service = { name: 'web', port: 80 };
const strategy = KruiseRolloutStrategy.canary({
  steps: [KruiseRolloutStep.traffic('20%', { pause: {} }), KruiseRolloutStep.traffic('100%')],
});

function messageOf(make: () => unknown): string {
  try {
    make();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('AlbCanaryIngress', () => {
  test('ignores exactly the fields of the Ingress that the script rewrites', async () => {
    const ignored = async (args: object, name = 'web') => {
      const { of } = await run(({ library, recorded }) => {
        new library.AlbCanaryIngress('web', { service: { name, port: 80 }, ...args }, recorded);
      });
      return of(INGRESS).options.ignoreChanges;
    };
    expect(await ignored({})).toEqual(['metadata.annotations["alb.ingress.kubernetes.io/actions.web"]', 'spec.rules']);
    expect(await ignored({ ignoreRewrittenFields: false })).toBeUndefined();
    // A canary Ingress of its own is written instead.
    expect(await ignored({ mode: AlbCanaryMode.ingress({ group: 'shop', order: 10 }) })).toBeUndefined();
  });

  test('ignores all annotations while the name of the Service is not known', async () => {
    const { of } = await run(({ library, recorded, pulumi }) => {
      const name = pulumi.output('web');
      new library.AlbCanaryIngress('web', { service: { name, port: 80 } }, recorded);
    });
    expect(of(INGRESS).options.ignoreChanges).toEqual(['metadata.annotations', 'spec.rules']);
  });

  test('is made after its class, and has the group of it', async () => {
    const { of, log } = await run(({ library, recorded }) => {
      const ingressClass = new library.AlbIngressClass('shop', { group: 'shop', targetType: 'ip' }, recorded);
      const mode = AlbCanaryMode.ingress({ order: 10 });
      new library.AlbCanaryIngress('web', { service, ingressClass, mode }, recorded);
    });
    expect(await namesOf(of(INGRESS).options.dependsOn)).toEqual(['shop']);
    expect(of(INGRESS).inputs.spec.ingressClassName).toBe('shop');
    expect(of(INGRESS).inputs.metadata.annotations).toMatchObject({
      'alb.ingress.kubernetes.io/group.name': 'shop',
      'alb.ingress.kubernetes.io/group.order': '10',
    });
    expect(log.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('reports arguments that contradict each other', async () => {
    const { result } = await run(({ library }) =>
      messageOf(() => new library.AlbCanaryIngress('web', { service, rules: [{ paths: [{ path: 'cart' }] }] })),
    );
    expect(result).toBe('AlbCanaryIngress "web" cannot be made:\n- path is "cart": it must start with a slash');
  });

  test('is checked with all that the program makes, also after a wait', async () => {
    const program = (script: 'aws-alb' | 'Ingress.networking.k8s.io') =>
      run(async ({ library, pulumi }) => {
        // biome-ignore lint/suspicious/noExplicitAny: left out of the types
        await (pulumi.runtime as any).runInPulumiStack(async () => {
          const ingress = new library.AlbCanaryIngress('web', { service });
          new library.KruiseRollout('web', {
            workload: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
            strategy,
            trafficRouting: ingress.trafficRouting(),
          });
          await new Promise((resolve) => setTimeout(resolve, 20));
          new library.LuaRoutingConfigMap('scripts', { scripts: [library.LuaScripts.fromLibrary(script)] });
        });
      });
    const said = ({ log }: Awaited<ReturnType<typeof program>>) =>
      log.filter(({ message }) => message.includes('[kruise-script-missing]')).map(({ severity }) => severity);
    // Nothing is said before the script had a chance to come.
    expect(said(await program('Ingress.networking.k8s.io'))).toEqual([]);
    expect(said(await program('aws-alb'))).toEqual(['error']);
  });
});

describe('AliyunAlbCanaryIngress', () => {
  const ordersOf = (annotations: Record<string, string>) =>
    Object.entries(annotations)
      .filter(([key]) => key.endsWith('order'))
      .map(([, value]) => Number(value))
      .sort((a, b) => a - b);

  test('has orders that no other one of the stack has, the same in every run', async () => {
    const program = () =>
      run(({ library, pulumi }) => {
        for (let index = 0; index < 60; index++) {
          const name = index % 2 === 0 ? `echo-${index}` : pulumi.output(`echo-${index}`);
          new library.AliyunAlbCanaryIngress(`echo-${index}`, { service, metadata: { name } });
        }
      });
    const { resources } = await program();
    const ingresses = resources.filter(({ type }) => type === INGRESS);
    const orders = ingresses.map(({ inputs }) => ordersOf(inputs.metadata.annotations));
    expect(orders.every((pair) => pair.length === 2)).toBe(true);
    expect(new Set(orders.flat()).size).toBe(120);
    const again = (await program()).resources.filter(({ type }) => type === INGRESS);
    expect(again.map(({ inputs }) => inputs.metadata.annotations)).toEqual(
      ingresses.map(({ inputs }) => inputs.metadata.annotations),
    );
  });

  test('refuses orders that cannot work', async () => {
    const { result } = await run(({ library }) =>
      messageOf(() => new library.AliyunAlbCanaryIngress('echo', { service, order: { stable: 1, canary: 7 } })),
    );
    expect(result).toContain('order.canary is 7 and order.stable is 1');
  });
});

describe('KruiseGitOps', () => {
  test("lists the fields that are rewritten in the program's own resources", async () => {
    const { KruiseGitOps } = await import('../../src/pulumi');
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
    expect(KruiseGitOps.ignoreChanges(deployment)).toEqual(['spec.paused']);
    const blueGreen = KruiseRolloutStrategy.blueGreen({ steps: [KruiseRolloutStep.traffic('100%')] });
    expect(KruiseGitOps.ignoreChanges(deployment, { strategy: blueGreen })).toEqual([
      'spec.minReadySeconds',
      'spec.paused',
      'spec.progressDeadlineSeconds',
      'spec.strategy',
    ]);
    expect(KruiseGitOps.ignoreChanges({ apiVersion: 'v1', kind: 'Service' })).toEqual([
      'spec.selector.pod-template-hash',
    ]);
    expect(KruiseGitOps.ignoreChanges({ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute' })).toEqual([
      'spec.rules',
    ]);
    expect(KruiseGitOps.ignoreChanges({ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService' })).toEqual([
      'spec.http',
    ]);
  });
});
