/** Compares what the controller has written for a Rollout with what it should have written by now. */

import type { Manifest, World } from '../../core';
import type { CheckupItem } from '../../core/checkup';
import { canaryIngressName, type RolloutPlay } from '../../kruise/controller';
import type { RouteSubject } from '../../kruise/subject';
import type { Written } from '../declared';
import { differenceOf, type Extent, type RevisionHashes } from '../difference';
import { PATIENCE_SECONDS, secondsSince } from '../elapsed';
import { lastWhere } from '../last';
import { listed, nameOf, Question } from '../question';
import type { KruiseContext } from './context';
import type { ReleaseState } from './state';

/** An object of a Rollout, and the parts that the controller writes. */
interface Target {
  readonly name: string;
  readonly extent: Extent;
  in(world: World): Manifest | undefined;
}

/** The work of the controller for this Rollout. */
export function writtenItem(owner: Manifest, all: readonly Written[]): CheckupItem {
  const own = all.filter((one) => one.owner === owner);
  const looked = own.map(({ live }) => nameOf(live));
  const question = new Question('kruise-written', 'what has the controller written so far?', looked);
  if (own.length === 0) return question.ok('nothing: every object is as it was declared');
  return question.ok(listed(own.map(({ live, what, action }) => `${nameOf(live)} (${what}, ${action})`)));
}

/** Compares the cluster with the played release. */
export function expectedItem(
  route: RouteSubject,
  state: ReleaseState,
  play: RolloutPlay,
  { cluster, version }: KruiseContext,
): CheckupItem {
  const targets = targetsOf(route);
  const question = new Question(
    'kruise-expected',
    'is that what it should have written by now?',
    targets.map(({ name }) => name),
  );
  const unread = targets.length === 0 ? undefined : unreadOf(route, cluster);
  if (unread !== undefined) return question.unknown(unread);
  const hashes = {
    labels: ['pod-template-hash', 'controller-revision-hash'],
    stable: state.stableHash,
    canary: state.canaryHash,
  };
  const moments = state.possible(play);
  const stop = play.error;
  const compared = moments.map((moment) => ({
    moment,
    lines: targets.flatMap((target) => linesOf(target, moment.world, cluster.world, hashes)),
  }));
  const equal = lastWhere(compared, ({ lines }) => lines.length === 0);
  if (equal !== undefined && (state.isSettled || equal === compared.at(-1))) {
    return question.ok(
      state.isIdle ? 'nothing of a release is left' : `all is as release ${version} writes it (${state.text})`,
    );
  }
  if (stop !== undefined && (state.step ?? 0) >= stop.step && !state.isIdle) {
    return question.problem(`the controller cannot complete steps[${stop.step}]: ${stop.message}`, {
      details: compared.at(-1)?.lines ?? [],
      ...(stop.log === undefined ? {} : { fix: `its log says: ${stop.log}` }),
    });
  }
  const nearest = compared.at(-1);
  const details = nearest === undefined ? [] : ['- should be, + is', ...nearest.lines];
  if (!state.isSettled) return inFlight(question, state, details, cluster.now);
  return question.problem(
    state.isIdle
      ? 'objects of a release are left, although none is in progress'
      : `what is there differs from what release ${version} writes at ${state.text}`,
    { details, fix: 'find what else writes these objects: a GitOps tool, a person, another controller' },
  );
}

function inFlight(question: Question, state: ReleaseState, details: string[], now: Date | undefined): CheckupItem {
  const waited = secondsSince(state.since, now);
  if (waited === undefined || waited <= PATIENCE_SECONDS) {
    return question.open(`the controller is at work (${state.text}), so this may change by itself: look again`, {
      details,
    });
  }
  return question.problem(
    `the controller has been at this since ${state.since} and makes no progress (${state.text})`,
    {
      details,
      fix: 'look for the reason in the other questions, then in the log of the controller',
    },
  );
}

function targetsOf({
  namespace,
  service,
  canaryService,
  makesCanaryService,
  ingress,
  gateway,
  ...route
}: RouteSubject) {
  const target = (groupKind: string, name: string, extent: Extent): Target => ({
    name: `${groupKind.split('.')[0]} ${namespace}/${name}`,
    extent,
    in: (world) => world.find(groupKind, name, namespace),
  });
  return [
    ...(makesCanaryService
      ? [target('Service', service, 'selector'), target('Service', canaryService, 'service')]
      : []),
    ...(ingress === undefined ? [] : [target('Ingress.networking.k8s.io', canaryIngressName(ingress.name), 'ingress')]),
    ...(gateway === undefined ? [] : [target('HTTPRoute.gateway.networking.k8s.io', gateway.httpRouteName, 'rules')]),
    ...route.customNetworkRefs.map(({ ref }): Target => {
      const name = `${ref.kind} ${namespace}/${ref.name}`;
      return { name, extent: 'whole', in: (world) => world.get({ ...ref, namespace }) };
    }),
  ];
}

function unreadOf({ namespace, ingress, gateway, customNetworkRefs }: RouteSubject, cluster: KruiseContext['cluster']) {
  const kinds = [
    'Service',
    ...(ingress === undefined ? [] : ['Ingress.networking.k8s.io']),
    ...(gateway === undefined ? [] : ['HTTPRoute.gateway.networking.k8s.io']),
    ...customNetworkRefs.map(({ ref }) => `${ref.kind}.${ref.apiVersion.split('/')[0]}`),
  ];
  return kinds.map((kind) => cluster.unread(kind, namespace)).find((one) => one !== undefined);
}

function linesOf(target: Target, expected: World, live: World, hashes: RevisionHashes): string[] {
  const [should, is] = [target.in(expected), target.in(live)];
  // The controller does not write an object that the model does not have either.
  if (should === undefined && is === undefined) return [];
  if (should === undefined) return [`${target.name} should not be there`];
  if (is === undefined) return [`${target.name} should be there`];
  const lines = differenceOf(should, is, target.extent, hashes);
  return lines.length === 0 ? [] : [target.name, ...lines.map((line) => `  ${line}`)];
}
