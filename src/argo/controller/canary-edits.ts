import { type JsonObject, partOf, sameJson } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { mergePatch } from '../../core/merge-patch';
import { type PodGroup, type StoryAction, type StoryPatch, samePods, writtenFrom } from '../../release';
import { CanaryProgress } from './canary-progress';
import { NOTHING } from './canary-release';
import { type Edits, resumed, resumedEdits, withEdit } from './edited-rollout';
import { missed } from './play';
import { passesAgain, replicasOf } from './steps';

/** Follows people who edit objects while a release goes on. */
export class CanaryEdits extends CanaryProgress {
  protected edits: Edits = {};
  /** The pods that stay as they are while `spec.paused` is true. Routes and Services go on to follow what people do. */
  protected halted: readonly PodGroup[] | undefined;

  edit(patch: StoryPatch, action: StoryAction): void {
    const { apiVersion, kind, name } = patch;
    const { namespace } = this.workload;
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

  /**
   * With other steps, the release begins again at the first one, with the pods that it has; even an aborted one. With a mistake that the API
   * server does not find, the controller does nothing at all.
   */
  editRollout(change: JsonObject, action: StoryAction): void {
    this.note(action);
    const { world, workload, version, edits } = this;
    this.edits = withEdit(edits, { world, workload, version }, change);
    if (this.edits.applied === edits.applied) return;
    if (this.edits.invalid === undefined) this.takeUp(mergePatch(workload.object, change));
    else if (this.state === 'progressing') this.add('step', 'the Rollout is invalid', undefined, this.last.step);
  }

  protected override add(...[phase, event, declared, step, lasts]: Parameters<CanaryProgress['add']>): void {
    const { halted, pods } = this;
    if (halted === undefined) {
      super.add(phase, event, declared, step, lasts);
      return;
    }
    if (this.written.length === 0 && this.passed.length === 0) return;
    this.pods = halted;
    super.add(phase, event, declared, step);
    this.pods = pods;
  }

  /** A release that has begun while the Rollout is paused: the controller writes its first routes, and waits. */
  protected standStill(): void {
    if (this.halted === undefined || this.state !== 'progressing') return;
    if (this.next === 1) this.step();
    this.why = HALTED;
  }

  /** `kubectl argo rollouts promote` resumes a paused Rollout, too. */
  protected unpause(): void {
    if (this.halted === undefined) return;
    this.edits = resumedEdits(this.edits);
    this.workload = { ...this.workload, object: resumed(this.workload.object) };
    this.resume();
  }

  private resume(): void {
    const { halted } = this;
    if (halted === undefined) return;
    this.halted = undefined;
    const { step } = this.last;
    const isRunning = this.state === 'progressing' && step !== undefined;
    if (!samePods(halted, this.pods)) {
      const declared = isRunning ? this.declaredAt(step) : NOTHING;
      this.add(isRunning ? 'step' : 'abort', 'the Rollout is resumed, and the pods follow', declared, step);
    }
    if (this.state !== 'progressing') return;
    this.why = undefined;
    this.settle();
  }

  private takeUp(object: JsonObject): void {
    const isPaused = partOf(object, 'spec')?.paused === true;
    if (isPaused) this.halted ??= this.pods;
    this.replan(object);
    if (isPaused) this.standStill();
    else this.resume();
  }

  /** Where the release is, with other numbers of pods. */
  protected rescale(event: string): void {
    this.passes = this.passesOf();
    this.scale(this.last);
    const { step } = this.last;
    this.add('step', event, step === undefined ? undefined : this.declaredAt(step), step);
  }

  private replan(object: JsonObject): void {
    const before = this.steps;
    const replicas = replicasOf(object);
    const isScaled = replicas !== this.workload.replicas;
    this.workload = { ...this.workload, object, replicas };
    this.readStrategy();
    const isSame = sameJson(before, this.steps);
    if (!isSame && this.state === 'aborted') {
      this.begin();
      return;
    }
    const pods = { canaryPods: this.last.canaryPods, stablePods: this.stablePods };
    const isRunning = this.state === 'progressing' && this.at >= 0;
    this.passes = this.passesOf();
    if (this.state === 'over') this.next = this.passes.length;
    if (isSame && isRunning && isScaled) this.rescale(`scaled to ${replicas} pods`);
    if (isSame || !isRunning) return;
    const { isNeverReady } = this;
    this.begin(isNeverReady);
    if (isNeverReady) return;
    this.passes = passesAgain(object, pods, this.passesOptions);
    if (this.halted === undefined) this.toPause();
  }
}

const HALTED = 'the Rollout is paused';
