/** Applies manifests in their order, as an install or a GitOps tool does. */
import { type Api, ApiError, type KubernetesObject } from './api';
import { sleep } from './processes';

/** Applies objects one after the other; waits for the kinds of CRDs that were applied before, and for webhooks. */
export async function applyAll(api: Api, objects: readonly KubernetesObject[]): Promise<void> {
  for (const object of objects) await applyOne(api, object);
}

async function applyOne(api: Api, object: KubernetesObject): Promise<void> {
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      await api.apply(object);
      return;
    } catch (error) {
      const isLate = error instanceof ApiError && Date.now() < end && isTemporary(error);
      if (!isLate) throw new Error(`${object.kind} ${object.metadata?.name}: ${(error as Error).message}`);
      await sleep(200);
    }
  }
}

function isTemporary({ status, message }: ApiError): boolean {
  return status === 404 || status === 500 || /failed calling webhook/.test(message);
}
