import { isSet, type JsonObject, numberOf, partOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { mergePatch } from '../../core/merge-patch';
import {
  deedText,
  hashOf,
  type LoadBalancerState,
  type PodGroup,
  type StoryAction,
  type StoryPatch,
  type StoryPlace,
  type Telling,
  type VersionWrite,
  writtenFrom,
} from '../../release';
import { NO_TEMPLATE } from './analysis';
import { BlueGreenRelease, isBlueGreen, strategyOf, undoesAtOnce } from './blue-green-release';
import { corrects, type Edits, endOf, resumed, resumedEdits, type TakenEdit, withEdit } from './edited-rollout';
import type { Handover, HandoverPlace } from './handover';
import { type AnalysisResult, type Hearing, hear } from './hear';
import { MIDDLE_WAITS, type MiddleVersion } from './middle-version';
import {
  type ArgoStory,
  type ArgoWorkload,
  deadlineOf,
  hashOfVersion,
  missed,
  NEVER_READY,
  withoutSelector,
} from './play';
import { replicasOf } from './steps';

/** A blue-green release as people act on it. */
export class BlueGreenTelling extends BlueGreenRelease implements Telling<ArgoStory>, Hearing {
  /** What a canary goes on with, once the Rollout has one. */
  handover: Handover | undefined;
  private edits: Edits = {};
  /** What Services will select when the Rollout is resumed. */
  private awaited: readonly { readonly service: string; readonly hash: string }[] = [];

  told(name: string): ArgoStory {
    const last = this.fork();
    last.settle();
    const { moments, stage, isPaused, edits } = last;
    const { end = stage === 'idle' ? 'released' : 'stuck' } = last;
    const { why = isPaused ? 'the Rollout is paused' : 'it waits for somebody to promote it' } = last;
    return { name, moments, ...endOf(edits, end, why) };
  }

  act(action: StoryAction): void {
    if (this.edits.invalid !== undefined && !corrects(this.workload, action)) return;
    hear(this, this.workload, this.versions?.[this.hashes.canary] ?? 'v1', action);
  }

  release({ release: version, ready, replicas = this.workload.replicas }: VersionWrite, action: StoryAction): void {
    if (this.stage === 'deleted' || this.stage === 'missing') return;
    const known = this.versions ?? { stable: 'v1' };
    const hash = hashOfVersion(known, version);
    this.note(action);
    this.versions = { ...known, [hash]: version };
    const before = this.middle?.replicas ?? this.workload.replicas;
    if (replicas !== before && this.isMiddle(hash)) {
      this.waitForMiddle({ replicas: before, next: hash }, replicas);
      return;
    }
    this.resize(replicas);
    if (this.middle !== undefined && hash === this.hashes.canary) this.goOn();
    else this.giveWay(hash, ready === 'never');
  }

  /** To another version, or back to the stable one. */
  private giveWay(hash: string, isNeverReady = false): void {
    const { hashes, strategy, version } = this;
    const isUndo = this.stage !== 'idle' && hash === hashes.stable;
    if (isUndo && (undoesAtOnce(strategy, version) || this.isServing(hash))) {
      this.undo();
      return;
    }
    const given = hashes.canary;
    if (this.isProgressing && given !== hashes.stable && this.hasPods(given) && !this.isServing(given))
      this.leaveBetween(given, 'prepare');
    this.begin(hash, isNeverReady);
  }

  /** Whether the version that is released gives way to this one with its pods, to which the status still points. */
  private isMiddle(hash: string): boolean {
    const { hashes, stage, version } = this;
    if (version.facts.ignoresMiddleVersion || stage === 'idle') return false;
    return hash !== hashes.canary && hashes.canary !== hashes.stable && this.hasPods(hashes.canary);
  }

  /** The version in between is that of the Rollout again. */
  private goOn(): void {
    [this.middle, this.end, this.why] = [undefined, undefined, undefined];
    this.add('prepare', 'goes on where it was');
  }

  /** The controller scales the stable version, and waits. */
  private waitForMiddle(middle: MiddleVersion, replicas: number): void {
    const { canary } = this.hashes;
    this.middle = middle;
    this.end = 'stuck';
    this.why = MIDDLE_WAITS;
    this.leaving = this.leaving.filter(({ hash }) => hash !== canary);
    this.workload = { ...this.workload, replicas };
    this.pods = this.pods.map((group) => (hashOf(group) === canary ? group : { ...group, replicas }));
    this.add('prepare', `waits for the pods of the version in between, with ${replicas} of the stable one`);
  }

  private undo(): void {
    const { hashes } = this;
    const between = this.servedBetween;
    this.select(this.preview, hashes.stable);
    this.select(this.active, hashes.stable);
    this.leaving = [];
    this.add('abort', 'the old version is released again', 0);
    this.leaveBetween(between, 'abort');
    if (this.hasPods(hashes.canary))
      this.leave(hashes.canary, 'scaleDownDelaySeconds', 'abort', 'the new pods are gone');
    this.hashes = { stable: hashes.stable, canary: hashes.stable };
    this.middle = undefined;
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
      if (waits > 0 && !this.isFast && this.stage === (this.previewPods === undefined ? 'ready' : 'preview')) return;
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
    if (!this.isAtPause && !this.isInconclusive && !this.isPaused) return;
    this.did.push('promote');
    this.resume();
    if (!this.isAtPause && !this.isInconclusive) return;
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
    const isAborted = this.stage === 'aborted';
    const isStuck = this.why !== undefined && this.why !== this.lost && !this.isInconclusive;
    if (!isAborted && (!this.isProgressing || isStuck)) return;
    this.note(action);
    if (isAborted) this.beginAgain();
    this.resume();
    this.isInconclusive = false;
    [this.why, this.lost] = [undefined, undefined];
    this.isFast = true;
    while (this.isMoving) this.advance();
    if (this.stage === 'switched') this.promoted();
  }

  abortNow(action: StoryAction): void {
    if (!this.isProgressing) return;
    this.note(action);
    if (this.why === undefined || this.why !== this.lost || this.lost === NO_TEMPLATE) {
      this.takeBack();
      return;
    }
    // The controller ends the abort as it ends pauses, and waits for nothing any more.
    [this.why, this.lost] = [undefined, undefined];
    this.isFast = true;
    while (this.isMoving) this.advance();
  }

  retry(action: StoryAction): void {
    if (this.stage !== 'aborted') return;
    this.note(action);
    // The controller finds the analysis that has failed, and does not repeat it.
    if (this.hasFailedAfter) this.add('abort', 'aborted again: the analysis after the promotion has failed');
    else this.beginAgain();
  }

  /** After an abort. */
  private beginAgain(): void {
    const { canary } = this.hashes;
    const isStillThere = this.hasPods(canary);
    // Pods that are added or removed first are no longer about to go.
    this.isFast = this.isFastTracked(canary) && this.previewPods === undefined;
    this.leaving = [];
    this.end = undefined;
    this.stage = !isStillThere ? 'starting' : this.previewPods === undefined ? 'ready' : 'preview';
    this.add('prepare', isStillThere ? 'the new pods are still there' : 'no pod of the new version is ready');
  }

  remove(action: StoryAction): void {
    this.note(action);
    for (const name of [this.active, this.preview])
      if (this.free(name)) this.add('finish', `Service ${name} selects all pods again`);
    this.pods = [];
    this.leaving = [];
    this.add('finish', 'the pods are deleted with the Rollout');
    this.stage = 'deleted';
    this.end = 'stuck';
    this.why = 'the pods are deleted with the Rollout, so nobody answers';
  }

  private resize(replicas: number): void {
    const few = this.stage === 'preview' ? this.previewPods : undefined;
    const { object } = this.workload;
    this.workload = { ...this.workload, replicas, object: mergePatch(object, { spec: { replicas } }) };
    const countOf = ({ revision }: PodGroup) => (revision === 'canary' ? few : undefined) ?? replicas;
    const isLeaving = (group: PodGroup) => this.leaving.some(({ hash }) => hash === hashOf(group));
    this.pods = this.pods.map((group) => (isLeaving(group) ? group : { ...group, replicas: countOf(group) }));
  }

  scaleTo(replicas: number, action: StoryAction): void {
    this.note(action);
    const { middle } = this;
    if (middle !== undefined && middle.replicas !== replicas) {
      this.waitForMiddle(middle, replicas);
      return;
    }
    if (this.stage === 'switched' && !this.version.facts.scalesStableBesideActive) {
      this.waitForStable(replicas);
      return;
    }
    this.resize(replicas);
    if (middle !== undefined) {
      this.giveWay(middle.next);
      return;
    }
    this.add(this.isProgressing ? 'prepare' : 'finish', `scaled to ${replicas} pods`);
  }

  /** The active version gets its pods, and the controller waits for those of the stable one, which it does not scale. */
  private waitForStable(replicas: number): void {
    const { pods } = this;
    this.resize(replicas);
    const { stable } = this.hashes;
    this.pods = this.pods.map((group, index) => (hashOf(group) === stable ? pods[index]! : group));
    this.end = 'stuck';
    this.why = 'the controller waits for pods of the stable version, and adds none while another version is active';
    this.add('prepare', `scaled to ${replicas} pods, but not the stable version`);
  }

  edit(patch: StoryPatch, action: StoryAction): void {
    const { apiVersion, kind, name } = patch;
    const existing = this.world.get({ apiVersion, kind, name, namespace: this.workload.namespace });
    this.note(action);
    if (existing === undefined) return;
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

  /** Fields of the strategy count at once: other previews start or go, and without a pause the release goes on. */
  editRollout(change: JsonObject, action: StoryAction): void {
    this.note(action);
    const { world, workload, version } = this;
    const { edits, taken } = withEdit(this.edits, { world, workload, version }, change);
    this.edits = edits;
    if (taken === undefined) return;
    if (edits.invalid === undefined) this.takeUp(taken);
    else this.leaveServices(taken.left);
  }

  /** A Service that the Rollout no longer names selects all pods again. Returns whether it selected fewer. */
  private free(service: string): boolean {
    const after = withoutSelector(this.world, service, this.workload);
    if (after === this.world) return false;
    this.world = after;
    this.written.push(this.serviceRef(service));
    return true;
  }

  private leaveServices(services: readonly string[]): void {
    for (const name of services) this.free(name);
    if (this.written.length > 0)
      this.add(this.isProgressing ? 'prepare' : 'finish', 'the Rollout names other Services');
  }

  /** Another preview Service selects what the one before did. An active Service that selects all pods gets the new ones at once. */
  private follow(left: readonly string[]): void {
    const { active, preview, hashes, stage } = this;
    const isNew = active !== '' && this.selectedBy(active) === '';
    this.select(preview, hashes.canary);
    if (stage === 'idle') this.select(active, hashes.stable);
    if (isNew && stage === 'ready') {
      this.isFast = true;
      this.select(active, hashes.canary);
    }
    this.leaveServices(left);
  }

  private takeUp({ object, left, routesOtherwise }: TakenEdit): void {
    const { previewPods: before, stage, isFast } = this;
    const replicas = replicasOf(object);
    const isScaled = replicas !== this.workload.replicas;
    if (!isBlueGreen({ ...this.workload, object })) {
      this.leaveServices(left);
      this.handover = this.handOver({ ...this.workload, object, replicas });
      return;
    }
    this.workload = { ...this.workload, object };
    this.strategy = strategyOf(object);
    if (routesOtherwise) this.follow(left);
    if (isScaled) {
      this.resize(replicas);
      this.add(this.isProgressing ? 'prepare' : 'finish', `scaled to ${replicas} pods`);
    }
    const { previewPods: after } = this;
    // Once promoted, the other pods of the new version have started.
    const waits = !isFast && (stage === 'preview' || (stage === 'ready' && before === undefined));
    if (waits && before !== after) {
      const count = after ?? this.workload.replicas;
      this.stage = after === undefined ? 'ready' : 'preview';
      this.run(count);
      this.add('prepare', `${count} of ${this.workload.replicas} new pods are ready`, 1);
    }
    if (partOf(object, 'spec')?.paused === true) this.isPaused = true;
    else this.resume();
  }

  private handOver(workload: ArgoWorkload): Handover {
    const {
      world,
      end,
      pods,
      hashes,
      versions,
      moments,
      did,
      edits,
      balancer,
      stage,
      why,
      isPaused: isHalted,
      referenced,
    } = this;
    const places: Partial<Record<typeof stage, HandoverPlace>> = {
      starting: why === undefined ? 'starting' : 'broken',
      preview: 'running',
      ready: 'running',
      switched: 'running',
      aborted: 'aborted',
    };
    const at = places[stage] ?? 'idle';
    return { world, workload, at, end, pods, hashes, versions, moments, did, referenced, edits, balancer, isHalted };
  }

  /** Goes on with a release that was a canary. One that waited at a pause counts as promoted. */
  takeOver({ at, isHalted, moments, did, ...state }: Handover): void {
    Object.assign(this, { ...state, isPaused: isHalted, moments: [...moments], did: [...did] });
    if (at === 'idle') {
      this.follow([]);
      return;
    }
    const { active, hashes, preview, previewPods, workload } = this;
    this.select(preview, hashes.canary);
    if (at === 'aborted') {
      this.stage = 'aborted';
      this.add('abort', `Service ${preview} selects the new version`);
      return;
    }
    this.stage = 'starting';
    this.end = undefined;
    if (at === 'starting' || at === 'broken') {
      this.add('prepare', 'no pod of the new version is ready');
      if (at === 'broken') this.why = NEVER_READY;
      return;
    }
    // At its first reconcile, the controller knows of no active version, and wants all new pods.
    const isAll = this.pods.some((group) => hashOf(group) === hashes.canary && group.replicas === workload.replicas);
    this.isFast = (previewPods === undefined || isAll) && (at === 'paused' || this.selectedBy(active) === '');
    this.advance();
    while (this.isMoving) this.advance();
  }

  /** Services follow what people did while the Rollout was paused. */
  private resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.edits = resumedEdits(this.edits);
    this.workload = { ...this.workload, object: resumed(this.workload.object) };
    for (const { service, hash } of this.awaited) this.select(service, hash);
    this.awaited = [];
    if (this.written.length === 0) return;
    this.add(this.isProgressing ? 'prepare' : 'abort', 'the Rollout is resumed, and the Services follow', 1);
  }

  protected override select(service: string, hash: string): void {
    if (this.isPaused) this.awaited = [...this.awaited, { service, hash }];
    else super.select(service, hash);
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
      this.hasFailedAfter = this.stage === 'switched';
      this.takeBack();
      return;
    }
    this.isInconclusive = true;
    this.why = 'an analysis is inconclusive, and it waits for somebody to promote it';
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
    const place = this.previewPods === undefined ? 'ready' : 'preview';
    return stage === place && isSet(strategy.prePromotionAnalysis);
  }

  private note(action: StoryAction): void {
    this.did.push(deedText(action));
  }
}
