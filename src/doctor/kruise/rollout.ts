/** The questions about one Rollout or TrafficRouting of Kruise Rollouts. */

import { type Finding, findingTexts, groupKindOf, isJsonObject, type Manifest, type ObjectRef } from '../../core';
import type { CheckupItem, CheckupSection } from '../../core/checkup';
import { playRollout, playTrafficRouting, type RolloutPlay, workloadOf } from '../../kruise/controller';
import { declaredBy, momentOf, releaseOfRollout, releaseOfTrafficRouting } from '../../kruise/release';
import { readStrategy } from '../../kruise/routing';
import { lookupCustomScript, lookupIngressScript, type ScriptLookup } from '../../kruise/scripts/lookup';
import type { RolloutSubject, RouteSubject } from '../../kruise/subject';
import { routersFor } from '../../rehearsal/routers';
import type { Moment, PodGroup, Release, ReleaseTraffic } from '../../release';
import { conditionLines } from '../conditions';
import { groupKindOfRead, READ_KINDS, resourceOf } from '../kinds';
import { listed, nameOf, Question } from '../question';
import { type LivePods, livePods, requestsNow, withoutPods, withoutRelease } from '../requests';
import { accountOf, type KruiseContext } from './context';
import { kruiseProgressItem } from './progress';
import { type ReleaseState, releaseStateOf, routingStateOf } from './state';
import { expectedItem, writtenItem } from './written';

/** All questions about a Rollout. */
export function rolloutSection(
  rollout: RolloutSubject,
  context: KruiseContext,
  findings: readonly Finding[],
): CheckupSection {
  const { manifest, namespace, route } = rollout;
  const section = { title: nameOf(manifest, namespace), object: manifest.ref };
  const state = releaseStateOf(rollout);
  const objects = kruiseObjectsItem(rollout, context);
  const progress = kruiseProgressItem({ rollout, state, findings, objects, cluster: context.cluster });
  if (manifest.get('spec.disabled') === true) {
    return {
      ...section,
      items: [new Question('kruise-status', 'where is the release?', []).ok('the Rollout is disabled')],
    };
  }
  const { version, scripts, declared, declaredScopes } = context;
  const release = releaseOfRollout(rollout, declared.world, { version, getScripts: () => scripts });
  const { traffic } = release;
  if (route === undefined || traffic === undefined)
    return { ...section, items: [statusItem(state, manifest), progress, objects] };
  const play = playRollout(declaredScopes.of(traffic, release.needs), rollout, scripts);
  return {
    ...section,
    items: [
      statusItem(state, manifest),
      progress,
      objects,
      ...scriptItems(route, play, context),
      permissionsItem(manifest, context),
      writtenItem(manifest, context.declared.written),
      expectedItem(route, state, play, context),
      requestsItem(rollout, release, traffic, { state, play }, context),
    ],
  };
}

/** All questions about a TrafficRouting. The Rollout that refers to it answers where requests go. */
export function trafficRoutingSection(route: RouteSubject, context: KruiseContext): CheckupSection {
  const { manifest, namespace } = route;
  const { version, scripts } = context;
  const { traffic } = releaseOfTrafficRouting(route, { version, getScripts: () => scripts });
  const play = playTrafficRouting(context.declaredScopes.of(traffic), route, context.scripts);
  const state = routingStateOf(manifest);
  return {
    title: nameOf(manifest, namespace),
    object: manifest.ref,
    items: [
      statusItem(state, manifest),
      ...scriptItems(route, play, context),
      permissionsItem(manifest, context),
      writtenItem(manifest, context.declared.written),
      expectedItem(route, state, play, context),
    ],
  };
}

function statusItem({ text, message, isIdle }: ReleaseState, manifest: Manifest): CheckupItem {
  const question = new Question('kruise-status', 'where is the release?', ['status']);
  const said = message === undefined ? '' : `; it says: ${message}`;
  return question.ok(`${text}${isIdle ? ', so no release is in progress' : ''}${said}`, {
    details: conditionLines(manifest),
  });
}

/** Do the objects that a Rollout names exist? */
export function kruiseObjectsItem(
  { workload, route, namespace }: RolloutSubject,
  { cluster }: Pick<KruiseContext, 'cluster'>,
): CheckupItem {
  const refs: (ObjectRef & { readonly apiVersion: string })[] = [
    ...(workload === undefined ? [] : [workload.ref]),
    ...(route === undefined ? [] : refsOf(route)),
  ];
  const names = refs.map(({ kind, name }) => `${kind} ${namespace}/${name}`);
  const question = new Question('kruise-objects', 'do the objects that it names exist?', names);
  const absent = refs.filter((ref) => cluster.world.get({ ...ref, namespace }) === undefined);
  const missing = absent.filter(({ kind, apiVersion }) => !cluster.unread(groupKindOf(kind, apiVersion), namespace));
  if (missing.length > 0) {
    const list = missing.map(({ kind, name }) => `${kind} ${namespace}/${name}`);
    return question.problem(`${listed(list)} ${list.length === 1 ? 'does' : 'do'} not exist`, {
      fix: 'create what is missing, or correct the name in the Rollout; all objects must be in its namespace',
    });
  }
  const [unknown] = absent;
  if (unknown !== undefined) {
    return question.unknown(cluster.unread(groupKindOf(unknown.kind, unknown.apiVersion), namespace)!);
  }
  return question.ok('all of them exist');
}

function refsOf({ service, ingress, gateway, customNetworkRefs }: RouteSubject) {
  return [
    { apiVersion: 'v1', kind: 'Service', name: service },
    ...(ingress === undefined ? [] : [{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: ingress.name }]),
    ...(gateway === undefined
      ? []
      : [{ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', name: gateway.httpRouteName }]),
    ...customNetworkRefs.map(({ ref }) => ref),
  ];
}

/** The controller's lookup of the script, and a run of every step on the objects of the cluster. */
function scriptItems(route: RouteSubject, play: RolloutPlay, context: KruiseContext): CheckupItem[] {
  const { ingress, customNetworkRefs } = route;
  const { sources, configMapUnread } = context;
  const lookups = [
    ...(ingress === undefined ? [] : [lookupIngressScript(ingress.classType, sources)]),
    ...customNetworkRefs.map(({ ref }) => lookupCustomScript(ref, sources)),
  ];
  const looked = [...new Set(lookups.map((found) => placeOf(found, context)))];
  const finds = new Question('kruise-script', 'does the controller find the script?', looked);
  const runs = new Question(
    'kruise-script-runs',
    'does the script run on the objects of the cluster?',
    refsOf(route).map(({ kind, name }) => `${kind} ${route.namespace}/${name}`),
  );
  if (lookups.length === 0) {
    return [finds.notApplicable('the Rollout routes by an HTTPRoute, without a script')];
  }
  const missing = lookups.filter((found) => !found.found);
  const [first] = missing;
  if (first !== undefined && !first.found) {
    if (configMapUnread !== undefined) return [finds.unknown(configMapUnread), runs.unknown(configMapUnread)];
    return [
      finds.problem(`${first.error}: no key "${first.key}", and no such script in the image of the controller`, {
        fix: `put the script under the key "${first.key}" into the ConfigMap; the controller needs no restart`,
      }),
      runs.notApplicable('there is no script'),
    ];
  }
  return [finds.ok(`it takes ${listed(looked)}`), runsItem(runs, play, route, context)];
}

function placeOf(found: ScriptLookup, { namespace }: KruiseContext): string {
  if (found.found && found.from === 'builtin') return `${found.key} of its image`;
  return `the key "${found.key}" of ConfigMap ${namespace}/kruise-rollout-configuration`;
}

function runsItem(
  question: Question,
  { error, moments }: RolloutPlay,
  route: RouteSubject,
  { cluster }: KruiseContext,
): CheckupItem {
  if (error === undefined) {
    const steps = moments.filter(({ phase }) => phase === 'step').length;
    return question.ok(`all ${steps} steps run to their end`);
  }
  const { object } = error;
  const isAbsent = error.class === 'not-found' && object !== undefined;
  const absent = isAbsent
    ? refsOf(route).find(({ kind, name }) => kind === object.kind && name === object.name)
    : undefined;
  const unread = absent && cluster.unread(groupKindOf(absent.kind, absent.apiVersion), route.namespace);
  if (unread !== undefined) return question.unknown(unread);
  const at = object === undefined ? '' : ` for ${object.kind} ${object.name}`;
  return question.problem(`at steps[${error.step}]${at}: ${error.message}`, {
    ...(error.log === undefined ? {} : { fix: `the log of the controller then says: ${error.log}` }),
  });
}

const ROLES = READ_KINDS.filter(({ kind }) => kind === 'ClusterRole' || kind === 'ClusterRoleBinding');

function permissionsItem(manifest: Manifest, context: KruiseContext): CheckupItem {
  const { cluster, controllers, namespace } = context;
  const question = new Question(
    'kruise-permissions',
    'may the controller change these objects?',
    ROLES.map((kind) => resourceOf(kind)),
  );
  const unread = ROLES.map((kind) => cluster.unread(groupKindOfRead(kind))).find((one) => one !== undefined);
  if (unread !== undefined) return question.unknown(unread);
  const missing = context
    .missingPermissions()
    .filter(
      ({ object }) =>
        object?.kind === manifest.kind && object.name === manifest.name && object.namespace === manifest.namespace,
    );
  const [first, ...others] = missing.map(findingTexts);
  if (first !== undefined) {
    return question.problem(first.message, { fix: first.fix, details: others.map(({ message }) => message) });
  }
  const { namespace: at, serviceAccountName } = accountOf(controllers, namespace);
  const name = `ServiceAccount ${at}/${serviceAccountName}`;
  return question.ok(`${name} may change all of them`);
}

const NOTHING = { share: 0, matches: [] };

function requestsItem(
  rollout: RolloutSubject,
  release: Release,
  traffic: ReleaseTraffic,
  { state, play }: { readonly state: ReleaseState; readonly play: RolloutPlay },
  context: KruiseContext,
): CheckupItem {
  const id = 'kruise-requests';
  const { cluster, version } = context;
  const { namespace } = traffic;
  const found = ['Service', 'Pod'].map((kind) => cluster.unread(kind, namespace));
  if (found[0] !== undefined) return new Question(id, 'where do requests go now?', []).unknown(found[0]);
  const pods = podsOf(rollout, state, play, context);
  const live = withoutPods(context.liveScopes.of(traffic));
  const step = state.step === undefined ? undefined : rollout.steps[state.step];
  const strategy = step === undefined ? undefined : readStrategy(step.object, { version, v1alpha1: rollout.v1alpha1 });
  const declared = state.isIdle ? NOTHING : strategy && declaredBy(strategy);
  const now: Moment = {
    phase: state.isIdle ? 'finish' : 'step',
    event: 'now',
    world: live,
    pods: pods.groups,
    ...(state.step === undefined ? {} : { step: state.step }),
    ...(declared === undefined ? {} : { declared }),
    ...(strategy === undefined || state.isIdle ? {} : { routesTraffic: true }),
  };
  const [first] = play.moments;
  const own = context.declared.written.filter(({ owner }) => owner === rollout.manifest);
  const idle = own.flatMap(({ live: object, action }) =>
    action === 'created' ? [] : (first!.world.get(object.ref) ?? []),
  );
  const item = requestsNow(id, {
    before: { ...momentOf(first!), world: withoutRelease(live, own, idle) },
    now,
    isSettled: state.isSettled,
    revisionLabel: play.revisionLabel,
    release,
    traffic,
    routers: routersFor(traffic, live, context.routers),
  });
  return { ...item, looked: [...item.looked, pods.looked] };
}

/** The running pods. If pods cannot be read, the numbers of the status. */
function podsOf(rollout: RolloutSubject, state: ReleaseState, play: RolloutPlay, { cluster }: KruiseContext): LivePods {
  const { workload, namespace, manifest } = rollout;
  const found = workload === undefined ? undefined : cluster.world.get({ ...workload.ref, namespace });
  const labels = found?.get('spec.selector.matchLabels');
  const { revisionLabel } = play;
  const isCanary = (hash: string) => !state.isIdle && hash === state.canaryHash && hash !== state.stableHash;
  const revisionOf = (hash: string) => (isCanary(hash) ? 'canary' : 'stable');
  const selector = isJsonObject(labels) ? (labels as Readonly<Record<string, string>>) : {};
  const live = livePods(cluster, namespace, selector, revisionLabel, revisionOf);
  if (live !== undefined && (live.groups.length > 0 || cluster.isLive)) return live;
  const { stableHash = 'stable', canaryHash = 'canary' } = state;
  const counted = manifest.get('status.canaryStatus.canaryReadyReplicas');
  const canary = state.isIdle || typeof counted !== 'number' ? 0 : counted;
  const template = workloadOf(workload?.ref, found);
  const group = (revision: PodGroup['revision'], hash: string, replicas: number): PodGroup => ({
    revision,
    replicas,
    ...(template.labels === undefined ? {} : { labels: { ...template.labels, [revisionLabel]: hash } }),
  });
  const groups = [group('stable', stableHash, template.replicas), group('canary', canaryHash, canary)];
  return { groups, looked: 'the number of pods in the status, as the pods themselves are not known' };
}
