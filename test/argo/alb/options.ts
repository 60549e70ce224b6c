import {
  type ArgoAlbObjects,
  type ArgoAlbRolloutOptions,
  ArgoAlbStrategy,
  argoAlbObjects,
} from '../../../src/argo/alb';
import { type ArgoCanaryStep, ArgoStep } from '../../../src/argo/steps';
import { Manifest, World } from '../../../src/core';

/** Pods of one container. */
export const TEMPLATE = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
};

/** A canary of these steps. */
export const canary = (...steps: readonly ArgoCanaryStep[]) => ArgoAlbStrategy.canary({ steps });

/** The objects of a Rollout called `web` in the namespace `shop`; a canary of one step unless told otherwise. */
export function objectsOf(options: Partial<ArgoAlbRolloutOptions> = {}, name = 'web'): ArgoAlbObjects {
  const all = { template: TEMPLATE, strategy: canary(ArgoStep.setWeight(20)), ...options };
  return argoAlbObjects(all, { name, namespace: 'shop' });
}

/** What is said against options; nothing where they are taken. */
export function problemsOf(options: Partial<ArgoAlbRolloutOptions> = {}, name?: string): string[] {
  try {
    objectsOf(options, name);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n  - ').slice(1);
  }
}

/** The objects as a World. */
export function worldOf({ rollout, services, ingresses }: ArgoAlbObjects, ...more: readonly object[]): World {
  const objects = [rollout, ...services, ...ingresses, ...more];
  return World.of(objects.map((object) => Manifest.of(JSON.parse(JSON.stringify(object)))));
}
