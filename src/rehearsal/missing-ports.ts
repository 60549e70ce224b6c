/** Finds routes to a port that the Service of a release does not have. */
import { type Finding, formatPath, type Manifest, type Path } from '../core';
import type { Destination, Route } from '../routers';
import { rehearsalRules } from './rules';
import type { Run } from './run';

/** A place of a route, and what is missing there. */
interface Missing {
  readonly manifest: Manifest;
  readonly path: Path;
  readonly why: string;
}

/** One finding for each place of a route. Some load balancers answer with an error, and others drop the route. */
export function missingPortFindings(run: Run): Finding[] {
  const { kind, name } = run.release.manifest;
  const byDrop = dropped(run);
  const dropping = new Set(byDrop.map(({ manifest }) => manifest));
  const byAnswer = answered(run).filter(({ manifest }) => !dropping.has(manifest));
  const found = new Map([...byDrop, ...byAnswer].map((each) => [keyOf(each), each]));
  return [...found.values()].map(({ manifest, path, why }) =>
    manifest.finding(rehearsalRules['rehearsal-port-missing'], {
      message: `${manifest.kind} "${manifest.name}" sends the requests for ${kind} "${name}" to a port that is not there: ${why}`,
      path,
    }),
  );
}

function keyOf({ manifest, path }: Missing): string {
  return `${manifest.groupKind} ${manifest.namespace}/${manifest.name} ${formatPath(path)}`;
}

/** Places whose requests get an answer that leads to a missing port. */
function answered(run: Run): Missing[] {
  return [...run.seen[0]!.table.values()].flatMap(({ listeners, members, candidatesOf }) => {
    const candidates = members.flatMap(candidatesOf);
    const requests = candidates.flatMap(({ host, paths, extras }) => paths.map((path) => ({ host, path, ...extras })));
    return listeners.flatMap((listener) => requests.flatMap((request) => missingAt(listener.route(request), run)));
  });
}

function missingAt({ answer, rule }: Route, run: Run): Missing[] {
  if (answer.kind !== 'services' || rule === undefined) return [];
  const missing = answer.destinations.find((each) => isOwn(each, run) && lacksPort(each));
  return missing === undefined ? [] : [{ ...rule, why: missing.unavailable!.why }];
}

function lacksPort({ unavailable }: Destination): boolean {
  return unavailable?.reason === 'port-not-found';
}

function isOwn({ service }: Destination, { traffic }: Run): boolean {
  return service?.namespace === traffic.namespace && service.name === traffic.stableService;
}

/** What load balancers read nothing of, for the same reason. */
function dropped({ routers, seen, traffic }: Run): Missing[] {
  const { world } = seen[0]!.moment;
  const names = (manifest: Manifest, path: Path) =>
    world.namespaceOf(manifest) === traffic.namespace &&
    JSON.stringify(manifest.get(path) ?? null).includes(JSON.stringify(traffic.stableService));
  return routers.flatMap((router) =>
    (router.routes(world).ignored ?? []).flatMap(({ manifest, path = [], reason, why }) =>
      reason === 'port-not-found' && names(manifest, path) ? [{ manifest, path, why }] : [],
    ),
  );
}
