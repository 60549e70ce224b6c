/** Finds Ingresses that answer with errors while no release is under way. */
import type { Finding, Manifest } from '../core';
import { asList, asObject } from '../core/json';
import { type ReleaseTraffic, whenOf } from '../release';
import { ask, backendsAt } from './answers';
import { textOf } from './places';
import { rehearsalRules } from './rules';
import type { Run } from './run';
import type { LoadBalancerState } from './tables';
import { answerText } from './words';

/** One finding for each Ingress that leads to an entry Service and answers all requests with an error. */
export function unreachableFindings(run: Run): Finding[] {
  const { entryServices = [] } = run.traffic;
  if (entryServices.length === 0) return [];
  const found = new Map<Manifest, Finding>();
  for (const state of run.seen[0]!.table.values()) {
    for (const manifest of state.members) {
      if (found.has(manifest) || !leadsTo(manifest, run.traffic)) continue;
      const finding = unreachableFinding(run, state, manifest);
      if (finding !== undefined) found.set(manifest, finding);
    }
  }
  return [...found.values()];
}

function unreachableFinding(run: Run, state: LoadBalancerState, ingress: Manifest): Finding | undefined {
  const { traffic, play, release, seen } = run;
  const { entryServices = [] } = traffic;
  const { moment } = seen[0]!;
  const { world } = moment;
  for (const listener of state.listeners) {
    const backends = { ...backendsAt(moment, { traffic, play }), otherServices: entryServices };
    for (const { host, paths, extras } of state.candidatesOf(ingress)) {
      const request = { host, path: paths[0] ?? '/', ...extras };
      const { rule, shares, answer, manifest } = ask(listener, request, backends);
      if (rule === undefined || manifest !== ingress || shares.failed < 1) continue;
      const service = ingress.get(`${rule.path}.backend.service.name`);
      if (typeof service !== 'string' || !entryServices.includes(service)) continue;
      const entry = { router: state.router, name: state.name, port: listener.port, protocol: listener.protocol };
      const fix = release.fixUnreachable?.({ world, ingress, path: rule.path, service });
      return release.manifest.finding(rehearsalRules['rehearsal-requests-fail'], {
        message: `${whenOf(moment)} all requests for Ingress "${ingress.name}" get an error: ${answerText(answer)}`,
        path: release.path,
        request: textOf({ entries: [entry] }, { request, entry: 0 }),
        because: 'users get this as soon as the manifests are applied, and for as long as they are',
        ...(fix === undefined ? {} : { fix }),
        related: {
          message: `${rule.description} of ${state.router} "${state.name}" takes the request`,
          object: ingress.ref,
          ...(rule.source === undefined ? {} : { source: rule.source }),
        },
      });
    }
  }
  return undefined;
}

/** Whether an Ingress has a path to the release. Other Ingresses of its group are not checked. */
function leadsTo(ingress: Manifest, { namespace, entryServices = [] }: ReleaseTraffic): boolean {
  if (ingress.namespace !== undefined && ingress.namespace !== namespace) return false;
  return asList(ingress.get('spec.rules')).some((rule) =>
    asList(asObject(asObject(rule).http).paths).some((path) => {
      const { name } = asObject(asObject(asObject(path).backend).service);
      return entryServices.includes(typeof name === 'string' ? name : '');
    }),
  );
}
