import { expect, test } from 'vitest';
import { ArgoAlbStrategy, ArgoStep } from '../../src/constructs';
import { run } from './program';

const strategy = ArgoAlbStrategy.canary({ steps: [ArgoStep.setWeight(20), ArgoStep.pause()] });
const templateOf = (image: unknown) => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image }] },
});
const ingress = { rules: [{ host: 'shop.example.com' }] };

/** The rules on what the Rollout takes for granted. */
async function assumedOf(args: object) {
  const { findings } = await run(({ library, pulumi, recorded }) => {
    // An image that is known later says nothing about ports.
    const template = templateOf(pulumi.output('example.com/web:1.0.0'));
    new library.ArgoAlbRollout('web', { strategy, template, ...args } as never, recorded);
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
