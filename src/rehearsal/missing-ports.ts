/** Finds routes to a port that the Service of a release does not have. */
import { type Finding, formatPath, type Manifest, type Path } from '../core';
import type { Destination } from '../routers';
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
  const byDrop = dropped(run);
  const dropping = new Set(byDrop.map(({ manifest }) => manifest));
  const byAnswer = answered(run).filter(({ manifest }) => !dropping.has(manifest));
  const found = new Map([...byDrop, ...byAnswer].map((each) => [keyOf(each), each]));
  return [...found.values()].map(({ manifest, path, why }) =>
    manifest.finding(rehearsalRules['rehearsal-port-missing'], {
      message: `${manifest.kind} "${manifest.name}" sends the requests for ${run.release.manifest.kind} "${run.release.manifest.name}" to a port that is not there: ${why}`,
      path,
    }),
  );
}

function keyOf({ manifest, path }: Missing): string {
  return `${manifest.groupKind} ${manifest.namespace}/${manifest.name} ${formatPath(path)}`;
}

function answered(run: Run): Missing[] {
  const found: Missing[] = [];
  for (const { listeners, members, candidatesOf } of run.seen[0]!.table.values()) {
    for (const { host, paths, extras } of members.flatMap(candidatesOf)) {
      for (const listener of listeners) {
        for (const path of paths) {
          const { answer, rule } = listener.route({ host, path, ...extras });
          if (answer.kind !== 'services' || rule === undefined) continue;
          const missing = answer.destinations.find((each) => isOwn(each, run) && lacksPort(each));
          if (missing !== undefined) found.push({ ...rule, why: missing.unavailable!.why });
        }
      }
    }
  }
  return found;
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
