/** A stage: a cluster with one released controller, in this process's network. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Elb } from './aws/elb';
import { startLoadBalancerController } from './aws/load-balancer-controller';
import { startMoto } from './aws/moto';
import type { Api, KubernetesObject } from './cluster/api';
import { applyAll } from './cluster/apply';
import type { ControlPlane } from './cluster/control-plane';
import { gatewayCrds } from './cluster/crds';
import { startCluster } from './cluster/nodes';
import { isOfOpenKruise, startOpenKruise } from './cluster/openkruise';
import { controllerNamed } from './controllers';
import { VERIFIES } from './controllers/argo';
import type { StartedController } from './controllers/controller';

/** A cluster with a controller. */
export interface RunningStage {
  readonly plane: ControlPlane;
  readonly controller: StartedController;
  readonly folder: string;
  /** Ends all processes; the folder with their logs stays on request. */
  stop(keepsLogs?: boolean): Promise<void>;
}

/**
 * Starts `kruise@0.6.2`, or `kruise@0.6.2+RolloutHistory` with this feature gate, in a cluster of its own. A controller that
 * verifies in AWS gets stand-ins for AWS and for the AWS Load Balancer Controller. OpenKruise runs where one of the objects
 * that will be applied is its own.
 */
export async function startStage(program: string, objects: readonly KubernetesObject[] = []): Promise<RunningStage> {
  const [name = '', version = ''] = program.split('@');
  const [release = '', ...features] = version.split('+');
  const controller = controllerNamed(name);
  const folder = mkdtempSync(join(tmpdir(), 'stage-'));
  const plane = await startCluster(folder);
  await applyAll(plane.api, gatewayCrds());
  const openKruise = objects.some(isOfOpenKruise) ? await startOpenKruise(plane, folder) : undefined;
  const aws = features.includes(VERIFIES) ? await startAws(plane.api, folder) : undefined;
  const started = await controller.start(plane, release, folder, features);
  return {
    plane,
    controller: started,
    folder,
    async stop(keepsLogs = false) {
      await started.stop();
      await openKruise?.stop();
      await aws?.stop();
      for (const process of [...plane.processes].reverse()) await process.stop();
      if (!keepsLogs) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startAws(api: Api, folder: string): Promise<{ stop(): Promise<void> }> {
  const moto = await startMoto(folder);
  const loadBalancers = await startLoadBalancerController(api, await Elb.inDefaultNetwork());
  return {
    async stop() {
      loadBalancers.stop();
      await moto.stop();
    },
  };
}
