/** One blue-green release, stage by stage: the controller changes the selectors of two Services, and writes no Ingress. */
import type { ObjectRef } from '../../core/finding';
import { asObject, asText, isSet, type JsonObject, numberOf, partOf } from '../../core/json';
import type { World } from '../../core/world';
import { type Delay, hashOf, type PodGroup, type StoryEnd, sameWorld } from '../../release';
import { ArgoRolloutsVersion } from '../version';
import { lacksTemplate, NO_TEMPLATE } from './analysis';
import { type KeepingBalancer, servedBy } from './load-balancer';
import type { MiddleVersion } from './middle-version';
import {
  ARGO_REVISION_LABEL,
  type ArgoController,
  type ArgoMoment,
  type ArgoWorkload,
  delayOf,
  isGivenAgain,
  NEVER_READY,
  podsOf,
  withPods,
  withSelector,
} from './play';
import { blueGreenWithinWindow, isWithinWindow } from './rollback-window';

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

export function isBlueGreen({ object }: ArgoWorkload): boolean {
  return isSet(asObject(partOf(object, 'spec')?.strategy).blueGreen);
}

/** Pods that go after a delay. */
interface Leaving {
  readonly hash: string;
  readonly after: Delay;
  readonly phase: ArgoMoment['phase'];
  readonly event: string;
}

/** Whether a roll-back after the promotion is active at once, without a promotion of its own. */
export function undoesAtOnce({ previewReplicaCount }: JsonObject, { facts }: ArgoRolloutsVersion): boolean {
  return facts.rollsBackToStableAtOnce || isSet(previewReplicaCount);
}

/** The fields of the strategy. */
export function strategyOf(rollout: JsonObject): JsonObject {
  return asObject(partOf(partOf(rollout, 'spec'), 'strategy')?.blueGreen);
}

/** A blue-green Rollout. */
export class BlueGreenRelease {
  protected moments: ArgoMoment[] = [];
  protected written: ObjectRef[] = [];
  protected did: string[] = [];
  protected pods: readonly PodGroup[];
  /** The hashes of the version that all users had before, and of the one that is released. */
  protected hashes = { stable: 'stable', canary: 'stable' };
  protected versions: Readonly<Record<string, string>> | undefined;
  protected stage: Stage = 'idle';
  protected end: StoryEnd | undefined;
  /** Why nothing more happens by itself. */
  protected why: string | undefined;
  protected leaving: readonly Leaving[] = [];
  /** Nothing waits: somebody promoted all of it, or the pods of this version have never gone. */
  protected isFast = false;
  protected isInconclusive = false;
  /** The analysis after the promotion has failed. */
  protected hasFailedAfter = false;
  /** Hashes that the status of a canary before still names: the controller takes these ReplicaSets for used. */
  protected referenced: readonly string[] = [];
  protected strategy: JsonObject;
  /** Whether `spec.paused` is true: Services stay as they are, and the pods follow what people do. */
  protected isPaused = false;

  /** The controller takes the pause of the inconclusive analysis before for one that somebody has ended, as soon as the previews are ready. */
  private skipsPause = false;

  /** Why the controller never gets beyond the new pods. */
  protected lost: string | undefined;

  /** The version for which the controller waits before it looks at another one. */
  middle: MiddleVersion | undefined;

  /** A load balancer that does not take over everything. */
  protected balancer: KeepingBalancer | undefined;

  protected readonly version: ArgoRolloutsVersion;
  /** Whether the controller verifies what an ALB has. */
  private readonly verifies: boolean;

  constructor(
    protected world: World,
    protected workload: ArgoWorkload,
    { version = ArgoRolloutsVersion.LATEST, verifies = false }: ArgoController = {},
  ) {
    this.version = version;
    this.verifies = verifies;
    this.strategy = strategyOf(workload.object);
    this.pods = [podsOf(workload, 'stable', workload.replicas)];
  }

  protected get active(): string {
    return asText(this.strategy.activeService);
  }

  protected get preview(): string {
    return asText(this.strategy.previewService);
  }

  /** Before the first release. */
  idle(): void {
    this.select(this.preview, 'stable');
    this.select(this.active, 'stable');
    this.add('before', 'idle', 0);
  }

  /** Without a story: the release, and separately the abort of one whose new version has just become active. */
  played(): readonly ArgoMoment[] {
    this.idle();
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

  /** A copy that goes on on its own. */
  fork(): this {
    const copy: this = Object.assign(Object.create(Object.getPrototypeOf(this)), this);
    return Object.assign(copy, { moments: [...this.moments], written: [...this.written], did: [...this.did] });
  }

  /** Whether something more happens by itself. */
  protected get isMoving(): boolean {
    if (this.isPaused && this.stage !== 'starting') return false;
    return this.isProgressing && this.why === undefined && !this.isAtPause;
  }

  protected get isProgressing(): boolean {
    return ['starting', 'preview', 'ready', 'switched'].includes(this.stage);
  }

  /** Whether it waits for people: with few previews before the other new pods start, or else before the switch. */
  protected get isAtPause(): boolean {
    const { stage, strategy, isFast } = this;
    if (strategy.autoPromotionEnabled !== false || isFast || this.skipsPause || this.why !== undefined) return false;
    return stage === 'preview' || (stage === 'ready' && this.previewPods === undefined);
  }

  /** The number of new pods before the promotion, also where that is more; undefined if it is that of the Rollout. */
  protected get previewPods(): number | undefined {
    const count = numberOf(this.strategy.previewReplicaCount);
    return count === this.workload.replicas || this.isFast ? undefined : count;
  }

  /** From one stage to the next. */
  protected advance(): void {
    const { stage } = this;
    this.goOnFrom(stage);
    const isBeforeSwitch = this.stage === (this.previewPods === undefined ? 'ready' : 'preview');
    if (stage !== this.stage && isBeforeSwitch) this.why = this.lost;
  }

  private goOnFrom(stage: Stage): void {
    const { previewPods, workload, active } = this;
    const all = workload.replicas;
    if (stage === 'starting' && previewPods !== undefined) {
      this.stage = 'preview';
      this.run(previewPods);
      const of = previewPods < all ? ` of ${all}` : '';
      this.add('prepare', `${previewPods}${of} new pods are ready`, previewPods > 0 ? 1 : undefined);
    } else if (stage === 'starting' || stage === 'preview') {
      this.stage = 'ready';
      this.run(all);
      this.add('prepare', 'the new pods are ready', 1, this.promotionDelay);
    } else if (stage === 'ready') {
      this.stage = 'switched';
      const between = this.servedBetween;
      this.select(active, this.hashes.canary);
      this.add('finish', `Service ${active} selects the new pods`, 1);
      this.leaveBetween(between, 'finish');
      if (this.waitsForTargets) this.why = `it waits until the pods of Service "${active}" are in its target group`;
      else if (lacksTemplate(this.strategy.postPromotionAnalysis) && !this.isFast) this.why = this.lost = NO_TEMPLATE;
    } else if (stage === 'switched') this.promoted();
  }

  /** The time before the controller promotes by itself. */
  private get promotionDelay(): Delay | undefined {
    const { autoPromotionEnabled, autoPromotionSeconds } = this.strategy;
    const seconds = numberOf(autoPromotionSeconds) ?? 0;
    const isTimed = autoPromotionEnabled !== false && seconds > 0 && !this.isFast && this.previewPods === undefined;
    return isTimed ? { seconds, field: 'autoPromotionSeconds' } : undefined;
  }

  /**
   * The pods of the stable version and of the new one; those of other versions have gone by the time that new ones are ready, unless
   * they serve or the Rollout is paused.
   */
  protected run(replicas: number): void {
    const { workload, hashes, isPaused } = this;
    const isOther = (group: PodGroup) => !Object.values(hashes).includes(hashOf(group));
    const others = this.pods.filter((group) => isOther(group) && (isPaused || this.isServing(hashOf(group))));
    if (!isPaused) this.leaving = [];
    this.pods = [
      podsOf(workload, 'stable', workload.replicas, hashes.stable),
      podsOf(workload, 'canary', replicas, hashes.canary),
      ...others,
    ];
  }

  /** All users have the new version, which is the stable one from now on. */
  protected promoted(): void {
    const { hashes } = this;
    this.stage = 'idle';
    this.end = 'released';
    this.isFast = false;
    if (hashes.stable === hashes.canary) return;
    this.leave(hashes.stable, 'scaleDownDelaySeconds', 'finish', 'the old pods are gone');
    this.hashes = { stable: hashes.canary, canary: hashes.canary };
  }

  /** The version that all users have, where that is neither the stable nor the new one. */
  protected get servedBetween(): string | undefined {
    const { stable, canary } = this.hashes;
    const { pods } = this;
    return pods.map(hashOf).find((hash) => hash !== stable && hash !== canary && this.isServing(hash));
  }

  /** The pods of a version go that has given way to another one. */
  protected leaveBetween(hash: string | undefined, phase: ArgoMoment['phase']): void {
    if (hash !== undefined) this.leave(hash, 'scaleDownDelaySeconds', phase, 'the pods of the version before are gone');
  }

  /** Whether the active Service selects a version. */
  protected isServing(hash: string): boolean {
    return this.selectedBy(this.active) === hash;
  }

  protected leave(hash: string, field: Parameters<typeof delayOf>[1], phase: ArgoMoment['phase'], event: string): void {
    if (field === 'scaleDownDelaySeconds' && this.referenced.includes(hash)) return;
    this.leaving = this.withinLimit([...this.leaving, { hash, after: delayOf(this.strategy, field), phase, event }]);
  }

  /** The oldest versions go at once where more of them wait than `scaleDownDelayRevisionLimit` allows. */
  private withinLimit(leaving: readonly Leaving[]): readonly Leaving[] {
    const limit = numberOf(this.strategy.scaleDownDelayRevisionLimit) ?? Number.POSITIVE_INFINITY;
    const isLimited = ({ after }: Leaving) => after.field === 'scaleDownDelaySeconds';
    const kept = new Set(leaving.filter(isLimited).slice(-limit));
    return leaving.map((each) =>
      !isLimited(each) || kept.has(each) ? each : { ...each, after: { ...each.after, seconds: 0 } },
    );
  }

  /** Pods go whose delay is over. */
  protected settle(seconds = Number.POSITIVE_INFINITY): void {
    let gone = 0;
    for (const { hash, after, phase, event } of this.leaving) {
      if (this.outlasts(after, seconds)) continue;
      const lasts = { ...after, seconds: Math.max(0, after.seconds - gone) };
      this.moments[this.moments.length - 1] = { ...this.moments.at(-1)!, lasts };
      gone = Math.max(gone, after.seconds);
      this.pods = this.pods.filter((group) => hashOf(group) !== hash);
      this.add(phase, event, phase === 'finish' ? 1 : undefined);
    }
    this.leaving = this.leaving.filter(({ after }) => this.outlasts(after, seconds));
  }

  /** While the Rollout is paused, pods stay that the preview Service selects, unless somebody has aborted their release. */
  private outlasts(after: Delay, seconds: number): boolean {
    if (after.seconds > seconds || isGivenAgain(after, this.version)) return true;
    return this.isPaused && after.field === 'scaleDownDelaySeconds';
  }

  /** Begins to release the version of this hash. */
  protected begin(hash: string, isNeverReady = false): void {
    const isStillThere = this.hasPods(hash);
    this.end = undefined;
    this.why = undefined;
    this.skipsPause =
      this.isInconclusive && this.stage === 'switched' && numberOf(this.strategy.previewReplicaCount) !== undefined;
    this.isInconclusive = false;
    this.hasFailedAfter = false;
    this.middle = undefined;
    this.lost = undefined;
    this.isFast = false;
    this.hashes = { ...this.hashes, canary: hash };
    this.pods = this.pods.map((group) => {
      const own = hashOf(group);
      return podsOf(this.workload, own === hash ? 'canary' : 'stable', group.replicas, own);
    });
    this.select(this.preview, hash);
    if (isStillThere) {
      this.isFast = this.isFastTracked(hash);
      this.leaving = this.leaving.filter((each) => each.hash !== hash);
      const { previewPods } = this;
      this.stage = previewPods === undefined ? 'ready' : 'preview';
      if (previewPods !== undefined) this.run(previewPods);
      this.add('prepare', 'the pods of this version are still there', 1);
      return;
    }
    const { object, replicas } = this.workload;
    const window = isWithinWindow(object, this.versions ?? {}, this.hashes)
      ? blueGreenWithinWindow(this.strategy, replicas, this.version)
      : undefined;
    this.isFast = window?.isFast === true;
    this.lost =
      window?.why ?? (!this.isFast && lacksTemplate(this.strategy.prePromotionAnalysis) ? NO_TEMPLATE : undefined);
    this.stage = 'starting';
    this.add('prepare', 'no pod of the new version is ready');
    if (isNeverReady) this.why = NEVER_READY;
  }

  /** Whether a version whose pods are about to go is promoted at once. */
  protected isFastTracked(hash: string): boolean {
    const { hashes, leaving, version, versions = {} } = this;
    if (this.isServing(hash)) return true;
    if (hash === hashes.stable) return version.facts.rollsBackToStableAtOnce;
    // Without a delay, pods go at once and nobody notes when.
    if (!leaving.some((each) => each.hash === hash && each.after.seconds > 0)) return false;
    const ages = Object.keys(versions);
    return version.facts.fastTracksNewerVersions || ages.indexOf(hash) < ages.indexOf(hashes.stable);
  }

  /** The active Service goes back to the old pods; the preview Service stays where it is. */
  protected takeBack(): void {
    const { active, hashes, stage, servedBetween } = this;
    this.stage = 'aborted';
    this.end = 'rolled back';
    this.why = undefined;
    this.select(active, hashes.stable);
    const event = stage === 'switched' ? `aborted, and Service ${active} selects the old pods` : 'aborted';
    this.add('abort', event);
    this.leaveBetween(servedBetween, 'abort');
    const isOther = hashes.canary !== hashes.stable && this.hasPods(hashes.canary);
    if (isOther && numberOf(this.strategy.abortScaleDownDelaySeconds) !== 0)
      this.leave(hashes.canary, 'abortScaleDownDelaySeconds', 'abort', 'the new pods are gone');
  }

  protected get waitsForTargets(): boolean {
    return this.verifies && this.balancer?.state === 'keeps-targets';
  }

  protected hasPods(hash: string): boolean {
    return this.pods.some((group) => hashOf(group) === hash);
  }

  protected selectedBy(name: string): string | undefined {
    const service = name === '' ? undefined : this.world.find('Service', name, this.workload.namespace);
    return service === undefined
      ? undefined
      : asText(asObject(partOf(service.object, 'spec')?.selector)[ARGO_REVISION_LABEL]);
  }

  protected serviceRef(name: string): ObjectRef {
    return { apiVersion: 'v1', kind: 'Service', name, namespace: this.workload.namespace };
  }

  protected select(service: string, hash: string): void {
    const after = withSelector(this.world, service, this.workload, hash);
    if (after !== this.world) this.written.push(this.serviceRef(service));
    this.world = after;
  }

  /** @param preview what is declared for requests through the preview Service */
  protected add(phase: ArgoMoment['phase'], event: string, preview?: number, lasts?: Delay): void {
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
