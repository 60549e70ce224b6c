/** One blue-green Rollout as people act on it: the controller changes the selectors of two Services, and writes no Ingress. */
import type { ObjectRef } from '../../core/finding';
import { asObject, asText, isSet, type JsonObject, numberOf, partOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { mergePatch } from '../../core/merge-patch';
import type { World } from '../../core/world';
import {
  type Delay,
  deedText,
  type LoadBalancerState,
  type PodGroup,
  type StoryAction,
  type StoryEnd,
  type StoryPatch,
  type StoryPlace,
  sameWorld,
  type Telling,
  type VersionWrite,
  writtenFrom,
} from '../../release';
import { type AnalysisResult, type Hearing, hear } from './hear';
import { type KeepingBalancer, servedBy } from './load-balancer';
import {
  ARGO_REVISION_LABEL,
  type ArgoMoment,
  type ArgoStory,
  type ArgoWorkload,
  deadlineOf,
  delayOf,
  missed,
  podsOf,
  withoutSelector,
  withPods,
  withSelector,
} from './play';

/** Where a release is. */
type Stage =
  /** No release runs: before the first one, and after each. */
  | 'idle'
  /** No pod of the new version is ready. */
  | 'starting'
  /** As many new pods are ready as `previewReplicaCount` asks for. */
  | 'preview'
  /** All new pods are ready. */
  | 'ready'
  /** The active Service selects the new pods. */
  | 'switched'
  | 'aborted'
  | 'deleted'
  /** An object that the Rollout names is gone. */
  | 'missing';

/** Pods that go after a delay. */
interface Leaving {
  readonly hash: string;
  readonly after: Delay;
  readonly phase: ArgoMoment['phase'];
  readonly event: string;
}

/** A blue-green Rollout. */
export class BlueGreenRelease implements Telling<ArgoStory>, Hearing {
  private moments: ArgoMoment[] = [];
  private written: ObjectRef[] = [];
  private did: string[] = [];
  private pods: readonly PodGroup[];
  /** The hashes of the version that all users had before, and of the one that is released. */
  private hashes = { stable: 'stable', canary: 'stable' };
  private versions: Readonly<Record<string, string>> | undefined;
  private stage: Stage = 'idle';
  private end: StoryEnd | undefined;
  /** Why nothing more happens by itself. */
  private why: string | undefined;
  private leaving: readonly Leaving[] = [];
  /** Nothing waits: somebody promoted all of it, or the pods of this version have never gone. */
  private isFast = false;
  private isInconclusive = false;
  private readonly strategy: JsonObject;
  private readonly active: string;
  private readonly preview: string;

  /** A load balancer that does not take over everything. */
  private balancer: KeepingBalancer | undefined;

  constructor(
    private world: World,
    private workload: ArgoWorkload,
    /** Whether the controller verifies what an ALB has. */
    private readonly verifies = false,
  ) {
    this.strategy = asObject(partOf(partOf(workload.object, 'spec'), 'strategy')?.blueGreen);
    this.active = asText(this.strategy.activeService);
    this.preview = asText(this.strategy.previewService);
    this.pods = [podsOf(workload, 'stable', workload.replicas)];
    this.select(this.preview, 'stable');
    this.select(this.active, 'stable');
    this.add('before', 'idle', 0);
  }

  /** Without a story: the release, and separately the abort of one whose new version has just become active. */
  played(): readonly ArgoMoment[] {
    this.begin('canary');
    while (this.stage !== 'switched') this.advance();
    const aborted = this.fork();
    aborted.moments = [];
    this.promoted();
    this.settle();
    aborted.takeBack();
    aborted.settle();
    return [...this.moments, ...aborted.moments];
  }

  fork(): BlueGreenRelease {
    const copy: BlueGreenRelease = Object.assign(Object.create(BlueGreenRelease.prototype), this);
    return Object.assign(copy, { moments: [...this.moments], written: [...this.written], did: [...this.did] });
  }

  told(name: string): ArgoStory {
    const last = this.fork();
    last.settle();
    const { moments, stage, end = stage === 'idle' ? 'released' : 'stuck', why } = last;
    const reason = end === 'stuck' ? { why: why ?? 'it waits for somebody to promote it' } : {};
    return { name, end, moments, ...reason };
  }

  act(action: StoryAction): void {
    hear(this, this.workload, this.versions?.[this.hashes.canary] ?? 'v1', action);
  }

  /** Whether something more happens by itself. */
  private get isMoving(): boolean {
    return this.isProgressing && this.why === undefined && !this.isAtPause;
  }

  private get isProgressing(): boolean {
    return ['starting', 'preview', 'ready', 'switched'].includes(this.stage);
  }

  /** Whether it waits for people: with few previews before the other new pods start, or else before the switch. */
  private get isAtPause(): boolean {
    const { stage, strategy, isFast } = this;
    if (strategy.autoPromotionEnabled !== false || isFast || this.why !== undefined) return false;
    return stage === 'preview' || (stage === 'ready' && this.fewPreviews === undefined);
  }

  /** The number of new pods before the promotion; undefined if it is that of the Rollout. */
  private get fewPreviews(): number | undefined {
    const count = numberOf(this.strategy.previewReplicaCount);
    return count === undefined || count >= this.workload.replicas || this.isFast ? undefined : count;
  }

  /** From one stage to the next. */
  private advance(): void {
    const { stage, fewPreviews, workload, active } = this;
    const all = workload.replicas;
    if (stage === 'starting' && fewPreviews !== undefined) {
      this.stage = 'preview';
      this.run(fewPreviews);
      this.add('prepare', `${fewPreviews} of ${all} new pods are ready`, fewPreviews > 0 ? 1 : undefined);
    } else if (stage === 'starting' || stage === 'preview') {
      this.stage = 'ready';
      this.run(all);
      this.add('prepare', 'the new pods are ready', 1, this.promotionDelay);
    } else if (stage === 'ready') {
      this.stage = 'switched';
      this.select(active, this.hashes.canary);
      this.add('finish', `Service ${active} selects the new pods`, 1);
      if (this.waitsForTargets) this.why = `it waits until the pods of Service "${active}" are in its target group`;
    } else if (stage === 'switched') this.promoted();
  }

  /** The time before the controller promotes by itself. */
  private get promotionDelay(): Delay | undefined {
    const { autoPromotionEnabled, autoPromotionSeconds } = this.strategy;
    const seconds = numberOf(autoPromotionSeconds) ?? 0;
    const isTimed = autoPromotionEnabled !== false && seconds > 0 && !this.isFast && this.fewPreviews === undefined;
    return isTimed ? { seconds, field: 'autoPromotionSeconds' } : undefined;
  }

  /** The pods of the stable version and of the new one; those of other versions have gone by the time that new ones are ready. */
  private run(replicas: number): void {
    const { workload, hashes } = this;
    this.leaving = [];
    this.pods = [
      podsOf(workload, 'stable', workload.replicas, hashes.stable),
      podsOf(workload, 'canary', replicas, hashes.canary),
    ];
  }

  /** All users have the new version, which is the stable one from now on. */
  private promoted(): void {
    const { hashes } = this;
    this.stage = 'idle';
    this.end = 'released';
    this.isFast = false;
    if (hashes.stable === hashes.canary) return;
    this.leave(hashes.stable, 'scaleDownDelaySeconds', 'finish', 'the old pods are gone');
    this.hashes = { stable: hashes.canary, canary: hashes.canary };
  }

  private leave(hash: string, field: Parameters<typeof delayOf>[1], phase: ArgoMoment['phase'], event: string): void {
    this.leaving = [...this.leaving, { hash, after: delayOf(this.strategy, field), phase, event }];
  }

  /** Pods go whose delay is over. */
  private settle(seconds = Number.POSITIVE_INFINITY): void {
    for (const { hash, after, phase, event } of this.leaving) {
      if (after.seconds > seconds) continue;
      this.moments[this.moments.length - 1] = { ...this.moments.at(-1)!, lasts: after };
      this.pods = this.pods.filter((group) => hashOf(group) !== hash);
      this.add(phase, event, phase === 'finish' ? 1 : undefined);
    }
    this.leaving = this.leaving.filter(({ after }) => after.seconds > seconds);
  }

  /** Begins to release the version of this hash. */
  private begin(hash: string, isNeverReady = false): void {
    const isStillThere = this.hasPods(hash);
    this.end = undefined;
    this.why = undefined;
    this.isInconclusive = false;
    this.isFast = false;
    this.hashes = { ...this.hashes, canary: hash };
    this.pods = this.pods.map((group) => {
      const own = hashOf(group);
      return podsOf(this.workload, own === hash ? 'canary' : 'stable', group.replicas, own);
    });
    this.select(this.preview, hash);
    if (isStillThere) {
      this.leaving = this.leaving.filter((each) => each.hash !== hash);
      this.isFast = true;
      this.stage = 'ready';
      this.add('prepare', 'the pods of this version are still there', 1);
      return;
    }
    this.stage = 'starting';
    this.add('prepare', 'no pod of the new version is ready');
    if (isNeverReady) this.why = 'no pod of the new version becomes ready';
  }

  release({ release: version, ready, replicas }: VersionWrite, action: StoryAction): void {
    if (this.stage === 'deleted' || this.stage === 'missing') return;
    const known = this.versions ?? { stable: 'v1' };
    const hash = Object.keys(known).find((each) => known[each] === version) ?? (version === 'v2' ? 'canary' : version);
    this.note(action);
    this.versions = { ...known, [hash]: version };
    if (replicas !== undefined) this.resize(replicas);
    if (this.stage !== 'idle' && hash === this.hashes.stable) {
      this.undo();
      return;
    }
    const given = this.hashes.canary;
    if (this.isProgressing && given !== this.hashes.stable && this.hasPods(given))
      this.leave(given, 'scaleDownDelaySeconds', 'prepare', 'the pods of the version before are gone');
    this.begin(hash, ready === 'never');
  }

  private undo(): void {
    const { hashes } = this;
    this.select(this.preview, hashes.stable);
    this.select(this.active, hashes.stable);
    this.leaving = [];
    this.add('abort', 'the old version is released again', 0);
    if (this.hasPods(hashes.canary))
      this.leave(hashes.canary, 'scaleDownDelaySeconds', 'abort', 'the new pods are gone');
    this.hashes = { stable: hashes.stable, canary: hashes.stable };
    this.stage = 'idle';
    this.end = 'rolled back';
    this.why = undefined;
  }

  until({ phase }: StoryPlace): void {
    if (phase === 'Healthy') while (this.isMoving) this.advance();
    else if (phase === 'Paused') this.toPause();
  }

  /** To where it waits for people or for `autoPromotionSeconds`, or else to the end. */
  private toPause(): void {
    while (this.isMoving) {
      this.advance();
      const waits = numberOf(this.strategy.autoPromotionSeconds) ?? 0;
      if (waits > 0 && !this.isFast && this.stage === (this.fewPreviews === undefined ? 'ready' : 'preview')) return;
    }
  }

  watch(seconds: number): void {
    if (this.stage === 'starting' && this.why !== undefined) {
      const { seconds: deadline, aborts } = deadlineOf(this.workload);
      if (seconds >= deadline && aborts) this.takeBack();
      return;
    }
    while (this.isMoving) this.advance();
    this.settle(seconds);
  }

  finish(): void {
    while (this.isProgressing && (this.isMoving || this.isAtPause)) {
      if (this.isAtPause) this.promote();
      else this.advance();
    }
  }

  promote(): void {
    if (!this.isAtPause && !this.isInconclusive) return;
    this.did.push('promote');
    this.why = undefined;
    // It begins the analysis again, and not before that one succeeds comes the pause before the switch.
    const isAgain = this.isInconclusive && this.stage !== 'switched';
    this.isInconclusive = false;
    if (isAgain && this.isAtPause) return;
    this.advance();
    // Whether the analysis succeeds is another line of the story.
    while (this.isMoving && !this.isAnalysing) this.advance();
  }

  promoteFully(action: StoryAction): void {
    if (!this.isProgressing || this.why !== undefined) return;
    this.note(action);
    this.isFast = true;
    while (this.isMoving) this.advance();
    if (this.stage === 'switched') this.promoted();
  }

  abortNow(action: StoryAction): void {
    if (!this.isProgressing) return;
    this.note(action);
    this.takeBack();
  }

  /** The active Service goes back to the old pods; the preview Service stays where it is. */
  private takeBack(): void {
    const { active, hashes, stage } = this;
    this.stage = 'aborted';
    this.end = 'rolled back';
    this.why = undefined;
    this.select(active, hashes.stable);
    const event = stage === 'switched' ? `aborted, and Service ${active} selects the old pods` : 'aborted';
    this.add('abort', event);
    if (this.hasPods(hashes.canary) && numberOf(this.strategy.abortScaleDownDelaySeconds) !== 0)
      this.leave(hashes.canary, 'abortScaleDownDelaySeconds', 'abort', 'the new pods are gone');
  }

  retry(action: StoryAction): void {
    if (this.stage !== 'aborted') return;
    this.note(action);
    const isStillThere = this.hasPods(this.hashes.canary);
    this.leaving = [];
    this.end = undefined;
    this.stage = isStillThere ? 'preview' : 'starting';
    this.add('prepare', isStillThere ? 'the new pods are still there' : 'no pod of the new version is ready');
  }

  remove(action: StoryAction): void {
    this.note(action);
    for (const name of [this.active, this.preview]) {
      const after = withoutSelector(this.world, name, this.workload);
      if (after === this.world) continue;
      this.world = after;
      this.written.push(this.serviceRef(name));
      this.add('finish', `Service ${name} selects all pods again`);
    }
    this.pods = [];
    this.leaving = [];
    this.add('finish', 'the pods are deleted with the Rollout');
    this.stage = 'deleted';
    this.end = 'stuck';
    this.why = 'the pods are deleted with the Rollout, so nobody answers';
  }

  private resize(replicas: number): void {
    const few = this.stage === 'preview' ? this.fewPreviews : undefined;
    this.workload = { ...this.workload, replicas };
    const countOf = ({ revision }: PodGroup) => (revision === 'canary' ? few : undefined) ?? replicas;
    this.pods = this.pods.map((group) => ({ ...group, replicas: countOf(group) }));
  }

  scaleTo(replicas: number, action: StoryAction): void {
    this.note(action);
    this.resize(replicas);
    this.add(this.isProgressing ? 'prepare' : 'finish', `scaled to ${replicas} pods`);
  }

  edit(patch: StoryPatch, action: StoryAction): void {
    const { apiVersion, kind, name } = patch;
    const existing = this.world.get({ apiVersion, kind, name, namespace: this.workload.namespace });
    if (existing === undefined) return;
    this.note(action);
    const selected = { preview: this.selectedBy(this.preview), active: this.selectedBy(this.active) };
    if (patch.with === null) {
      this.lose(existing);
      return;
    }
    this.world = this.world.with(writtenFrom(existing, mergePatch(existing.object, patch.with)));
    const edited = this.world;
    this.add('prepare', `${kind} "${name}" edited`);
    // An edit of a Service makes the controller write what the edit took away.
    for (const side of ['preview', 'active'] as const) if (selected[side]) this.select(this[side], selected[side]);
    if (this.world !== edited) this.add('prepare', `${kind} "${name}" written again`);
  }

  /** Somebody deletes an object in the middle. */
  private lose(existing: Manifest): void {
    const why = missed(this.world, this.workload, existing);
    this.world = this.world.without(existing);
    if (!this.isProgressing) return;
    this.add('prepare', `${existing.kind} "${existing.name}" deleted`);
    if (why !== undefined) [this.stage, this.end, this.why] = ['missing', 'stuck', why];
  }

  analyse(result: AnalysisResult, action: StoryAction): void {
    while (this.isMoving && !this.isAnalysing) this.advance();
    if (!this.isProgressing || !this.isAnalysing) return;
    this.note(action);
    if (result !== 'inconclusive') {
      this.takeBack();
      return;
    }
    this.isInconclusive = true;
    this.why = 'an analysis is inconclusive, and it waits for somebody to promote it';
  }

  private get waitsForTargets(): boolean {
    return this.verifies && this.balancer?.state === 'keeps-targets';
  }

  balance(state: LoadBalancerState, action: StoryAction): void {
    this.note(action);
    const waited = this.waitsForTargets && this.stage === 'switched';
    this.balancer = state === 'follows' ? undefined : { state, from: this.world, weight: 0 };
    if (state !== 'follows' || this.stage === 'idle') return;
    this.add(this.stage === 'aborted' ? 'abort' : 'finish', 'the load balancer has everything');
    if (waited) this.why = undefined;
  }

  private get isAnalysing(): boolean {
    const { stage, strategy } = this;
    if (stage === 'switched') return isSet(strategy.postPromotionAnalysis);
    const place = this.fewPreviews === undefined ? 'ready' : 'preview';
    return stage === place && isSet(strategy.prePromotionAnalysis);
  }

  private hasPods(hash: string): boolean {
    return this.pods.some((group) => hashOf(group) === hash);
  }

  private note(action: StoryAction): void {
    this.did.push(deedText(action));
  }

  private selectedBy(name: string): string | undefined {
    const service = name === '' ? undefined : this.world.find('Service', name, this.workload.namespace);
    return service === undefined
      ? undefined
      : asText(asObject(partOf(service.object, 'spec')?.selector)[ARGO_REVISION_LABEL]);
  }

  private serviceRef(name: string): ObjectRef {
    return { apiVersion: 'v1', kind: 'Service', name, namespace: this.workload.namespace };
  }

  private select(service: string, hash: string): void {
    const after = withSelector(this.world, service, this.workload, hash);
    if (after !== this.world) this.written.push(this.serviceRef(service));
    this.world = after;
  }

  /** @param preview what is declared for requests through the preview Service */
  private add(phase: ArgoMoment['phase'], event: string, preview?: number, lasts?: Delay): void {
    const { workload, pods, did, versions, hashes, balancer } = this;
    const world = sameWorld(withPods(this.world, pods, workload), this.moments.at(-1)?.world);
    const isActive = hashes.canary !== hashes.stable && this.selectedBy(this.active) === hashes.canary;
    const isReleased = phase === 'finish' && this.end === 'released';
    this.moments.push({
      phase,
      event,
      world,
      ...(balancer === undefined ? {} : { served: servedBy(balancer, world) }),
      written: this.written.splice(0),
      pods,
      declared: {
        weight: isActive || isReleased ? 100 : 0,
        headerRoutes: [],
        ...(preview === undefined ? {} : { preview }),
      },
      ...(lasts === undefined ? {} : { lasts }),
      ...(did.length === 0 ? {} : { did }),
      ...(versions === undefined ? {} : { versions }),
    });
    this.did = [];
  }
}

/** The hash of a group's ReplicaSet. */
function hashOf({ hash, revision }: PodGroup): string {
  return hash ?? revision;
}
