import { expect, test } from 'vitest';
import { ArgoAlbStrategy, ArgoStep } from '../../src/constructs';
import { run } from './program';

const strategy = ArgoAlbStrategy.canary({ steps: [ArgoStep.setWeight(20), ArgoStep.pause()] });
const container = (more = {}) => ({ name: 'web', image: 'example.com/web:1.0.0', ...more });
const templateOf = (ports?: unknown) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [container(ports === undefined ? {} : { ports })] },
});
const ingress = { rules: [{ host: 'shop.example.com' }] };

/** The rules on what the Rollout takes for granted. */
async function assumedOf(args: object, ports?: (pulumi: typeof import('@pulumi/pulumi')) => unknown) {
  const { findings } = await run(({ library, pulumi, recorded }) => {
    new library.ArgoAlbRollout('web', { strategy, template: templateOf(ports?.(pulumi)), ...args } as never, recorded);
  });
  return findings.map(({ rule }) => rule).filter((rule) => rule.endsWith('-assumed'));
}

test('says which port of the pods and which requests are taken for granted, until the arguments say so', async () => {
  expect(await assumedOf({})).toEqual(['argo-alb-entrance-assumed', 'argo-alb-port-assumed']);
  expect(await assumedOf({ ingress })).toEqual(['argo-alb-port-assumed']);
  expect(await assumedOf({ ingress, targetPort: 80 })).toEqual([]);
  const suppressions = [{ rule: 'argo-alb-port-assumed', reason: 'the program listens on 80' }];
  expect(await assumedOf({ ingress, suppressions })).toEqual([]);
});

test('waits for ports that are known later', async () => {
  expect(await assumedOf({ ingress }, (pulumi) => pulumi.output([{ containerPort: 8080 }]))).toEqual([]);
});
