/** A canary that goes back to the stable version. */
import type { Delay } from '../../release';
import { canaryServicesOf } from './alb-rollout';
import { CanaryRelease, EXPERIMENT_GONE, NOTHING, Stopped } from './canary-release';
import {
  delaysAfterAbort,
  flapsAfterAbort,
  type Place,
  type ReturningPass,
  staysAfterAbort,
  wayBackOf,
} from './going-back';
import { type ArgoPlay, delayOf, podsOf } from './play';
import { type AlbPass, canaryReplicasAt, routesTraffic, stableReplicasAt } from './steps';

export const STABLE_PODS_MISSING = 'aborted, and not all stable pods are back yet';

const BACK_AT_A_STEP = 'aborted, and the stable pods for the weight of an earlier step are back';

const STOPS = 'aborted, and the new version keeps these requests for ever';

const DELAYED = 'aborted, and the new version keeps these requests as long as its pods';

/** A canary, its straight road and its abort. */
export class CanaryAbort extends CanaryRelease {
  play(): ArgoPlay {
    const stop = this.run();
    const { moments } = this;
    return { moments, services: [...this.services], ...stop };
  }

  private run(): Pick<ArgoPlay, 'error' | 'waits'> {
    try {
      const waits = this.toEnd();
      this.abort();
      return waits === undefined ? {} : { waits };
    } catch (stopped) {
      if (!(stopped instanceof Stopped)) throw stopped;
      if (this.moments.length === 0) this.add('before', 'idle');
      return { error: { ...stopped.failure, step: stopped.step } };
    }
  }

  private toEnd(): ArgoPlay['waits'] {
    const passes = this.passesOf();
    const end = this.steps.length;
    for (const [index, pass] of passes.entries()) {
      this.pass(pass, passes[index + 1]);
      if (pass.waits !== undefined) return { step: pass.step ?? end, why: pass.waits };
    }
    const last = passes.at(-1)!;
    if (last.phase === 'promoted') return undefined;
    this.standAtEnd(last.canaryPods);
    return { step: end, why: this.tooManyPods };
  }

  /** Aborts at the first step with header routes, or else with a weight. */
  private abort(): void {
    const settled = this.moments.filter(({ phase }) => phase === 'step');
    const from =
      settled.find(({ declared }) => (declared?.headerRoutes.length ?? 0) > 0) ??
      settled.find(({ declared }) => (declared?.weight ?? 0) > 0);
    if (from?.step === undefined) return;
    Object.assign(this, this.states.get(from));
    this.written.length = 0;
    this.passed.length = 0;
    this.abortAt(from.step);
  }

  /** Returns the reconcile at which it stops for ever, with requests for the new version. */
  protected abortAt(step: number, from?: Place): ReturningPass | undefined {
    const { workload, version, stablePingPong } = this;
    const { returning, last, isDelayed } = wayBackOf(workload.object, step, { version, stablePingPong }, from);
    const standing = last === undefined || isDelayed ? returning.at(-1) : undefined;
    for (const [index, pass] of returning.entries()) {
      if (index === 0 && from === undefined) this.scale(pass);
      else this.pods = this.podsOfBoth(pass.stablePods, pass.canaryPods);
      this.call(pass);
      if (pass !== standing) this.add('abort', pass.isStep ? BACK_AT_A_STEP : STABLE_PODS_MISSING, undefined, step);
      else if (last === undefined) this.add('abort', STOPS, undefined, step);
      else this.add('abort', DELAYED, undefined, step, delayOf(this.canary, 'abortScaleDownDelaySeconds'));
    }
    if (last === undefined) return standing;
    this.takeBack(last, step);
    return undefined;
  }

  /** The canary gets nothing any more; then its pods go. */
  protected takeBack(pass: AlbPass, step: number): void {
    const { workload, isPingPong } = this;
    const rollout = canaryServicesOf(workload.object, pass.stablePingPong);
    const { hashes } = this;
    const stable = stableReplicasAt(workload.object, step, 0, { version: this.version });
    this.pods = this.podsOfBoth(stable, pass.canaryPods);
    if (!isPingPong) this.select(rollout.canaryService, hashes.stable);
    this.call(pass);
    // Without a router, the new pods go at once.
    const isFlapping = pass.canaryPods > 0 && flapsAfterAbort(workload.object);
    const isLasting = staysAfterAbort(workload.object);
    const isDelayed = pass.canaryPods > 0 && delaysAfterAbort(workload.object);
    const stays = isDelayed ? delayOf(this.canary, 'abortScaleDownDelaySeconds') : undefined;
    if (routesTraffic(workload.object))
      this.addAborted('aborted, and the steps begin again', step, isFlapping ? undefined : stays);
    if (isFlapping) {
      this.select(rollout.canaryService, hashes.canary);
      this.addAborted(`Service ${rollout.canaryService} goes to the new pods and back at each reconcile`, step, stays);
      this.select(rollout.canaryService, hashes.stable);
    }
    this.pods = isLasting
      ? this.podsOfBoth(stable, canaryReplicasAt(workload.object, 0, { version: this.version }))
      : [podsOf(workload, 'stable', stable, hashes.stable)];
    this.addAborted(isLasting ? 'the new pods stay, as the first step scales them' : 'the new pods are gone', step);
    if (this.endExperiments()) this.addAborted(EXPERIMENT_GONE, step);
  }

  protected addAborted(event: string, step: number, lasts?: Delay): void {
    this.add('abort', event, NOTHING, step, lasts);
  }
}
