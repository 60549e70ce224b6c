/** The questions about one Rollout of Argo. */

import {
  ARGO_REVISION_LABEL,
  MANAGED_ANNOTATIONS,
  readAlbRollout,
  removeManagedRoutes,
  setWeight,
} from '../../argo/controller';
import { argoWorkloadOf } from '../../argo/controller/play';
import { type ArgoSubject, argoRolloutOf, argoSubjectsOf, releaseOf } from '../../argo/release';
import { controllersOf } from '../../argo/rules/install';
import { accountOf } from '../../argo/rules/permissions';
import type { ArgoRolloutsVersion } from '../../argo/version';
import { type Finding, groupKindOf, type Manifest, type ObjectRef, type World } from '../../core';
import type { CheckupItem, CheckupSection } from '../../core/checkup';
import { asObject } from '../../core/json';
import { routersFor } from '../../rehearsal/routers';
import type { Scopes } from '../../rehearsal/scope';
import type { Moment, PodGroup, Release, ReleasePlay } from '../../release';
import type { Router } from '../../routers';
import { type LiveCluster, rewrittenLike } from '../cluster';
import { conditionLines } from '../conditions';
import { type Declared, managedKeys } from '../declared';
import { differenceOf, type Extent, type RevisionHashes } from '../difference';
import { lastWhere } from '../last';
import { missingVerbs, rolesUnread } from '../permissions';
import { listed, nameOf, Question } from '../question';
import { livePods, requestsNow, withoutPods, withoutRelease } from '../requests';
import { argoProgressItem } from './progress';
import { type ArgoState, argoStateOf } from './state';

/** The input of every question about a Rollout of Argo. */
export interface ArgoContext {
  readonly cluster: LiveCluster;
  readonly declared: Declared;
  readonly routers: readonly Router[];
  readonly liveScopes: Scopes;
  readonly declaredScopes: Scopes;
  readonly argoVersion: ArgoRolloutsVersion;
}

const INGRESS = 'Ingress.networking.k8s.io';

/** All questions about a Rollout. Without traffic routing, the controller writes no routes that could be wrong. */
export function argoSection(manifest: Manifest, context: ArgoContext, findings: readonly Finding[]): CheckupSection {
  const { world } = context.cluster;
  const subject = argoSubjectsOf(world).find((one) => one.manifest === manifest);
  const rollout = subject ?? argoRolloutOf(manifest, world);
  const state = argoStateOf(rollout);
  const section = { title: nameOf(manifest, rollout.namespace), object: manifest.ref };
  const progress = argoProgressItem({
    rollout,
    state,
    cluster: context.cluster,
    version: context.argoVersion,
    findings,
  });
  const items = [statusItem(state, manifest), progress];
  if (subject === undefined) return { ...section, items };
  const withObjects = [...items, objectsItem(subject, context)];
  if (!subject.hasRouting) return { ...section, items: withObjects };
  return { ...section, items: [...withObjects, ...routeItems(subject, state, context)] };
}

/** The questions about what the controller writes. */
function routeItems(subject: ArgoSubject, state: ArgoState, context: ArgoContext): CheckupItem[] {
  const { manifest, traffic, workload } = subject;
  const { declared, declaredScopes } = context;
  const otherRouter = otherRouterOf(subject);
  if (otherRouter !== undefined) {
    const question = new Question('argo-expected', 'are the written objects as expected?', []);
    const answer = `objects of the traffic router "${otherRouter}" are not compared`;
    return [question.open(answer)];
  }
  const found = workload === undefined ? undefined : declared.world.get(workload);
  const own = declared.world.get(manifest.ref) ?? manifest;
  const scope = declaredScopes.of(traffic, found === undefined ? [own] : [own, found]);
  const release = releaseOf(subject, declared.world);
  const play = release.play(scope);
  return [
    permissionsItem(subject, context),
    writtenItem(manifest, declared),
    expectedItem(subject, state, play, context),
    ...(readAlbRollout(manifest.object) === undefined ? [] : [verifiedItem(manifest)]),
    requestsItem(subject, release, state, play, context),
  ];
}

/** A traffic router whose objects this command does not compare: all but an ALB. */
function otherRouterOf({ manifest, hasRouting }: ArgoSubject): string | undefined {
  const names = Object.keys(asObject(manifest.get('spec.strategy.canary.trafficRouting')));
  const routers = names.filter((name) => !['alb', 'managedRoutes', 'maxTrafficWeight'].includes(name));
  return hasRouting ? routers[0] : undefined;
}

function statusItem({ text, message, isIdle }: ArgoState, manifest: Manifest): CheckupItem {
  const question = new Question('argo-status', 'where is the release?', ['status']);
  const said = message === undefined ? '' : `; it says: ${message}`;
  const answer = `${text}${isIdle ? ', so no release is in progress' : ''}${said}`;
  const details = conditionLines(manifest);
  return manifest.get('status.phase') === 'Degraded'
    ? question.problem(answer, { details })
    : question.ok(answer, { details });
}

function objectsItem({ manifest, namespace, traffic }: ArgoSubject, { cluster }: ArgoContext): CheckupItem {
  const refs = [...new Map(traffic.objects.map((ref) => [`${ref.kind} ${namespace}/${ref.name}`, ref]))];
  const names = refs.map(([name]) => name);
  const question = new Question('argo-objects', 'do the objects that it names exist?', names);
  const absent = refs.filter(([, ref]) => cluster.world.get({ ...ref, namespace }) === undefined);
  const unreadOf = ({ kind, apiVersion = kind === 'Ingress' ? 'networking.k8s.io/v1' : 'v1' }: ObjectRef) =>
    cluster.unread(groupKindOf(kind, apiVersion), namespace);
  const missing = absent.filter(([, ref]) => unreadOf(ref) === undefined);
  if (missing.length > 0) {
    return question.problem(`${listed(missing.map(([name]) => name))} of ${manifest.name} cannot be found`, {
      fix: 'create what is missing, or correct the name in the Rollout',
    });
  }
  const unread = absent.map(([, ref]) => unreadOf(ref))[0];
  return unread === undefined ? question.ok('all of them exist') : question.unknown(unread);
}

function permissionsItem({ namespace, ingresses }: ArgoSubject, { cluster }: ArgoContext): CheckupItem {
  const [controller] = controllersOf(cluster);
  const question = new Question('argo-permissions', 'may the controller change these objects?', [
    'clusterroles.rbac.authorization.k8s.io',
    'clusterrolebindings.rbac.authorization.k8s.io',
  ]);
  if (controller === undefined) return question.open('no controller is known, whose permissions could be looked at');
  const unread = rolesUnread(cluster, namespace);
  if (unread !== undefined) return question.unknown(unread);
  const account = {
    namespace: cluster.world.namespaceOf(controller.manifest),
    serviceAccountName: accountOf(controller.manifest),
  };
  const needs = [
    { group: '', resource: 'services', verbs: ['get', 'list', 'patch', 'watch'] },
    ...(ingresses.length === 0
      ? []
      : [{ group: 'networking.k8s.io', resource: 'ingresses', verbs: ['get', 'list', 'patch', 'watch'] }]),
  ];
  const missing = missingVerbs(cluster, account, needs, namespace);
  const name = `ServiceAccount ${account.namespace}/${account.serviceAccountName}`;
  if (missing.length === 0) return question.ok(`${name} may change all of them`);
  return question.problem(`${name} may not ${listed(missing)}`, { fix: 'grant it by a ClusterRole and a binding' });
}

function writtenItem(manifest: Manifest, { written }: Declared): CheckupItem {
  const own = written.filter(({ owner }) => owner === manifest);
  const question = new Question(
    'argo-written',
    'what has the controller written so far?',
    own.map(({ live }) => nameOf(live)),
  );
  if (own.length === 0) return question.ok('nothing: every object is as it was declared');
  return question.ok(listed(own.map(({ live, what }) => `${nameOf(live)} (${what})`)));
}

function expectedItem(
  subject: ArgoSubject,
  state: ArgoState,
  play: ReleasePlay,
  { cluster }: ArgoContext,
): CheckupItem {
  const targets = targetsOf(subject);
  const question = new Question(
    'argo-expected',
    'is that what it should have written by now?',
    targets.map(({ name }) => name),
  );
  const unread = [INGRESS, 'Service'].map((kind) => cluster.unread(kind, subject.namespace)).find(Boolean);
  if (unread !== undefined) return question.unknown(unread);
  const { stableHash: stable, canaryHash: canary } = state;
  const hashes = { labels: [ARGO_REVISION_LABEL], stable, canary };
  const compared = state
    .possible(play.moments)
    .map(({ world }) => linesOf(subject, targets, world, cluster.world, hashes));
  const equal = lastWhere(compared, (lines) => lines.length === 0);
  if (equal !== undefined) return question.ok(`all is as the controller writes it (${state.text})`);
  if (play.stop !== undefined && (state.step ?? 0) >= play.stop.step) {
    return question.problem(`the controller cannot complete steps[${play.stop.step}]: ${play.stop.message}`);
  }
  const details = ['- should be, + is', ...(compared.at(-1) ?? [])];
  if (!state.isSettled) {
    return question.open(`the controller is at work (${state.text}), so this may change by itself: look again`, {
      details,
    });
  }
  return question.problem(`what is there differs from what the controller writes (${state.text})`, {
    details,
    fix: `look for who else writes these objects: a GitOps tool that does not ignore ${MANAGED_ANNOTATIONS} and the actions, a person`,
  });
}

interface Target {
  readonly name: string;
  readonly extent: Extent;
  in(world: World): Manifest | undefined;
}

function targetsOf({ manifest, namespace, traffic, ingresses }: ArgoSubject): Target[] {
  const hasRoutes = (readAlbRollout(manifest.object)?.managedRoutes.length ?? 0) > 0;
  const services = [...new Set([traffic.stableService, traffic.canaryService])].filter((name) => name !== '');
  const target = (kind: string, name: string, extent: Extent): Target => ({
    name: `${kind.split('.')[0]} ${namespace}/${name}`,
    extent,
    in: (world) => world.find(kind, name, namespace),
  });
  return [
    ...ingresses.map((name) => target(INGRESS, name, hasRoutes ? 'ingress' : 'annotations')),
    ...services.map((name) => target('Service', name, 'selector')),
  ];
}

/** Compares only this Rollout's part of an Ingress, because other Rollouts may use the Ingress too. */
function linesOf(
  { manifest }: ArgoSubject,
  targets: readonly Target[],
  expected: World,
  live: World,
  hashes: RevisionHashes,
): string[] {
  return targets.flatMap((target) => {
    const [should, is] = [target.in(expected), target.in(live)];
    const own = new Set([should, is].flatMap((one) => (one === undefined ? [] : managedKeys(one, manifest.name))));
    const lines = differenceOf(should, is, target.extent, hashes, (annotation) => own.has(annotation));
    return lines.length === 0 ? [] : [target.name, ...lines.map((line) => `  ${line}`)];
  });
}

/** What the controller verified at the load balancer. Without verification, the status has nothing about it. */
function verifiedItem(manifest: Manifest): CheckupItem {
  const path = 'status.canary.weights.verified';
  const question = new Question('argo-verified', 'has the load balancer followed?', [path]);
  const verified = manifest.get(path);
  if (verified === undefined) return question.notApplicable('the controller has not asked the load balancer');
  if (verified === true) return question.ok('the controller saw the weights at the load balancer');
  return question.problem('the controller does not see the weights at the load balancer', {
    fix: 'look at the events of Ingress and Rollout: a load balancer that takes no changes, or AWS permissions',
  });
}

function requestsItem(
  subject: ArgoSubject,
  release: Release,
  state: ArgoState,
  play: ReleasePlay,
  context: ArgoContext,
): CheckupItem {
  const id = 'argo-requests';
  const { cluster, routers } = context;
  const { manifest, namespace, traffic } = subject;
  const unread = ['Service', INGRESS].map((kind) => cluster.unread(kind, namespace)).find(Boolean);
  if (unread !== undefined) return new Question(id, 'where do requests go now?', []).unknown(unread);
  const live = withoutPods(context.liveScopes.of(traffic, [manifest]));
  const played = state.possible(play.moments).at(-1);
  const pods = podsOf(subject, state, cluster, played);
  const { declared, routesTraffic, summary } = played ?? {};
  const now: Moment = {
    phase: played?.phase === 'step' ? 'step' : 'finish',
    event: 'now',
    world: live,
    pods: pods.groups,
    ...(state.step === undefined ? {} : { step: state.step }),
    ...(declared === undefined ? {} : { declared }),
    ...(routesTraffic === undefined ? {} : { routesTraffic }),
    ...(summary === undefined ? {} : { summary }),
  };
  const [first] = play.moments;
  const item = requestsNow(id, {
    before: { ...first!, world: withoutRelease(live, [], idleObjects(subject, first!.world, live)) },
    now,
    isSettled: state.isSettled,
    revisionLabel: play.revisionLabel,
    ...(play.otherServices === undefined ? {} : { otherServices: play.otherServices }),
    release,
    traffic,
    routers: routersFor(traffic, live, routers),
  });
  return { ...item, looked: [...item.looked, pods.looked] };
}

/** The Rollout's own objects without a release. Keeps the entries of other Rollouts on the same Ingress. */
function idleObjects({ manifest, namespace, traffic, ingresses }: ArgoSubject, before: World, live: World): Manifest[] {
  const rollout = readAlbRollout({ ...manifest.object, metadata: { name: manifest.name, namespace } });
  const services = [traffic.stableService, traffic.canaryService].flatMap(
    (name) => before.find('Service', name, namespace) ?? [],
  );
  const routed = ingresses.flatMap((name): Manifest[] => {
    const found = live.find(INGRESS, name, namespace);
    if (found === undefined || rollout === undefined) return [];
    const alone = { ...rollout, ingresses: [name] };
    const [idle] = setWeight(alone, removeManagedRoutes(alone, [found.object]).ingresses, 0).ingresses;
    return idle === undefined ? [] : [rewrittenLike(found, idle)];
  });
  return [...services, ...routed];
}

function podsOf(subject: ArgoSubject, state: ArgoState, cluster: LiveCluster, played: Moment | undefined) {
  const { manifest, namespace } = subject;
  const { labels = {} } = argoWorkloadOf(cluster.world, manifest);
  const isCanary = (hash: string) => hash === state.canaryHash && hash !== state.stableHash;
  const revisionOf = (hash: string): PodGroup['revision'] => (isCanary(hash) ? 'canary' : 'stable');
  const live = livePods(cluster, namespace, labels, ARGO_REVISION_LABEL, revisionOf);
  if (live !== undefined && (live.groups.length > 0 || cluster.isLive)) return live;
  // The numbers of the played release, with the hashes of the cluster.
  const hashes = { stable: state.stableHash ?? 'stable', canary: state.canaryHash ?? 'canary' };
  const groups = (played?.pods ?? []).map(({ revision, replicas, labels: own }): PodGroup => {
    if (own === undefined) return { revision, replicas };
    return { revision, replicas, labels: { ...own, [ARGO_REVISION_LABEL]: hashes[revision] } };
  });
  return { groups, looked: 'the pods that the played release has, as the pods themselves are not known' };
}
