/** Releases that hang, as real controllers left them: doctor names the cause and a way out. `npm run stage -- dump` writes them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseManifests } from '../../src/core';
import { examine, LiveCluster } from '../../src/doctor';
import { argoCluster } from './argo-cluster';
import { examined, item } from './examined';
import { kruiseCluster } from './kruise-cluster';
import { ktenvCluster } from './ktenv-cluster';

function recorded(name: string) {
  const file = `${name}.yaml`;
  const { manifests } = parseManifests(readFileSync(join(__dirname, 'recorded', file), 'utf8'), file);
  return examine(new LiveCluster({ from: file, manifests }));
}

describe.each([
  [
    'blueGreen-third-2',
    /^no: another version came into the blue-green release, and it waits until Deployment \S+\/shop is rolled back$/,
    'back to the old version',
  ],
  [
    'blueGreen-rollout-id',
    /^no, for ever: status\.blueGreenStatus\.stableRevision is empty/,
    'set spec.disabled: true',
  ],
  ['partition-rollout-id', /^no, for ever: status\.canaryStatus\.stableRevision is empty/, 'set spec.disabled: true'],
  [
    'blueGreen-one-service',
    /steps\[0\] never leaves the state BeforeStepUpgrade/,
    'remove disableGenerateCanaryService',
  ],
  ['canary-gateway-api-same-service', /the controller has taken the last rule out of the HTTPRoute/, 'backendRef'],
  ['canary-gateway-api-jump-to-matches', /the controller has taken the last rule out of the HTTPRoute/, 'backendRef'],
  ['canary-service-gone', /^no, as long as Service \S+\/shop does not exist$/, 'create what is missing'],
])('Kruise Rollouts 0.6.2: %s', (lab, answer, fix) => {
  const release = recorded(`kruise/0.6.2/${lab}`);
  const progress = item(release, 'kruise-progress');

  it('does not go on, for a reason, with a way out', () => {
    expect(progress.status).toBe('problem');
    expect(progress.answer).toMatch(answer);
    expect(progress.fix).toContain(fix);
  });

  it('has the conditions of the Rollout', () => {
    expect(item(release, 'kruise-status').details?.join('\n')).toMatch(/^Progressing=True \(\w+\): Rollout /);
  });
});

describe.each([
  ['alb-service-gone', 'argo-objects', /^Service \S+\/shop-canary of shop cannot be found$/],
  ['bg-service-gone', 'argo-objects', /^Service \S+\/shop-preview of shop cannot be found$/],
  ['alb-route-gone', 'argo-status', /ingress\.networking\.k8s\.io "shop" not found/],
  ['istio-route-gone', 'argo-status', /virtualservices\.networking\.istio\.io "shop" not found/],
])('Argo Rollouts 1.9.1: %s', (lab, question, answer) => {
  it('is a problem that the answer names', () => {
    const found = item(recorded(`argo/1.9.1/${lab}`), question);
    expect([found.status, found.answer]).toEqual(['problem', expect.stringMatching(answer)]);
    const { details } = item(recorded(`argo/1.9.1/${lab}`), 'argo-status');
    expect(details?.join('\n')).toMatch(/^InvalidSpec=True \(InvalidSpec\): The Rollout "shop" is invalid/m);
  });
});

it('tells whoever asks about one Rollout nothing of other systems', () => {
  const objects = [kruiseCluster(), argoCluster(), ktenvCluster()].join('\n---\n');
  const { checkup } = examined(objects, undefined, { only: { namespace: 'shop', name: 'web' } });
  expect(examined(objects).checkup.sections.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['Kruise Rollouts', 'Argo Rollouts', 'KtEnv']),
  );
  expect(checkup.sections.map(({ title }) => title)).toEqual(['Kruise Rollouts', 'Rollout shop/web']);
});
