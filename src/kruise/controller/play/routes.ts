/** How the controller changes routes: providers reconcile until none of them changes anything. */
import type { TrafficRoutingStrategy } from '../../api';
import { MAX_PASSES, notFound } from '../error';
import type { Provider } from '../providers';
import { type Play, type Routing, Stopped } from './play';

/** Looks up the Service, the routes and the scripts before the first step. A release does not begin without them. */
export function initialiseRoutes({ journal, version }: Play, { route, providers }: Routing): void {
  const { namespace, service } = route;
  if (journal.world.find('Service', service, namespace) === undefined) {
    throw new Stopped(notFound('Service', namespace, service));
  }
  const creates = version.facts.canaryIngressCreatedIn === 'Initialize';
  for (const provider of providers) {
    const missing = provider.missing(journal.world);
    if (missing !== undefined) throw new Stopped(missing);
    if (creates && apply(journal, provider.initialise?.(journal.world))) {
      journal.record('prepare', 0, CANARY_INGRESS_CREATED, { goesOn: true });
    }
  }
}

export const ROUTES_RESTORED = 'routes restored';

const CANARY_INGRESS_CREATED = 'canary Ingress created';

/** Writes the routes for a strategy, until they are as they should be. */
export function ensureRoutes(
  { journal }: Play,
  { providers }: Routing,
  strategy: TrafficRoutingStrategy,
  at: { readonly phase: 'prepare' | 'finish' | 'abort'; readonly step?: number },
): void {
  for (let passes = 0; passes < MAX_PASSES; passes++) {
    let isDone = true;
    let isCreated = false;
    for (const provider of providers) {
      const pass = provider.ensure(journal.world, strategy);
      isCreated = apply(journal, pass) || isCreated;
      isDone &&= pass.done;
    }
    if (isDone) return;
    // The other routes already are as the step declares when the canary Ingress, which takes two reconciles, is created.
    if (isCreated) {
      const details = isAlone(providers) ? {} : { isMixed: true };
      journal.record(at.phase, at.step, CANARY_INGRESS_CREATED, { ...details, goesOn: true });
    }
  }
  const message = `the scripts still change their own output after ${MAX_PASSES} reconciles`;
  throw new Stopped({ class: 'never-settles', message });
}

function isAlone(providers: readonly Provider[]): boolean {
  return providers.length === 1;
}

/** Writes what a provider decides; returns whether it created the canary Ingress. */
function apply(journal: Play['journal'], pass: ReturnType<Provider['ensure']> | undefined): boolean {
  if (pass === undefined) return false;
  for (const manifest of pass.written) journal.write(manifest);
  if (pass.error !== undefined) throw new Stopped(pass.error);
  return pass.created === true;
}

/** Writes the routes as they were before the release. Returns whether anything changes. */
export function restoreRoutes(
  { journal }: Play,
  { providers }: Routing,
  { phase, step }: { readonly phase: 'prepare' | 'finish' | 'abort'; readonly step?: number },
): boolean {
  let isChanged = false;
  for (const provider of providers) {
    const { written, removed, error } = provider.finalise(journal.world);
    for (const manifest of written) isChanged = journal.write(manifest) || isChanged;
    for (const manifest of removed) journal.remove(manifest);
    isChanged ||= removed.length > 0;
    if (error === undefined) continue;
    if (isChanged) journal.record(phase, step, ROUTES_RESTORED);
    throw new Stopped(error);
  }
  return isChanged;
}
