/** What the canary Service has of the stable one. */
import { describe, expect, it } from 'vitest';
import { asObject, type JsonObject } from '../../../src/core/json';
import type { Rehearsal } from '../../../src/core/rehearsal-result';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { rehearseStack, rulesOf } from '../../rehearsal/stack';
import { NGINX, PARTITION } from './writes';

const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'web',
    namespace: 'shop',
    labels: { team: 'web' },
    annotations: { 'alb.ingress.kubernetes.io/target-type': 'ip' },
  },
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
};

function canaryServiceOf({ moments }: Rehearsal): JsonObject {
  const changes = moments.flatMap(({ changes }) => changes);
  return asObject(changes.find(({ object }) => object.kind === 'Service' && object.name === 'web-canary')?.after);
}

describe('the canary Service', () => {
  it('has no labels and no annotations in any release; the unreleased branch copies them', () => {
    for (const kruiseVersion of KruiseRolloutVersion.ALL) {
      const api = kruiseVersion.facts.storedApiVersion;
      const steps = api === 'v1alpha1' ? [{ weight: 20, replicas: '20%' }] : [{ traffic: '20%', replicas: '20%' }];
      const rehearsal = rehearseStack({ ...NGINX, api, steps, service: SERVICE }, { kruiseVersion });

      expect(canaryServiceOf(rehearsal).metadata).toEqual({ name: 'web-canary', namespace: 'shop' });
    }
    const next = rehearseStack({ ...NGINX, service: SERVICE }, { kruiseVersion: KruiseRolloutVersion.NEXT });
    expect(canaryServiceOf(next).metadata).toEqual({ ...SERVICE.metadata, name: 'web-canary' });
  });

  it('selects patched labels from 0.6 on', () => {
    const strategy = { patchPodTemplateMetadata: { labels: { app: 'web-new', track: 'canary' } } };
    const selectorIn = (kruiseVersion: KruiseRolloutVersion) =>
      asObject(canaryServiceOf(rehearseStack({ ...NGINX, strategy }, { kruiseVersion })).spec).selector;

    expect(selectorIn(KruiseRolloutVersion.V0_5_5)).toEqual({ app: 'web', 'pod-template-hash': 'canary' });
    expect(selectorIn(KruiseRolloutVersion.V0_6_0)).toEqual({ app: 'web-new', 'pod-template-hash': 'canary' });
  });

  it('selects patched labels even where no pod gets them, in partition style', () => {
    const strategy = { ...PARTITION, patchPodTemplateMetadata: { labels: { app: 'web-new' } } };
    const rehearsal = rehearseStack({ ...NGINX, strategy, steps: [{ traffic: '20%', replicas: '20%' }] });

    expect(canaryServiceOf(rehearsal).spec).toMatchObject({ selector: { app: 'web-new' } });
    expect(rulesOf(rehearsal)).toContain('rehearsal-canary-gets-nothing');
  });

  it('that somebody else made is told to select the new pods, and deleted at the end', () => {
    const own = { ...SERVICE, metadata: { name: 'web-canary', namespace: 'shop' } };
    const rehearsal = rehearseStack({ ...NGINX, more: [own] });
    const writes = rehearsal.moments.flatMap(({ changes }) =>
      changes.filter(({ object }) => object.name === 'web-canary' && object.kind === 'Service'),
    );

    expect(writes.map(({ action }) => action)).toEqual(['changed', 'deleted', 'deleted']);
    expect(canaryServiceOf(rehearsal).spec).toMatchObject({ selector: { app: 'web', 'pod-template-hash': 'canary' } });
  });
});
