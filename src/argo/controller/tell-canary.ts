import { asObject, isJsonObject, isSet, type JsonObject, partOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { mergePatch } from '../../core/merge-patch';
import type { World } from '../../core/world';
import {
  deedText,
  type LoadBalancerState,
  type PodGroup,
  type Story,
  type StoryAction,
  type StoryEnd,
  type StoryPatch,
  type StoryPlace,
  type Telling,
  tellAll,
  waitsForPeople,
  writtenFrom,
} from '../../release';
import { ArgoRolloutsVersion } from '../version';
import { CanaryRelease, EXPERIMENT_GONE, isSameStep, NOTHING, Stopped } from './canary-release';
import { isEndless } from './experiment';
import { type AnalysisResult, type Hearing, hear } from './hear';
import { missingWeight, weightOfPass } from './load-balancer';
import {
  ARGO_REVISION_LABEL,
  type ArgoController,
  type ArgoPlay,
  type ArgoStory,
  argoWorkloadOf,
  deadlineOf,
  missed,
  podsOf,
  withoutSelector,
} from './play';
import { canaryIngressesOf, freedDestinationRule, isPlayedCanary } from './routes';
import { type AlbPass, backgroundStart, callsOf, maxTrafficWeightOf, routesTraffic, stableReplicasAt } from './steps';

/**
 * Plays stories of such a Rollout. Never throws. What several stories begin with is played once.
 *
 * @example
 * const actions = [{ release: 'v2' }, { until: { step: 1 } }, 'abort'] as const;
 * tellArgoCanary(world, rollout, [{ name: 'abort@1', actions }])?.[0].end; // 'rolled back'
 */
export function tellArgoCanary(
  world: World,
  manifest: Manifest,
  stories: readonly Story[],
  { version = ArgoRolloutsVersion.LATEST, verifies }: ArgoController = {},
): ArgoStory[] | undefined {
  const workload = argoWorkloadOf(world, manifest);
  if (!isPlayedCanary(workload.object)) return undefined;
  const release = new CanaryTelling(world, workload, version, verifies);
  release.idle();
  return tellAll(release, stories);
}

class CanaryTelling extends CanaryRelease implements Telling<ArgoStory>, Hearing {
  /** The passes of the release, and the next one. */
  private passes: readonly AlbPass[] = [];
  private next = 0;
  private state: 'idle' | 'progressing' | 'aborted' | 'over' = 'idle';
  private end: StoryEnd | undefined;
  private why: string | undefined;
  private isInconclusive = false;
  /** The load balancer does not have the weight of the step. */
  private isHeld = false;
  private isNeverReady = false;
  private error: ArgoPlay['error'];

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
    const { moments, error, state, end = state === 'idle' ? 'released' : 'stuck', why } = this;
    const reason = end !== 'stuck' ? undefined : (why ?? 'it waits for somebody to promote it');
    return {
      name,
      end,
      moments,
      ...(reason === undefined ? {} : { why: reason }),
      ...(error === undefined ? {} : { error }),
    };
  }

  act(action: StoryAction): void {
    if (this.error !== undefined) return;
    this.guard(() => hear(this, action));
  }

  private guard(run: () => void): void {
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

  private note(action: StoryAction): void {
    if (this.state === 'progressing' && this.at < 0) this.toPause();
    this.did.push(deedText(action));
  }

  /** The step that has settled; -1 before the first one. */
  private get at(): number {
    const { phase, step = -1 } = this.last;
    return phase === 'step' ? step : phase === 'idle' ? -1 : this.steps.length;
  }

  /** The pass that was played last. */
  private get last(): AlbPass {
    return this.passes[this.next - 1]!;
  }

  /** The step of the last pass; undefined before the first step and after the last one. */
  private get currentStep(): JsonObject | undefined {
    const { phase, step = -1 } = this.last;
    return phase === 'step' ? this.steps[step] : undefined;
  }

  private step(): void {
    const pass = this.passes[this.next]!;
    this.next += 1;
    this.pass(pass, this.passes[this.next]);
    if (pass.phase === 'promoted') this.over('released');
    else if (this.next === this.passes.length) this.why = this.tooManyPods;
    else if (this.state === 'progressing') this.verify();
  }

  private over(end: StoryEnd): void {
    this.state = 'over';
    this.end = end;
    this.why = undefined;
    if (end !== 'released') return;
    if (this.isPingPong) this.stablePingPong = this.stablePingPong === 'ping' ? 'pong' : 'ping';
    this.hashes = { stable: this.hashes.canary, canary: this.hashes.canary };
    this.pods = this.pods
      .filter(({ revision }) => revision === 'canary')
      .map((group) => ({ ...group, revision: 'stable', hash: group.hash ?? group.revision }));
  }

  private get isMoving(): boolean {
    return this.state === 'progressing' && this.why === undefined;
  }

  /** Runs until a step waits for somebody, or the release is over. */
  private toPause(): void {
    while (this.isMoving) {
      this.step();
      if (this.isAtPause) return;
    }
  }

  /** Runs to the next pause, unless it is at one. */
  private settle(): void {
    if (!this.isAtPause) this.toPause();
  }

  /** Time passes: a release without progress fails at its deadline, and one that waits for somebody goes on waiting. */
  watch(seconds: number): void {
    this.settle();
    const deadline = deadlineOf(this.workload);
    const isStanding = this.isNeverReady || (this.isHeld && !this.isHeldAtAll);
    if (this.state === 'progressing' && isStanding && deadline.aborts && seconds >= deadline.seconds) this.aborted();
  }

  /** At a pause, even at one that ends by itself. */
  private get isPaused(): boolean {
    return this.isInconclusive || (this.state === 'progressing' && this.isSettled && isSet(this.currentStep?.pause));
  }

  private get isAtPause(): boolean {
    if (this.state !== 'progressing' || !this.isSettled) return false;
    return waitsForPeople(this.currentStep?.pause) || (isEndless(this.currentStep) && this.last.experiment !== 'over');
  }

  until({ phase, step }: StoryPlace): void {
    if (step !== undefined) while (this.isMoving && !(this.at >= step && this.isSettled)) this.step();
    else if (phase === 'Paused') while (!this.isPaused && this.isMoving) this.step();
    else if (phase === 'Healthy') while (this.isMoving) this.step();
  }

  private get isSettled(): boolean {
    const { last } = this;
    return !isSameStep(last, this.passes[this.next]) || last.phase !== 'step';
  }

  finish(): void {
    this.settle();
    while (this.isMoving) {
      this.did.push('promote');
      this.toPause();
    }
  }

  promote(): void {
    // After the last step, there is no step to skip.
    const isSkipped = this.isHeld && this.last.phase === 'step';
    if (!this.isAtPause && !this.isInconclusive && !isSkipped) return;
    this.did.push('promote');
    this.why = undefined;
    this.isInconclusive = false;
    this.isHeld = false;
    this.toPause();
  }

  /** The release stands while the load balancer does not have the weight of a step. */
  private verify(): void {
    if (!this.isVerified || this.balancer === undefined || !this.isSettled) return;
    const { canaryService } = this.versionServices;
    const missing = missingWeight(this.balancer, this.last, this.steps, canaryService);
    this.isHeld = missing !== undefined;
    if (missing !== undefined) this.why = missing;
  }

  /** Where it waits for all requests, each reconcile ends before it looks at the deadline. */
  private get isHeldAtAll(): boolean {
    return this.isHeld && weightOfPass(this.last) === maxTrafficWeightOf(this.workload.object);
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

  release({ release: version, ready }: Extract<StoryAction, { release: string }>): void {
    const known = this.versions ?? { stable: 'v1' };
    const isBack = this.state === 'progressing' || this.state === 'aborted';
    this.note({ release: version });
    if (isBack && version === known[this.hashes.stable]) {
      this.undo();
      return;
    }
    if (isBack) this.left = this.abandoned();
    const hash = Object.keys(known).find((each) => known[each] === version) ?? (version === 'v2' ? 'canary' : version);
    this.hashes = { ...this.hashes, canary: hash };
    this.versions = { ...known, [hash]: version };
    this.begin(ready === 'never', this.isWithinWindow(version) ? this.steps.length : 0);
  }

  /** Pods of the version before stay until its successor has some. */
  private abandoned(): PodGroup | undefined {
    const { hashes } = this;
    return this.pods.find((group) => group.labels?.[ARGO_REVISION_LABEL] === hashes.canary && group.replicas > 0);
  }

  private begin(isNeverReady = false, from = 0): void {
    this.state = 'progressing';
    this.end = undefined;
    this.why = undefined;
    this.isHeld = false;
    this.routes = [];
    this.passes = this.passesOf(from);
    this.next = 1;
    this.isNeverReady = isNeverReady;
    if (!isNeverReady) return;
    this.step();
    this.why = 'no pod of the new version becomes ready';
  }

  /** Within the rollback window, a version that users had before skips all steps. */
  private isWithinWindow(version: string): boolean {
    const { rollbackWindow } = asObject(partOf(this.workload.object, 'spec'));
    const seen = Object.values(this.versions ?? {}).slice(0, -1);
    return isJsonObject(rollbackWindow) && (version === 'v1' || seen.includes(version));
  }

  private undo(): void {
    const { hashes, workload } = this;
    const isRunning = this.at >= 0 || this.left !== undefined;
    this.left = undefined;
    this.pods = [podsOf(workload, 'stable', this.resting, hashes.stable)];
    if (!this.isPingPong && isRunning) this.select(this.versionServices.canaryService, hashes.stable);
    const calls = callsOf(workload.object, { phase: 'promoted' }, { version: this.version });
    this.call({ phase: 'idle', calls, stablePingPong: this.stablePingPong });
    this.routes = [];
    this.add('abort', 'the old version is released again', NOTHING);
    if (this.endExperiments()) this.add('abort', EXPERIMENT_GONE, NOTHING);
    this.hashes = { stable: hashes.stable, canary: hashes.stable };
    this.over('rolled back');
  }

  abortNow(action: StoryAction): void {
    if (this.state !== 'progressing') return;
    this.note(action);
    if (this.state === 'progressing') this.aborted();
  }

  private aborted(): void {
    const { at, leftPods, workload, hashes } = this;
    this.state = 'aborted';
    this.end = 'rolled back';
    this.why = undefined;
    const pods = this.last.canaryPods;
    if (pods > 0) {
      this.abortAt(Math.min(at, this.steps.length - 1));
      return;
    }
    this.left = undefined;
    if (!this.isPingPong) this.select(this.versionServices.canaryService, hashes.stable);
    const stable = stableReplicasAt(workload.object, 0, 0, { version: this.version });
    this.pods = [podsOf(workload, 'stable', stable, hashes.stable), ...leftPods];
    this.addAborted('aborted, and the steps begin again', 0);
  }

  retry(action: StoryAction): void {
    if (this.state !== 'aborted') return;
    this.note(action);
    this.begin();
  }

  promoteFully(action: StoryAction): void {
    if (this.state !== 'progressing') return;
    this.note(action);
    if (this.state !== 'progressing') return;
    if (this.isNeverReady) {
      this.scaleBefore(this.steps.length);
      // With a router, nothing changes.
      if (!routesTraffic(this.workload.object)) this.add('finish', 'no pod of the new version is ready');
      return;
    }
    this.skipSteps(Math.min(this.at, this.steps.length - 1), this.last.canaryPods);
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
    for (const name of services) {
      const after = withoutSelector(this.world, name, workload);
      if (after === this.world) continue;
      this.written.push(this.serviceRef(name));
      this.world = after;
      this.add('finish', `Service ${name} selects all pods again`);
    }
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

  scaleTo(replicas: number, action: StoryAction): void {
    this.note(action);
    const { object } = this.workload;
    this.workload = { ...this.workload, replicas, object: { ...object, spec: { ...asObject(object.spec), replicas } } };
    this.passes = this.passesOf();
    if (this.state !== 'progressing') {
      this.pods = [podsOf(this.workload, 'stable', replicas, this.hashes.stable)];
      this.add('finish', `scaled to ${replicas} pods`);
      return;
    }
    this.scale(this.last);
    const { step } = this.last;
    this.add('step', `scaled to ${replicas} pods`, step === undefined ? undefined : this.declaredAt(step), step);
  }

  edit(patch: StoryPatch, action: StoryAction): void {
    const { apiVersion, kind, name } = patch;
    const { manifest, namespace } = this.workload;
    const { replicas, ...others } = asObject(patch.with?.spec);
    if (kind === 'Rollout' && name === manifest.name) {
      if (patch.with === null) this.remove(action);
      else if (typeof replicas === 'number' && Object.keys(others).length === 0) this.scaleTo(replicas, action);
      else this.editRollout(patch.with, action);
      return;
    }
    this.note(action);
    const existing = this.world.get({ apiVersion, kind, name, namespace });
    if (existing === undefined) return;
    if (patch.with === null) {
      this.lose(existing);
      return;
    }
    this.world = this.world.with(writtenFrom(existing, mergePatch(existing.object, patch.with)));
    if (this.state !== 'progressing') return;
    const pass = this.last;
    const { step } = pass;
    const edited = this.world;
    this.add('step', `${kind} "${name}" edited`, undefined, step);
    // An edit of an Ingress makes the controller write what the edit took away.
    this.call(pass);
    const declared = step === undefined ? undefined : this.declaredAt(step);
    if (this.world !== edited) this.add('step', `${kind} "${name}" written again`, declared, step);
  }

  /** Somebody deletes an object in the middle. */
  private lose(existing: Manifest): void {
    const why = missed(this.world, this.workload, existing);
    this.world = this.world.without(existing);
    if (this.state !== 'progressing') return;
    this.add('step', `${existing.kind} "${existing.name}" deleted`, undefined, this.last.step);
    if (why !== undefined) [this.state, this.end, this.why] = ['over', 'stuck', why];
  }

  /** With other steps, the release begins again at the first one, with the pods that it has. */
  private editRollout(change: JsonObject, action: StoryAction): void {
    this.note(action);
    const before = this.steps;
    this.workload = { ...this.workload, object: mergePatch(this.workload.object, change) };
    this.readStrategy();
    const isSame = JSON.stringify(before) === JSON.stringify(this.steps);
    this.passes = this.passesOf();
    if (isSame || this.state !== 'progressing' || this.at < 0 || this.steps.length === 0) return;
    this.routes = [];
    this.why = undefined;
    this.next = this.passes.map(({ phase, step }) => phase === 'step' && step === 0).lastIndexOf(true);
    this.step();
    this.toPause();
  }

  analyse(result: AnalysisResult, action: StoryAction): void {
    while (this.isMoving && !this.isAnalysing && !this.isAtPause) this.step();
    if (this.state !== 'progressing') return;
    if (result !== 'inconclusive') {
      this.abortNow(action);
      return;
    }
    this.note(action);
    this.isInconclusive = true;
    this.skipPauses();
    this.why = 'an analysis is inconclusive, and it waits for somebody to promote it';
  }

  /** The controller takes its own pause for that of the steps that come next. */
  private skipPauses(): void {
    const isPause = (step: number | undefined) => step !== undefined && isSet(this.steps[step]?.pause);
    if (isPause(this.last.step) || isSet(this.currentStep?.analysis)) return;
    while (isPause(this.passes[this.next]?.step)) this.step();
  }

  /** An analysis runs: that of the step, or the one in the background. */
  private get isAnalysing(): boolean {
    const from = backgroundStart(this.workload.object);
    return isSet(this.currentStep?.analysis) || (from !== undefined && this.at >= from && this.isSettled);
  }
}
