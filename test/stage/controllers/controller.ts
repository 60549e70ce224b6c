/** A released controller on the stage. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoryDeed, StoryPlace } from '../../../src/release';
import { type KubernetesObject, SERVER } from '../cluster/api';
import type { ControlPlane } from '../cluster/control-plane';
import { SECRETS } from '../cluster/network';
import type { Running } from '../cluster/processes';

/** A controller that has been started. */
export interface StartedController {
  readonly process: Running;
  stop(): Promise<void>;
}

/** What a story tells a controller. */
export type Told = Exclude<StoryDeed, 'finish' | 'delete'> | { readonly jump: number };

/** What people change in a Rollout to tell the controller something, as a JSON merge patch. */
export interface Command {
  readonly metadata?: KubernetesObject;
  readonly spec?: KubernetesObject;
  readonly status?: KubernetesObject;
}

/** One controller: how it is installed and started, and how its Rollouts are read. */
export interface ControllerOnStage {
  readonly name: string;
  /** Starts a release from the install that this library writes, with features that are off by default, and waits until it acts. */
  start(plane: ControlPlane, release: string, folder: string, features: readonly string[]): Promise<StartedController>;
  /** The object whose pod template people change to release. */
  workloadOf(rollout: KubernetesObject, objects: readonly KubernetesObject[]): KubernetesObject;
  /** True when the stack has been deployed for the first time. */
  isSettled(rollout: KubernetesObject, workload: KubernetesObject): boolean;
  /** True when no release is going on. */
  isOver(rollout: KubernetesObject): boolean;
  isAt(rollout: KubernetesObject, place: StoryPlace): boolean;
  /** True when a release stands at a pause, which may end by itself. */
  isPaused(rollout: KubernetesObject): boolean;
  /** True when a release stands at a pause that only people end. */
  waitsForPeople(current: () => KubernetesObject): Promise<boolean>;
  /** What ends a pause. */
  readonly approval: 'approve' | 'promote';
  told(what: Told, rollout: KubernetesObject): Command;
  /**
   * A change without a meaning, for a controller that can miss a change until the next one.
   * @default - none: the controller sees every change
   */
  nudge?(): Command;
  /** What a recording keeps of each status of a Rollout: only what the controller writes in the same order at each play. */
  placeOf(rollout: KubernetesObject): KubernetesObject | undefined;
}

/**
 * Puts the token of a ServiceAccount where a pod has it, and gives the variables that a pod gets: the controller has the
 * rights of the install only.
 */
export async function mountServiceAccount(
  { api, certificates }: ControlPlane,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<Record<string, string>> {
  const { status } = await api.post(`/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 86_400 },
  });
  writeFileSync(join(SECRETS, 'token'), status.token);
  writeFileSync(join(SECRETS, 'namespace'), namespace);
  copyFileSync(certificates.authority, join(SECRETS, 'ca.crt'));
  return { KUBERNETES_SERVICE_HOST: SERVER.host, KUBERNETES_SERVICE_PORT: String(SERVER.port) };
}

/** Environment variables of a container that have a value, and those that come from the pod's fields. */
export function environmentOf(container: KubernetesObject, namespace: string): Record<string, string> {
  const entries = (container.env ?? []).flatMap(({ name, value, valueFrom }: KubernetesObject) =>
    valueFrom?.fieldRef?.fieldPath === 'metadata.namespace'
      ? [[name, namespace]]
      : value === undefined
        ? []
        : [[name, value]],
  );
  return Object.fromEntries(entries);
}

/** The Deployment of an install. */
export function deploymentOf(objects: readonly KubernetesObject[]): KubernetesObject {
  const found = objects.find(({ kind }) => kind === 'Deployment');
  if (found === undefined) throw new Error('the install has no Deployment');
  return found;
}

/** The lines of a log in which the API server forbade something: the install lacks a permission. */
export function forbiddenLines({ log }: Running): string[] {
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /\bforbidden\b/i.test(line));
}
