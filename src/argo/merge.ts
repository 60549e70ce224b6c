/** What happens to the Rollouts of Argo when a change is applied. Argo has no webhook, so nothing is refused. */
import type { FieldChange } from '../core/field-changes';
import { asList, asObject, isSet, type Json, type JsonObject, sameJson, textOf } from '../core/json';
import type { Manifest } from '../core/manifest';
import { formatPath, type Path } from '../core/path';
import type { MergeEffect } from '../core/stack-diff';
import type { World } from '../core/world';
import { podChangesText, podTemplateChanges } from '../kubernetes/pod-template';
import { ARGO_ROLLOUT } from './admission/findings';
import { argoWorkloadOf, canaryReplicasAt, delaysAfterAbort, replicasOf, routesTraffic } from './controller';
import type { ArgoRolloutsFacts } from './facts';
import { ArgoRolloutsVersion } from './version';

/** What the effects of a change depend on. */
export interface MergeOptions {
  /**
   * The release of Argo Rollouts.
   * @default ArgoRolloutsVersion.LATEST
   */
  readonly argoVersion?: ArgoRolloutsVersion;
}

/**
 * The effects of a change, by Rollout.
 * @example mergeEffects(base, head).map(({ message }) => message)
 */
export function mergeEffects(base: World, head: World, options: MergeOptions = {}): MergeEffect[] {
  const { facts } = options.argoVersion ?? ArgoRolloutsVersion.LATEST;
  const find = (world: World, { name }: Manifest, namespace: string) => world.find(ARGO_ROLLOUT, name, namespace);
  const ofHead = head.list(ARGO_ROLLOUT).flatMap((after) => {
    const before = find(base, after, head.namespaceOf(after));
    return before === undefined ? newEffects(base, head, after) : changeEffects({ base, head, before, after, facts });
  });
  const gone = base
    .list(ARGO_ROLLOUT)
    .filter((manifest) => find(head, manifest, base.namespaceOf(manifest)) === undefined);
  return [...ofHead, ...gone.map(goneEffect)];
}

interface Change {
  readonly base: World;
  readonly head: World;
  readonly before: Manifest;
  readonly after: Manifest;
  readonly facts: ArgoRolloutsFacts;
}

type EffectTexts = Pick<MergeEffect, 'kind' | 'severity' | 'message' | 'because' | 'fix'>;

function effectOf(rollout: Manifest, object: Manifest, { path, ...texts }: EffectTexts & { readonly path?: Path }) {
  const source = object.sourceOf(path);
  return {
    ...texts,
    rollout: rollout.ref,
    object: object.ref,
    ...(path === undefined ? {} : { path: formatPath(path) }),
    ...(source === undefined ? {} : { source }),
  };
}

function nameOf({ kind, namespace, name }: Manifest): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** The pods of a Rollout: its own, or those of the workload that it refers to. */
function templateOf(world: World, rollout: Manifest): Json | undefined {
  return asObject(argoWorkloadOf(world, rollout).object.spec).template;
}

/** The object that has the pod template, and the path to it. */
function templatePlace(world: World, rollout: Manifest): { readonly object: Manifest; readonly path: Path } {
  const path = ['spec', 'template'];
  const referred = workloadOf(world, rollout);
  return { object: referred ?? rollout, path: referred?.kind === 'PodTemplate' ? ['template'] : path };
}

function workloadOf(world: World, rollout: Manifest): Manifest | undefined {
  const { apiVersion, kind, name } = asObject(rollout.get('spec.workloadRef'));
  const ref = { apiVersion: textOf(apiVersion) ?? '', kind: textOf(kind) ?? '', name: textOf(name) ?? '' };
  return ref.name === '' ? undefined : world.get({ ...ref, namespace: world.namespaceOf(rollout) });
}

function podChanges(before: Json | undefined, after: Json | undefined): FieldChange[] {
  return podTemplateChanges(before, after, []);
}

/** The first pods of a Rollout come without steps, whatever ran before under another controller. */
function newEffects(base: World, head: World, rollout: Manifest): MergeEffect[] {
  const namespace = head.namespaceOf(rollout);
  const referred = workloadOf(head, rollout);
  const earlier = base.find('Deployment.apps', referred?.name ?? rollout.name, namespace);
  const message = `${nameOf(rollout)} is new: its first pods come at once, without steps`;
  const because = 'Argo Rollouts skips the steps and analyses of a Rollout that has no earlier version of its own';
  const changes = earlier === undefined ? [] : podChanges(earlier.get('spec.template'), templateOf(head, rollout));
  if (changes.length === 0)
    return [effectOf(rollout, rollout, { kind: 'no-release', severity: 'note', message, because })];
  const { object, path } = templatePlace(head, rollout);
  return [
    effectOf(rollout, object, {
      kind: 'no-canary',
      severity: 'warning',
      message: `${message}, and they differ from those of ${nameOf(earlier!)} (${podChangesText(changes, templateOf(head, rollout))})`,
      because,
      fix: 'merge the Rollout with the pods that run now, and the new pods afterwards',
      path: [...path, ...changes[0]!.path],
    }),
  ];
}

function changeEffects({ base, head, before, after, facts }: Change): MergeEffect[] {
  const template = templateOf(head, after);
  const changes = podChanges(templateOf(base, before), template);
  if (changes.length > 0) return [started(head, after, changes, template), ...scaledWith(before, after, facts)];
  return promoted(before, after) ?? stepsChanged(before, after);
}

function stepsOf(rollout: Manifest): readonly Json[] {
  return asList(rollout.get('spec.strategy.canary.steps'));
}

function stepsChanged(before: Manifest, after: Manifest): MergeEffect[] {
  if (sameJson(stepsOf(before), stepsOf(after)) || stepsOf(after).length === 0) return [];
  return [
    effectOf(after, after, {
      kind: 'reroutes',
      severity: 'note',
      message: `the steps of ${nameOf(after)} change: a release in progress begins again at its first step`,
      because:
        'Argo Rollouts keeps a hash of the steps, and starts from the first one when it differs; nothing is refused',
      path: ['spec', 'strategy', 'canary', 'steps'],
    }),
  ];
}

/** A change of the strategy that ends a release in progress for all users, without a promotion. */
interface Ending {
  readonly is: (before: Manifest, after: Manifest) => boolean;
  readonly what: (after: Manifest) => string;
  readonly because: string;
  readonly fix: string;
  readonly path: Path;
}

const blueGreenOf = (rollout: Manifest): JsonObject => asObject(rollout.get('spec.strategy.blueGreen'));
const isBlueGreen = (rollout: Manifest): boolean => isSet(rollout.get('spec.strategy.blueGreen'));
const IDLE = 'merge it while no release is in progress';

const ENDINGS: readonly Ending[] = [
  {
    is: (before, after) => !isBlueGreen(after) && stepsOf(before).length > 0 && stepsOf(after).length === 0,
    what: () => 'has no steps any more',
    because: 'Argo Rollouts begins a release again whose steps change, and one without steps waits for nothing',
    fix: IDLE,
    path: ['canary'],
  },
  {
    is: (before, after) =>
      isBlueGreen(after) &&
      !isBlueGreen(before) &&
      stepsOf(before).some((step) => isSet(asObject(step).pause)) &&
      !isSet(blueGreenOf(after).previewReplicaCount),
    what: () => 'becomes blue-green',
    because:
      'Argo Rollouts takes a pause of the canary for one that somebody has ended, whatever autoPromotionEnabled says',
    fix: `${IDLE}, or set previewReplicaCount, with which the controller waits`,
    path: ['blueGreen'],
  },
  {
    is: (before, after) =>
      isBlueGreen(after) && blueGreenOf(before).autoPromotionEnabled === false && promotesAlone(blueGreenOf(after)),
    what: () => 'promotes by itself from now on',
    because: 'a release that waits for a promotion waits no longer',
    fix: `${IDLE}, or set autoPromotionSeconds`,
    path: ['blueGreen', 'autoPromotionEnabled'],
  },
  {
    is: (before, after) => {
      const { activeService, previewService } = blueGreenOf(before);
      const { activeService: active } = blueGreenOf(after);
      return isBlueGreen(before) && isBlueGreen(after) && active !== activeService && active !== previewService;
    },
    what: (after) => `gets another activeService, "${textOf(blueGreenOf(after).activeService) ?? ''}"`,
    because:
      'Argo Rollouts waits for a promotion only while the active Service selects the old version, and a Service that it has not managed selects all pods',
    fix: IDLE,
    path: ['blueGreen', 'activeService'],
  },
];

function promoted(before: Manifest, after: Manifest): MergeEffect[] | undefined {
  const ending = ENDINGS.find(({ is }) => is(before, after));
  if (ending === undefined) return undefined;
  const { what, because, fix, path } = ending;
  return [
    effectOf(after, after, {
      kind: 'ends-release',
      severity: 'warning',
      message: `${nameOf(after)} ${what(after)}: all users get the new version of a release in progress at once`,
      because,
      fix,
      path: ['spec', 'strategy', ...path],
    }),
  ];
}

function promotesAlone({ autoPromotionEnabled, autoPromotionSeconds = 0 }: JsonObject): boolean {
  return autoPromotionEnabled !== false && autoPromotionSeconds === 0;
}

function started(head: World, rollout: Manifest, changes: readonly FieldChange[], template: Json | undefined) {
  const { object, path } = templatePlace(head, rollout);
  const { canary, blueGreen } = asObject(rollout.get('spec.strategy'));
  const paused = rollout.get('spec.paused');
  const count = asList(asObject(canary).steps).length;
  const how = isSet(blueGreen) ? 'a blue-green release' : `a release of ${count} step${count === 1 ? '' : 's'}`;
  const waits = paused === true ? '; it waits, because spec.paused is true' : '';
  return effectOf(rollout, object, {
    kind: 'starts-release',
    severity: 'note',
    message: `${how} starts: ${nameOf(rollout)} gets new pods (${podChangesText(changes, template)})${waits}`,
    because:
      'Argo Rollouts starts a release when the pod template differs; a release in progress is given up, and the steps begin again',
    path: [...path, ...changes[0]!.path],
  });
}

/** One write of other pods and another number of them: harmless on the way forward, and not on the way back. */
function scaledWith(before: Manifest, after: Manifest, facts: ArgoRolloutsFacts): MergeEffect[] {
  const [from, to] = [replicasOf(before.object), replicasOf(after.object)];
  const steps = asList(after.get('spec.strategy.canary.steps'));
  if (from === to) return [];
  const effect = (what: string, because: string, fix: string) =>
    effectOf(after, after, {
      kind: 'reroutes',
      severity: 'note',
      message: `the number of pods of ${nameOf(after)} changes with them, from ${from} to ${to}: ${what}`,
      because,
      fix,
      path: ['spec', 'replicas'],
    });
  const isRouted = routesTraffic(after.object);
  if (!facts.ignoresMiddleVersion && (isRouted || isSet(after.get('spec.strategy.blueGreen')))) {
    return [
      effect(
        'in the middle of a release, the controller waits for ever',
        'before 1.8, Argo Rollouts waits until every version with pods is scaled, and does not scale the one that gives way',
        'change spec.replicas in a commit of its own; the number of pods from before ends the wait',
      ),
    ];
  }
  if (!isRouted || steps.length === 0) return [];
  const fewest = Math.min(...steps.map((_, step) => canaryReplicasAt(after.object, step)));
  if (fewest >= from) return [];
  const never =
    delaysAfterAbort(after.object) && !facts.scalesAfterAbort ? ', and after an abort the roll-back never ends' : '';
  const pods = `${fewest} pod${fewest === 1 ? '' : 's'}`;
  return [
    effect(
      `if this goes back to the version before a release in progress, it keeps as few as ${pods} at first${never}`,
      'Argo Rollouts scales before it looks which version is new: the one that comes back gets the pods that the step has for the new one',
      'go back in one commit, and change spec.replicas in the next one',
    ),
  ];
}

function goneEffect(rollout: Manifest): MergeEffect {
  return effectOf(rollout, rollout, {
    kind: 'ends-release',
    severity: 'warning',
    message: `${nameOf(rollout)} goes, and its pods with it`,
    because: 'the ReplicaSets belong to the Rollout, so Kubernetes deletes them with it',
    fix: 'have other pods serve first; kubectl delete --cascade=orphan keeps the pods',
  });
}
