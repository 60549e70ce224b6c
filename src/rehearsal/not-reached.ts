/** Says why no request reaches a release. */
import type { Manifest } from '../core';
import type { Remark } from '../release';
import { ask, backendsAt } from './answers';
import type { Run } from './run';
import { answerText } from './words';

/**
 * The remark of the release itself where its routes are elsewhere. A warning where they are here and no request reaches the
 * release through them: then nobody has seen what the steps do.
 */
export function notReachedRemark(run: Run): Remark {
  const { traffic } = run;
  const failing = failingRoute(run);
  if (failing !== undefined) {
    return {
      ...traffic.notReached,
      severity: 'warning',
      message: `no request reaches the application before the release, so only the controller was rehearsed: ${failing.text}`,
      because: 'the rehearsal compares the steps with what answered before them, and nothing did',
      fix: failing.fix,
    };
  }
  const [named] = namedRoutes(run);
  if (named === undefined) return traffic.notReached;
  const { kind, name } = named;
  return {
    ...traffic.notReached,
    severity: 'warning',
    message: `no load balancer that can be rehearsed serves ${kind} "${name}", so no request reaches Service "${traffic.stableService}"`,
    because: 'nobody has seen what the steps do with requests',
    fix: `check the class, gateway or parent that ${kind} "${name}" names, and pass its manifest too; if no router of this library reads ${kind} objects, try the steps in a cluster`,
    related: named.declaration,
  };
}

interface FailingRoute {
  readonly text: string;
  readonly fix: string;
}

/** The answer of the first load balancer that leads to the release's own Service, and fails or is not known. */
function failingRoute({ traffic, play, seen }: Run): FailingRoute | undefined {
  const { moment, table } = seen[0]!;
  const { otherServices = [] } = play;
  const backends = backendsAt(moment, { traffic, play });
  const own = [traffic.stableService, ...otherServices].map((name) => `${traffic.namespace}/${name}`);
  for (const { router, name, members, listeners, candidatesOf } of table.values()) {
    for (const member of members) {
      for (const { host, paths, extras } of candidatesOf(member)) {
        for (const listener of listeners) {
          const { answer } = ask(listener, { host, path: paths[0] ?? '/', ...extras }, backends);
          const isFailing = (each: { readonly name: string; readonly failure?: string }) =>
            own.includes(each.name) && each.failure !== undefined;
          const isUnknown = answer.kind === 'unknown';
          if (!isUnknown && (answer.kind !== 'services' || !answer.destinations.some(isFailing))) continue;
          return {
            text: `${router} "${name}" answers requests for ${member.kind} "${member.name}" with ${answerText(answer)}`,
            fix: isUnknown
              ? 'send a request of your own that decides it: --probe'
              : 'correct the Service or its pods, and rehearse again',
          };
        }
      }
    }
  }
  return undefined;
}

/** The routes that the release names, as far as they are among the manifests. */
function namedRoutes({ traffic, seen }: Run): Manifest[] {
  const { world } = seen[0]!.moment;
  return traffic.objects
    .filter(({ kind }) => kind !== 'Service')
    .flatMap((ref) => world.get({ ...ref, namespace: traffic.namespace }) ?? []);
}
