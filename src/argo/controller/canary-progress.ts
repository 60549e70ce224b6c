import { isSet, type JsonObject } from '../../core/json';
import { deedText, hashOf, type StoryAction, type StoryEnd, type StoryPlace, waitsForPeople } from '../../release';
import type { ArgoRolloutsFacts } from '../facts';
import { analysesOfExperiment, runsAnalysis } from './analysis';
import { CanaryAbort } from './canary-abort';
import { isSameStep, Stopped } from './canary-release';
import { isEndless } from './experiment';
import { waitsForPods } from './istio-waits';
import { missingWeight, weightOfPass } from './load-balancer';
import type { MiddleVersion } from './middle-version';
import { type ArgoPlay, NEVER_READY } from './play';
import { type AlbPass, backgroundStart, keepsOldPods, maxTrafficWeightOf, routesTraffic } from './steps';
import { HEALTHY_WITHOUT_PODS } from './threshold';

/** A release that goes on step by step, and waits where the controller waits for somebody. */
export class CanaryProgress extends CanaryAbort {
  /** The passes of the release, and the next one. */
  protected passes: readonly AlbPass[] = [];
  protected next = 0;
  protected state: 'idle' | 'progressing' | 'aborted' | 'over' = 'idle';
  protected end: StoryEnd | undefined;
  protected why: string | undefined;
  protected isInconclusive = false;
  /** The load balancer does not have the weight of the step. */
  protected isHeld = false;
  /** The old image came back to an aborted release with another number of pods, which it does not get. */
  protected isUnscaled = false;
  /** The version for which the controller waits before it looks at another one. */
  middle: MiddleVersion | undefined;
  /** A version that is no longer released, while it still has its pods. */
  protected leaving: string | undefined;
  protected error: ArgoPlay['error'];

  protected guard(run: () => void): void {
    try {
      run();
    } catch (stopped) {
      if (!(stopped instanceof Stopped)) throw stopped;
      if (this.moments.length === 0) this.add('before', 'idle');
      this.error = { ...stopped.failure, step: stopped.step };
      this.end = 'stuck';
      this.why = stopped.failure.message;
    }
  }

  protected note(action: StoryAction): void {
    if (this.state === 'progressing' && this.at < 0) this.toPause();
    this.did.push(deedText(action));
  }

  /** The step that has settled; -1 before the first one. */
  protected get at(): number {
    const { phase, step = -1 } = this.last;
    return phase === 'step' ? step : phase === 'idle' ? -1 : this.steps.length;
  }

  /** The pass that was played last. */
  protected get last(): AlbPass {
    return this.passes[this.next - 1]!;
  }

  /** The step of the last pass; undefined before the first step and after the last one. */
  protected get currentStep(): JsonObject | undefined {
    const { phase, step = -1 } = this.last;
    return phase === 'step' ? this.steps[step] : undefined;
  }

  protected step(): void {
    const pass = this.passes[this.next]!;
    this.next += 1;
    if (pass.phase === 'promoted' && this.isNeverReady) {
      this.standWithoutPods();
      return;
    }
    this.pass(pass, this.passes[this.next]);
    if (pass.phase === 'promoted') this.over('released');
    else if (pass.waits !== undefined) this.why = pass.waits;
    else if (this.next === this.passes.length) {
      this.standAtEnd(pass.canaryPods);
      this.why = this.tooManyPods;
    } else if (this.state === 'progressing') this.verify();
  }

  /** With a threshold of 0, the new version becomes stable without a ready pod, and the old pods go on serving. */
  private standWithoutPods(): void {
    this.state = 'over';
    this.end = 'stuck';
    this.why = routesTraffic(this.workload.object) ? HEALTHY_WITHOUT_PODS : NEVER_READY;
  }

  protected over(end: StoryEnd): void {
    this.state = 'over';
    this.end = end;
    this.why = undefined;
    this.isStableBroken = false;
    if (end !== 'released') return;
    this.leaving = keepsOldPods(this.workload.object) ? this.hashes.stable : undefined;
    if (this.isPingPong) this.stablePingPong = this.stablePingPong === 'ping' ? 'pong' : 'ping';
    this.hashes = { stable: this.hashes.canary, canary: this.hashes.canary };
    this.pods = this.pods
      .filter(({ revision }) => revision === 'canary')
      .map((group) => ({ ...group, revision: 'stable', hash: hashOf(group) }));
  }

  /** The deadline has passed while the controller did not read it. */
  protected isOverdue = false;

  protected get waitsForPods(): ArgoRolloutsFacts['istioWaitsForPods'] {
    return waitsForPods(this.workload.object, this.version);
  }

  /** Whether the controller reads not even an abort. */
  protected get isDeaf(): boolean {
    return this.isNeverReady && this.waitsForPods === 'always';
  }

  protected get isMoving(): boolean {
    return this.state === 'progressing' && this.why === undefined;
  }

  /** Runs until a step waits for somebody, or the release is over. */
  protected toPause(): void {
    while (this.isMoving) {
      this.step();
      if (this.isAtPause) return;
    }
  }

  /** Runs to the next pause, unless it is at one. */
  protected settle(): void {
    if (!this.isAtPause) this.toPause();
  }

  /** At a pause, even at one that ends by itself. */
  protected get isPaused(): boolean {
    return this.isInconclusive || (this.state === 'progressing' && this.isSettled && isSet(this.currentStep?.pause));
  }

  protected get isAtPause(): boolean {
    if (this.state !== 'progressing' || !this.isSettled) return false;
    return waitsForPeople(this.currentStep?.pause) || (isEndless(this.currentStep) && this.last.experiment !== 'over');
  }

  until({ phase, step }: StoryPlace): void {
    if (step !== undefined) while (this.isMoving && !(this.at >= step && this.isSettled)) this.step();
    else if (phase === 'Paused') while (!this.isPaused && this.isMoving) this.step();
    else if (phase === 'Healthy') while (this.isMoving) this.step();
  }

  protected get isSettled(): boolean {
    const { last } = this;
    return !isSameStep(last, this.passes[this.next]) || last.phase !== 'step';
  }

  /** The release stands while the load balancer does not have the weight of a step. */
  protected verify(): void {
    if (!this.isVerified || this.balancer === undefined || !this.isSettled) return;
    const { canaryService } = this.versionServices;
    const missing = missingWeight(this.balancer, this.last, this.steps, canaryService);
    this.isHeld = missing !== undefined;
    if (missing !== undefined) this.why = missing;
  }

  /** Where it waits for all requests, each reconcile ends before it looks at the deadline. */
  protected get isHeldAtAll(): boolean {
    return this.isHeld && weightOfPass(this.last) === maxTrafficWeightOf(this.workload.object);
  }

  protected begin(isNeverReady = false, from = 0): void {
    this.state = 'progressing';
    this.end = undefined;
    this.why = undefined;
    this.isHeld = false;
    this.isUnscaled = false;
    this.middle = undefined;
    this.routes = [];
    this.isNeverReady = isNeverReady;
    const hasPods = this.isStableBroken || this.leaving === this.hashes.canary;
    this.passes = this.passesOf(from, hasPods ? this.workload.replicas : 0);
    this.next = 1;
    if (isNeverReady) this.step();
  }

  /** The controller takes its own pause for that of the steps that come next. */
  protected skipPauses(): void {
    const isPause = (step: number | undefined) => step !== undefined && isSet(this.steps[step]?.pause);
    if (isPause(this.last.step) || runsAnalysis(this.currentStep)) return;
    while (isPause(this.passes[this.next]?.step)) this.step();
  }

  /** An experiment that ends inconclusive begins anew when somebody promotes the release. */
  protected get repeatsExperiment(): boolean {
    return analysesOfExperiment(this.currentStep).length > 0;
  }

  /** An analysis runs: that of the step, or the one in the background. */
  protected get isAnalysing(): boolean {
    const from = backgroundStart(this.workload.object);
    return runsAnalysis(this.currentStep) || (from !== undefined && this.at >= from && this.isSettled);
  }
}
