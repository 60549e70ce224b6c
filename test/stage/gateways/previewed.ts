/** Previews of virtual environments, cell by cell. */
import { Manifest, World } from '../../../src/core';
import type { PreviewCell } from '../../../src/core/environment-preview';
import type { JsonObject } from '../../../src/core/json';
import { playVirtualEnvironment } from '../../../src/ktenv/controller';
import { previewEnvironments } from '../../../src/ktenv/preview';
import { agree, type Shares } from '../../routers/answers';
import type { KubernetesObject } from '../cluster/api';
import type { EnvironmentCase } from './cases/environments';

/** A request within the mesh, and who answers it as the preview says. */
export interface PreviewedRequest {
  readonly request: string;
  readonly expected: Shares;
}

/** A case with the answers of a real sidecar. */
export interface AnsweredEnvironments extends EnvironmentCase {
  readonly requests: readonly { readonly request: string; readonly real: Shares; readonly sent: number }[];
}

/** What the operator writes for a case. */
export function writtenFor({ objects }: EnvironmentCase): KubernetesObject[] {
  const world = worldOf(objects);
  const [environment] = world.list('VirtualEnvironment.env.alibaba.com');
  const plan = playVirtualEnvironment(world, environment!);
  return [...plan.virtualServices, ...plan.destinationRules] as unknown as KubernetesObject[];
}

/** Every cell of the preview as a request. */
export function previewedRequests({ case: namespace, objects, environments }: EnvironmentCase): PreviewedRequest[] {
  const [preview] = previewEnvironments(worldOf(objects), { environments });
  return preview!.rows.flatMap(({ service, port, cells }) =>
    cells.map((cell, index) => {
      const named = preview!.environments[index];
      const header = named === undefined ? '' : ` -H "${preview!.header}: ${named}"`;
      return {
        request: `GET http://${service}.${namespace}.svc.cluster.local:${port}/${header}`,
        expected: sharesOf(cell),
      };
    }),
  );
}

/** The cells that the sidecar answers differently. */
export function differencesOfPreview(answered: AnsweredEnvironments): string[] {
  const told = new Map(previewedRequests(answered).map(({ request, expected }) => [request, expected]));
  const missing = [...told.keys()].filter((one) => !answered.requests.some(({ request }) => request === one));
  return [
    ...missing.map((request) => `${answered.case}: ${request} was not asked`),
    ...answered.requests.flatMap(({ request, real, sent }) => {
      const expected = told.get(request);
      if (expected !== undefined && agree(expected, real, sent)) return [];
      const [preview, sidecar] = [expected, real].map((one) => JSON.stringify(one));
      return [`${answered.case}: ${request}: the preview says ${preview}, and the sidecar ${sidecar}`];
    }),
  ];
}

/** Each workload has one pod, so those that share a cell have equal shares. */
function sharesOf({ workloads, statusCode }: PreviewCell): Shares {
  if (workloads.length === 0) return { [statusCode ?? 'nothing']: 1 };
  return Object.fromEntries(workloads.map((name) => [`${name}/v`, 1 / workloads.length]));
}

function worldOf(objects: readonly KubernetesObject[]): World {
  return World.of(objects.map((one) => Manifest.of(one as JsonObject)));
}
