/** A cluster for gateways. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesObject } from '../cluster/api';
import { applyAll } from '../cluster/apply';
import type { ControlPlane } from '../cluster/control-plane';
import { gatewayCrds } from '../cluster/crds';
import { startCluster } from '../cluster/nodes';
import type { Running } from '../cluster/processes';
import { startBackend } from './backends';

/** A cluster with CRDs, and with a backend that answers for every pod. */
export interface GatewayCluster {
  readonly plane: ControlPlane;
  /** Where processes write their logs. */
  readonly folder: string;
  /** Processes that end with the cluster. */
  readonly started: Running[];
}

/** Works with a cluster that is gone afterwards. Its folder stays if the work fails. */
export async function withCluster<Result>(
  crds: readonly KubernetesObject[],
  work: (cluster: GatewayCluster) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'stage-'));
  const plane = await startCluster(folder);
  await applyAll(plane.api, [...gatewayCrds(), ...crds]);
  const backend = await startBackend();
  const started: Running[] = [];
  const result = await work({ plane, folder, started });
  backend.close();
  for (const running of [...plane.processes, ...started].reverse()) await running.stop();
  rmSync(folder, { recursive: true, force: true });
  return result;
}
