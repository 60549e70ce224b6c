import { asObject } from '../../core/json';
import {
  deedText,
  type LoadBalancerState,
  type PodGroup,
  type StoryAction,
  type StoryPlace,
  type Telling,
  type VersionWrite,
} from '../../release';
import { runsAnalysis } from './analysis';
import { STABLE_PODS_MISSING } from './canary-abort';
import { CanaryEdits } from './canary-edits';
import { EXPERIMENT_GONE, NOTHING } from './canary-release';
import { corrects, endOf } from './edited-rollout';
import { abortedPass, delaysAfterAbort, passesUntilBack, stableReplicasBack, wayBackOf } from './going-back';
import { type AnalysisResult, type Hearing, hear } from './hear';
import { weightOfPass } from './load-balancer';
import { MIDDLE_WAITS, type MiddleVersion } from './middle-version';
import {
  type Abandoned,
  ARGO_REVISION_LABEL,
  type ArgoStory,
  deadlineOf,
  delayOf,
  hashOfVersion,
  isForGood,
  podsOf,
} from './play';
import { maxUnavailableOf } from './replicas';
import { isWithinWindow } from './rollback-window';
import { canaryIngressesOf, freedDestinationRule } from './routes';
import { callsOf, canaryReplicasAt, keepsOldPods, routesTraffic, scalesStable, stableReplicasAt } from './steps';

const DEAF = 'the controller does nothing while a pod of the version before is not ready';

/** A canary as people act on it. */
export class CanaryTelling extends CanaryEdits implements Telling<ArgoStory>, Hearing {
  /** Promoted, and on the way to the next pause: a story can go on before that. */
  private isOnItsWay = false;

  /** Before a story begins. */
  idle(): void {
    this.passes = this.passesOf();
    this.guard(() => this.step());
  }

  /** A copy that goes on on its own. */
  fork(): CanaryTelling {
    const copy: CanaryTelling = Object.assign(Object.create(CanaryTelling.prototype), this);
    return Object.assign(copy, {
      moments: [...this.moments],
      written: [...this.written],
      passed: [...this.passed],
      services: new Set(this.services),
      did: [...this.did],
    });
  }

  told(name: string): ArgoStory {
    if (this.isOnItsWay) {
      const arrived = this.fork();
      arrived.arrive();
      return arrived.told(name);
    }
    const { moments, error, state, edits } = this;
    const { end = state === 'idle' ? 'released' : 'stuck', why = 'it waits for somebody to promote it' } = this;
    return { name, moments, ...endOf(edits, end, why), ...(error === undefined ? {} : { error }) };
  }

  act(action: StoryAction): void {
    if (!this.goesOnBeforePause(action)) this.arrive();
    if (this.error !== undefined || (this.edits.invalid !== undefined && !corrects(this.workload, action))) return;
    this.guard(() => hear(this, this.workload, this.versions?.[this.hashes.canary] ?? 'v1', action));
  }

  /** Whether an action is about a place on the way to the next pause. */
  private goesOnBeforePause(action: StoryAction): boolean {
    if (typeof action !== 'object') return false;
    if (!('until' in action)) return 'analysis' in action;
    const { phase, step } = action.until;
    return step === undefined ? phase === 'Paused' : this.at <= step;
  }

  private setOff(): void {
    if (this.isMoving) this.step();
    this.isOnItsWay = !this.isAtPause;
  }

  private arrive(): void {
    if (!this.isOnItsWay) return;
    this.isOnItsWay = false;
    this.guard(() => this.settle());
  }

  override until(place: StoryPlace): void {
    this.isOnItsWay = false;
    super.until(place);
  }

  /** Time passes: a release without progress fails at its deadline, and one that waits for somebody goes on waiting. */
  watch(seconds: number): void {
    this.settle();
    const delay = delayOf(this.canary, 'scaleDownDelaySeconds');
    const isLeft = !isForGood(delay, this.version) && seconds >= delay.seconds;
    if (this.state === 'over' && isLeft) this.leaving = undefined;
    const deadline = deadlineOf(this.workload);
    const isStanding = this.last.waits !== undefined || (this.isHeld && !this.isHeldAtAll);
    const isLate = deadline.aborts && seconds >= deadline.seconds;
    if (this.state !== 'progressing' || !isStanding || !isLate) return;
    if (this.waitsForPods === 'no') this.aborted();
    else this.isOverdue = true;
  }

  finish(): void {
    this.settle();
    if (this.halted !== undefined) {
      this.promote();
      this.arrive();
    }
    while (this.isMoving) {
      this.did.push('promote');
      this.writeWhatIsMissing();
      this.toPause();
    }
  }

  promote(): void {
    if (this.halted !== undefined && this.state === 'progressing') {
      this.did.push('promote');
      const { isAtPause } = this;
      this.unpause();
      if (isAtPause) this.setOff();
      return;
    }
    // After the last step, there is no step to skip.
    const isSkipped = (this.isHeld || this.last.waits !== undefined) && this.last.phase === 'step';
    if (!this.isAtPause && !this.isInconclusive && !isSkipped) return;
    this.did.push('promote');
    if (this.isInconclusive && this.repeatsExperiment) return;
    this.writeWhatIsMissing();
    this.why = undefined;
    this.isInconclusive = false;
    this.isHeld = false;
    this.setOff();
  }

  balance(state: LoadBalancerState, action: StoryAction): void {
    // It waits for no pause, as people do.
    this.did.push(deedText(action));
    const waited = this.waitsForTargets;
    this.balancer = state === 'follows' ? undefined : { state, from: this.world, weight: weightOfPass(this.last) };
    if (state !== 'follows' || this.state === 'idle') return;
    const { phase, step } = this.last;
    const isLast = waited && this.state === 'over';
    const event = isLast
      ? 'the load balancer has everything, and the old pods are gone'
      : 'the load balancer has everything';
    const declared = step === undefined ? undefined : this.declaredAt(step);
    this.add(this.state !== 'over' && phase === 'step' ? 'step' : 'finish', event, declared, step);
    if (!this.isHeld) return;
    this.isHeld = false;
    this.why = undefined;
    this.toPause();
  }

  release({ release: version, ready, replicas }: VersionWrite, action: StoryAction): void {
    const known = this.versions ?? { stable: 'v1' };
    const isBack = this.state === 'progressing' || this.state === 'aborted';
    this.note(action);
    const before = this.middle?.replicas ?? (this.isUnscaled ? this.stablePods : this.workload.replicas);
    if (replicas !== undefined) this.resize(replicas);
    const hash = hashOfVersion(known, version);
    if (this.workload.replicas !== before && this.isMiddle(known, hash)) {
      this.waitForMiddle({ replicas: before, next: hash });
      return;
    }
    if (this.middle !== undefined && hash === this.hashes.canary) {
      this.goOn();
      return;
    }
    if (isBack && version === known[this.hashes.stable]) {
      if (this.workload.replicas === before) this.undo();
      else this.undoScaled(this.state === 'aborted' ? undefined : Math.max(0, this.at));
      return;
    }
    if (isBack && this.isDeaf) {
      this.hashes = { ...this.hashes, canary: hash };
      this.versions = { ...known, [hash]: version };
      this.why = DEAF;
      return;
    }
    if (isBack) this.left = this.abandoned() ?? this.left;
    this.isStableBroken = this.state === 'over' && this.isNeverReady && hash === this.hashes.stable;
    this.hashes = { ...this.hashes, canary: hash };
    this.versions = { ...known, [hash]: version };
    const { isOverdue } = this;
    this.isOverdue = false;
    this.begin(
      ready === 'never',
      isWithinWindow(this.workload.object, this.versions, this.hashes) ? this.steps.length : 0,
    );
    this.standStill();
    if (isOverdue && !this.version.facts.beginsDeadlineAnew) this.aborted();
  }

  /** Whether the version that is released gives way to this one, whose ReplicaSet exists, with pods that stay as they are. */
  private isMiddle(known: Readonly<Record<string, string>>, hash: string): boolean {
    const { hashes, state, version, workload } = this;
    if (version.facts.ignoresMiddleVersion || !routesTraffic(workload.object)) return false;
    return (
      state === 'progressing' && hash !== hashes.canary && Object.hasOwn(known, hash) && this.abandoned() !== undefined
    );
  }

  /** The version in between is that of the Rollout again. */
  private goOn(): void {
    [this.middle, this.end, this.why] = [undefined, undefined, undefined];
    this.rescale('goes on where it was');
  }

  /** The controller scales the stable version and the next one, and waits. A stable version that is the next one gets its pods. */
  private waitForMiddle(middle: MiddleVersion): void {
    const { hashes, version, workload, stablePods } = this;
    const { object } = workload;
    const step = Math.max(0, this.at);
    const isUndo = middle.next === hashes.stable;
    const next = canaryReplicasAt(object, step, { version });
    const stable = isUndo
      ? stableReplicasBack(object, step, stablePods, { version })
      : stableReplicasAt(object, step, next, { version });
    this.middle = middle;
    this.end = 'stuck';
    this.why = MIDDLE_WAITS;
    this.pods = [
      podsOf(workload, 'stable', stable, hashes.stable),
      ...this.pods.filter(({ revision, hash }) => revision !== 'stable' && hash !== middle.next),
      ...(isUndo ? [] : [podsOf(workload, 'canary', next, middle.next)]),
    ];
    this.add(
      'prepare',
      `waits for the pods of the version in between, with ${stable} of the stable one`,
      undefined,
      step,
    );
  }

  /** Pods of the version before stay until its successor has some. */
  private abandoned(): Abandoned | undefined {
    const { hashes } = this;
    const pods = this.pods.find((group) => group.labels?.[ARGO_REVISION_LABEL] === hashes.canary && group.replicas > 0);
    return pods && { pods, weight: weightOfPass(this.last), keepsWeight: false };
  }

  /** The write that brings the old image back has another number of pods, too: the controller scales first. */
  private undoScaled(step: number | undefined): void {
    const { object } = this.workload;
    const keepsPods = step === undefined && delaysAfterAbort(object);
    this.isUnscaled = keepsPods && !this.version.facts.scalesAfterAbort;
    if (this.isUnscaled) {
      this.end = 'stuck';
      this.why =
        'the old version of an aborted release came back with another number of pods: the controller waits for them, and adds or removes none';
      this.add('abort', 'the old version keeps its pods', NOTHING);
      return;
    }
    if (!routesTraffic(object)) this.scaleDownFirst();
    else if (!keepsPods) this.scaleBack(step);
    this.undo();
  }

  /** Without a router, the new pods go first, as far as enough of all pods are left. The canary Service still selects them. */
  private scaleDownFirst(): void {
    const { canary, hashes, stablePods, workload } = this;
    const { replicas } = workload;
    const [group] = this.newPods;
    const spare = stablePods + (group?.replicas ?? 0) - (replicas - maxUnavailableOf(canary, replicas));
    if (group === undefined || spare <= 0) return;
    const left = Math.max(0, group.replicas - spare);
    this.pods = [
      podsOf(workload, 'stable', Math.min(stablePods, replicas), hashes.stable),
      { ...group, replicas: left },
    ];
    this.add('abort', 'new pods go before the old version is released again');
  }

  /** The old version has the pods of the new one at this step, until the controller sees that it is back. */
  private scaleBack(step: number | undefined): void {
    const { hashes, version, workload, stablePods } = this;
    const scaled = stableReplicasBack(workload.object, step, stablePods, { version });
    if (scaled >= stablePods) return;
    this.pods = [podsOf(workload, 'stable', scaled, hashes.stable), ...this.newPods];
    this.add('abort', `the old version is scaled like the new one: to ${scaled} pods`, undefined, step);
  }

  /** With `dynamicStableScale`, the weight and the canary Service follow the old pods that are back. */
  private bringBack(step: number): void {
    const { hashes, stablePingPong, stablePods, version, workload } = this;
    for (const pass of passesUntilBack(workload.object, step, { version, stablePingPong, stablePods })) {
      this.pods = [podsOf(workload, 'stable', pass.stablePods, hashes.stable), ...this.newPods];
      // It is no abort: managed routes stay until the end.
      this.call({ ...pass, calls: pass.calls.filter(({ call }) => call !== 'removeManagedRoutes') });
      this.add('abort', 'the old version is released again, and not all of its pods are back yet', undefined, step);
    }
  }

  private get newPods(): readonly PodGroup[] {
    return this.pods.filter(({ revision, replicas }) => revision !== 'stable' && replicas > 0);
  }

  private undo(): void {
    const { hashes, version, workload } = this;
    this.isUnscaled = false;
    this.middle = undefined;
    if (this.isDeaf) {
      this.hashes = { stable: hashes.stable, canary: hashes.stable };
      // The status is that of a roll-back, and all routes stay as they are. With `dynamicStableScale` the weight does, too.
      this.over(scalesStable(workload.object) ? 'stuck' : 'rolled back');
      if (this.end === 'stuck') this.why = DEAF;
      return;
    }
    const isRunning = this.at >= 0 || this.left !== undefined;
    if (this.newPods.length > 0) this.bringBack(Math.max(0, this.at));
    this.left = undefined;
    const stable = podsOf(workload, 'stable', this.resting, hashes.stable);
    const isKept = keepsOldPods(workload.object) && this.newPods.length > 0;
    this.pods = isKept ? [stable, ...this.newPods] : [stable];
    if (!this.isPingPong && isRunning) this.selectStable(this.versionServices.canaryService);
    const calls = callsOf(workload.object, { phase: 'promoted' }, { version: this.version });
    this.call({ phase: 'idle', calls, stablePingPong: this.stablePingPong });
    this.routes = [];
    const delay = isKept ? delayOf(this.canary, 'scaleDownDelaySeconds') : undefined;
    this.add('abort', 'the old version is released again', NOTHING, undefined, delay);
    if (delay !== undefined && !isForGood(delay, version)) {
      this.pods = [stable];
      this.add('abort', 'the new pods are gone', NOTHING);
    }
    this.leaving = isKept ? hashes.canary : undefined;
    if (this.endExperiments()) this.add('abort', EXPERIMENT_GONE, NOTHING);
    this.hashes = { stable: hashes.stable, canary: hashes.stable };
    this.over('rolled back');
  }

  abortNow(action: StoryAction): void {
    if (this.state !== 'progressing') return;
    this.note(action);
    if (this.state === 'progressing' && !this.isDeaf) this.aborted();
  }

  private aborted(): void {
    const { at, hashes, left, leftPods, stablePingPong, version, workload } = this;
    this.state = 'aborted';
    this.end = 'rolled back';
    this.why = undefined;
    this.stopped = undefined;
    const pods = this.last.canaryPods;
    if (pods > 0) {
      this.goBack(Math.min(at, this.steps.length - 1));
      return;
    }
    this.left = undefined;
    if (left?.keepsWeight === true) this.takeBackFrom(left, leftPods);
    if (!this.isPingPong) this.select(this.versionServices.canaryService, hashes.stable);
    this.call(abortedPass(workload.object, 0, { version, stablePingPong }));
    const stable = stableReplicasAt(workload.object, 0, 0, { version });
    const old = podsOf(workload, 'stable', stable, hashes.stable);
    this.pods = [old, ...leftPods];
    this.addAborted('aborted, and the steps begin again', 0);
    if (leftPods.length === 0) return;
    // No Service selects them any more.
    this.pods = [old];
    this.addAborted('the pods of the version in between are gone', 0);
  }

  /** The weight of a version that gave way goes back with the stable pods. */
  private takeBackFrom({ weight }: Abandoned, leftPods: readonly PodGroup[]): void {
    const { hashes, stablePingPong, stablePods, version, workload } = this;
    const from = { canaryPods: 0, stablePods, weight };
    const { returning } = wayBackOf(workload.object, 0, { version, stablePingPong }, from);
    for (const pass of returning) {
      this.pods = [podsOf(workload, 'stable', pass.stablePods, hashes.stable), ...leftPods];
      this.call(pass);
      this.add('abort', STABLE_PODS_MISSING, undefined, 0);
    }
  }

  retry(action: StoryAction): void {
    if (this.state !== 'aborted') return;
    this.note(action);
    if (this.isUnscaled) this.undoScaled(0);
    else if (this.stopped !== undefined) this.beginAgain();
    else this.begin(this.isNeverReady);
    this.standStill();
  }

  promoteFully(action: StoryAction): void {
    const isAborted = this.state === 'aborted';
    if (!isAborted && this.state !== 'progressing') return;
    this.note(action);
    if (isAborted) this.begin(this.isNeverReady);
    this.unpause();
    if (this.state !== 'progressing') return;
    if (this.isNeverReady) {
      const atEnd = this.passes.findIndex(({ phase }) => phase === 'finish');
      [this.next, this.why] = [atEnd, undefined];
      this.toPause();
      return;
    }
    // An aborted release begins again, so its weight is 0 until all requests are those of the new version.
    this.skipSteps(Math.min(this.at, this.steps.length - 1), this.last);
    const isPromoted = this.passes.at(-1)!.phase === 'promoted';
    this.next = this.passes.length - (isPromoted ? 1 : 0);
    if (isPromoted) this.step();
    else this.why = this.tooManyPods;
  }

  /** The pods go with the Rollout; its Services select by their own labels again, and its Ingresses stay as they are. */
  remove(action: StoryAction): void {
    this.note(action);
    const { workload } = this;
    const { canaryService, stableService } = this.versionServices;
    const services = this.isPingPong ? [...this.services].slice(0, 2) : [canaryService, stableService];
    for (const name of services) if (this.free(name)) this.add('finish', `Service ${name} selects all pods again`);
    const rule = freedDestinationRule(this.world, workload);
    if (rule !== undefined) {
      this.world = this.world.with(rule);
      this.written.push(rule.ref);
      this.add('finish', `DestinationRule ${rule.ref.name} selects all pods again`);
    }
    this.pods = [];
    // It belongs to the Rollout.
    for (const ingress of canaryIngressesOf(this.world, workload)) {
      this.world = this.world.without(ingress);
      this.written.push(ingress.ref);
    }
    this.endExperiments();
    this.add('finish', 'the pods are deleted with the Rollout');
    this.state = 'over';
    this.end = 'stuck';
    this.why = 'the pods are deleted with the Rollout, so nobody answers';
  }

  private resize(replicas: number): void {
    const { object } = this.workload;
    this.workload = { ...this.workload, replicas, object: { ...object, spec: { ...asObject(object.spec), replicas } } };
  }

  scaleTo(replicas: number, action: StoryAction): void {
    this.note(action);
    this.resize(replicas);
    if (this.isUnscaled) {
      if (replicas === this.stablePods) this.undo();
      return;
    }
    if (this.middle !== undefined) {
      this.rescaleMiddle(this.middle);
      return;
    }
    if (this.state === 'progressing') {
      this.rescale(`scaled to ${replicas} pods`);
      return;
    }
    this.passes = this.passesOf();
    if (this.state === 'aborted' && this.stopped !== undefined) {
      this.goBack(this.stopped.step ?? 0, this.stopped);
      return;
    }
    this.pods = [podsOf(this.workload, 'stable', replicas, this.hashes.stable)];
    this.add('finish', `scaled to ${replicas} pods`);
  }

  /** With the number from before, the controller goes on. */
  private rescaleMiddle(middle: MiddleVersion): void {
    if (this.workload.replicas !== middle.replicas) this.waitForMiddle(middle);
    else if (middle.next === this.hashes.stable) this.undo();
    else {
      this.left = this.abandoned();
      this.hashes = { ...this.hashes, canary: middle.next };
      this.begin();
    }
  }

  analyse(result: AnalysisResult, action: StoryAction): void {
    // One in the background goes on at the next pause.
    const isThere = () => (this.isOnItsWay ? runsAnalysis(this.currentStep) : this.isAnalysing);
    while (this.isMoving && !isThere() && !this.isAtPause) this.step();
    this.isOnItsWay = false;
    if (this.state !== 'progressing' || !this.isAnalysing) return;
    if (result !== 'inconclusive') {
      this.abortNow(action);
      return;
    }
    this.note(action);
    this.isInconclusive = true;
    this.skipPauses();
    this.why = this.repeatsExperiment
      ? 'its experiment is inconclusive, and each promotion runs it again'
      : 'an analysis is inconclusive, and it waits for somebody to promote it';
  }
}
