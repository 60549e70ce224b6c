/** A released controller on the stage. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubernetesObject, SERVER } from '../cluster/api';
import type { ControlPlane } from '../cluster/control-plane';
import { SECRETS } from '../cluster/network';
import type { Running } from '../cluster/processes';

/** A controller that has been started. */
export interface StartedController {
  readonly process: Running;
  stop(): Promise<void>;
}

/** Starts one release of a controller from the install that this library writes. */
export interface ControllerOnStage {
  readonly name: string;
  /** Starts the controller, and waits until it acts. */
  start(plane: ControlPlane, release: string, folder: string): Promise<StartedController>;
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
