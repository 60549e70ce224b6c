/**
 * Plays rehearsals on a real gateway: the objects of each moment are applied, every request of the table is sent, and the shares
 * are compared.
 */
import { writeFileSync } from 'node:fs';
import { agree, type Shares } from '../../routers/answers';
import type { Api, KubernetesObject } from '../cluster/api';
import { applyAll } from '../cluster/apply';
import { sleep } from '../cluster/processes';
import { gatewayNamed } from '.';
import { ask } from './ask';
import { BACKEND_PORT } from './backends';
import { type GatewayCluster, withCluster } from './cluster';
import type { GatewayOnStage } from './gateway';
import {
  differencesOf,
  expectedOf,
  type PlayedRelease,
  type RehearsedRelease,
  rehearsedReleases,
  SENT,
} from './rehearsed';

/** Where the pods of each version answer; the stage has more addresses than any lab has pods. */
const ADDRESSES: Readonly<Record<string, string>> = { v1: '10.244.101', v2: '10.244.102', v3: '10.244.103' };
/** Prints each cell that the gateway answers differently, and writes all answers. Gives the exit code. */
export async function playReleases(gateway: string, file: string): Promise<number> {
  const releases = rehearsedReleases(gateway);
  const played = await play(gateway, releases);
  writeFileSync(file, played.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const differing = releases.flatMap((release, index) => differencesOf(release, played[index]!));
  process.stdout.write(differing.map((line) => `${line}\n`).join(''));
  const moments = played.flatMap((each) => each.moments);
  const cells = moments.flatMap((moment) => moment.cells);
  const counted = `${releases.length} releases, ${moments.length} moments, ${cells.length} cells`;
  process.stderr.write(`${gateway}: ${counted}, ${differing.length} of them not as rehearsed\n`);
  return differing.length > 0 ? 1 : 0;
}

/** All releases at once, moment by moment. */
function play(gateway: string, releases: readonly RehearsedRelease[]): Promise<PlayedRelease[]> {
  const onStage = gatewayNamed(gateway);
  return withCluster([...onStage.crds(), ...onStage.objects], (cluster) => playIn(cluster, onStage, releases));
}

async function playIn(
  cluster: GatewayCluster,
  onStage: GatewayOnStage,
  releases: readonly RehearsedRelease[],
): Promise<PlayedRelease[]> {
  const { plane, folder } = cluster;
  const { api } = plane;
  for (const { namespace, start } of releases) {
    const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await applyAll(api, [home, ...start.flatMap(asApplied)]);
  }
  const started = await onStage.start(plane, folder);
  cluster.started.push(...started.processes);
  const pods = podsByAddress();
  const played = releases.map(({ name }) => ({ release: name, moments: [] as PlayedRelease['moments'][number][] }));
  const last = Math.max(...releases.map(({ story }) => story.moments.length));
  for (let index = 0; index < last; index += 1) {
    process.stderr.write(`moment ${index + 1} of ${last}\n`);
    const there = releases.filter(({ story }) => index < story.moments.length);
    for (const release of there) await applyMoment(api, release, index);
    await sleep(1000 * ((index === 0 ? 3 : 0) + (onStage.settlesAfter ?? 3)));
    for (const release of there) {
      const cells = [];
      for (const request of release.requests) {
        if (request === undefined) continue;
        const shares = async (times: number) => byResult(await ask(request, times, started.port, pods));
        const first = await shares(SENT);
        // What chance made is not made twice.
        const isExpected = agree(expectedOf(release, index, request)!, first, SENT);
        cells.push({ request, real: isExpected ? first : await shares(4 * SENT) });
      }
      played[releases.indexOf(release)]!.moments.push({ title: release.story.moments[index]!.title, cells });
    }
  }
  return played;
}

/** What a gateway reads. A Service gets its endpoints from the rehearsal, so neither workloads nor Rollouts are needed. */
function asApplied(object: KubernetesObject): KubernetesObject[] {
  if (NOT_READ.includes(object.kind)) return [];
  if (object.kind !== 'Service') return [object];
  const { selector: _selector, ...spec } = object.spec;
  return [{ ...object, spec }];
}

const NOT_READ = ['Deployment', 'Rollout', 'BatchRelease'];

async function applyMoment(api: Api, { namespace, story }: RehearsedRelease, index: number): Promise<void> {
  const { changes, pods } = story.moments[index]!;
  // In a cluster the pods of a Service are known before a route leads there.
  for (const { service, versions } of pods) await api.apply(endpointSlice(namespace, service, versions));
  for (const { object, after } of changes) {
    if (NOT_READ.includes(object.kind)) continue;
    const now: KubernetesObject = {
      ...after,
      ...object,
      metadata: { ...(after?.metadata as object), name: object.name, namespace },
    };
    delete now.name;
    delete now.namespace;
    if (after === undefined) await api.delete(await api.pathOf(now));
    else await applyAll(api, asApplied(now));
  }
}

function endpointSlice(
  namespace: string,
  service: string,
  versions: Readonly<Record<string, number>>,
): KubernetesObject {
  const addresses = Object.entries(versions).flatMap(([version, count]) =>
    Array.from({ length: count }, (_, index) => `${ADDRESSES[version]}.${index + 1}`),
  );
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${service}-pods`, namespace, labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports: [{ name: 'http', port: BACKEND_PORT, protocol: 'TCP' }],
  };
}

function podsByAddress(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(ADDRESSES).flatMap(([version, prefix]) =>
      Array.from({ length: 99 }, (_, index) => [`${prefix}.${index + 1}`, version] as const),
    ),
  );
}

function byResult(real: Shares): Shares {
  const stable = real['v1/v'] ?? 0;
  const canary = (real['v2/v'] ?? 0) + (real['v3/v'] ?? 0);
  return { stable, canary, none: Math.round((1 - stable - canary) * SENT) / SENT };
}
