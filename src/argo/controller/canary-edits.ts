import { type JsonObject, partOf, sameJson } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { mergePatch } from '../../core/merge-patch';
import { type PodGroup, type StoryAction, type StoryPatch, samePods, writtenFrom } from '../../release';
import { isBlueGreen } from './blue-green-release';
import { CanaryProgress } from './canary-progress';
import { NOTHING } from './canary-release';
import { type Edits, resumed, resumedEdits, type TakenEdit, withEdit } from './edited-rollout';
import { abortedPass, fieldThatKeepsPods, type Place, type ReturningPass } from './going-back';
import type { Handover, HandoverPlace } from './handover';
import { type ArgoMoment, type ArgoWorkload, missed, withoutSelector } from './play';
import { type AlbPass, callsOf, passesAgain, replicasOf, routesTraffic } from './steps';

/** Follows people who edit objects while a release goes on. */
export class CanaryEdits extends CanaryProgress {
  /** What a blue-green release goes on with, once the Rollout is one. */
  handover: Handover | undefined;
  protected edits: Edits = {};
  /** The reconcile at which an abort stops for ever. */
  protected stopped: ReturningPass | undefined;
  /** The pods that stay as they are while `spec.paused` is true. Routes and Services go on to follow what people do. */
  protected halted: readonly PodGroup[] | undefined;
  /** The Service that selects the old version as soon as the paused Rollout is resumed. */
  private awaited: string | undefined;

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
    this.tell(`${kind} "${name}" edited`);
    // An edit makes the controller write what the edit took away.
    this.writeWhatIsMissing();
  }

  /** The calls of a reconcile that finds nothing else to do. */
  private get still(): Omit<AlbPass, 'canaryPods'> {
    const { state, last, version, stablePingPong, workload } = this;
    if (state === 'progressing' || state === 'idle') return last;
    if (state === 'aborted') return this.stopped ?? abortedPass(workload.object, 0, { version, stablePingPong });
    return { phase: 'idle', calls: callsOf(workload.object, { phase: 'promoted' }, { version }), stablePingPong };
  }

  /** Writes again what people took away. */
  protected writeWhatIsMissing(): void {
    const { world } = this;
    this.call(this.still);
    const [ref] = this.written;
    if (this.world !== world && ref !== undefined) this.tellSettled(`${ref.kind} "${ref.name}" written again`);
  }

  /** Tells what happens where the release is. */
  private tell(event: string, declared?: ArgoMoment['declared']): void {
    const phases = { idle: 'before', progressing: 'step', aborted: 'abort', over: 'finish' } as const;
    this.add(phases[this.state], event, declared, this.state === 'progressing' ? this.last.step : undefined);
  }

  /** The same, where requests go as declared. */
  private tellSettled(event: string): void {
    const { step } = this.last;
    if (this.state !== 'progressing') this.tell(event, NOTHING);
    else this.tell(event, step === undefined ? undefined : this.declaredAt(step));
  }

  /** Somebody deletes an object in the middle. */
  private lose(existing: Manifest): void {
    const why = missed(this.world, this.workload, existing);
    this.world = this.world.without(existing);
    this.tell(`${existing.kind} "${existing.name}" deleted`);
    if (why !== undefined) this.edits = { ...this.edits, invalid: why };
  }

  /**
   * With other steps, the release begins again at the first one, with the pods that it has; even an aborted one. With a mistake that the API
   * server does not find, the controller does nothing at all.
   */
  editRollout(change: JsonObject, action: StoryAction): void {
    this.note(action);
    const { world, workload, version } = this;
    const { edits, taken } = withEdit(this.edits, { world, workload, version }, change);
    this.edits = edits;
    if (taken === undefined) return;
    for (const name of taken.left) this.free(name);
    if (edits.invalid === undefined) this.takeUp(taken);
    else this.tell('the Rollout is invalid');
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

  /** A Service goes back to the old version. While the Rollout is paused, the controller cannot start pods of it that have gone. */
  protected selectStable(service: string): void {
    const { halted, hashes } = this;
    const hasPods = ({ revision, replicas }: PodGroup) => revision === 'stable' && replicas > 0;
    if (halted === undefined || halted.some(hasPods)) this.select(service, hashes.stable);
    else this.awaited = service;
  }

  private resume(): void {
    const { awaited, halted } = this;
    if (halted === undefined) return;
    this.halted = undefined;
    this.awaited = undefined;
    if (awaited !== undefined) this.select(awaited, this.hashes.stable);
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

  private takeUp({ object, routesOtherwise }: TakenEdit): void {
    if (isBlueGreen({ ...this.workload, object })) {
      this.handover = this.handOver({ ...this.workload, object, replicas: replicasOf(object) });
      return;
    }
    const isPaused = partOf(object, 'spec')?.paused === true;
    if (isPaused) this.halted ??= this.pods;
    this.replan(object);
    if (routesOtherwise) this.follow();
    if (isPaused) this.standStill();
    else this.resume();
  }

  /** A Service that the Rollout no longer names selects all pods again. Returns whether it selected fewer. */
  protected free(service: string): boolean {
    const after = withoutSelector(this.world, service, this.workload);
    if (after === this.world) return false;
    this.world = after;
    this.written.push(this.serviceRef(service));
    return true;
  }

  /** Other Services and other routes get at once what those before had. */
  private follow(): void {
    const { state, hashes, last, versionServices } = this;
    if (state === 'aborted') {
      for (const name of [versionServices.stableService, versionServices.canaryService])
        this.select(name, hashes.stable);
    } else {
      this.point(versionServices, last);
      this.call(last);
    }
    if (this.written.length === 0 && this.passed.length === 0) return;
    this.tellSettled('the Rollout names other Services or routes');
  }

  /** Where the release is, with other numbers of pods. */
  protected rescale(event: string): void {
    const { last, isSettled, pods } = this;
    const isHere = ({ phase, step, experiment }: AlbPass) =>
      phase === last.phase && step === last.step && experiment === last.experiment;
    this.passes = this.passesOf(0, last.canaryPods);
    const here = this.passes.map(isHere);
    this.next = 1 + (isSettled ? here.lastIndexOf(true) : here.indexOf(true));
    this.scale(this.last);
    if (samePods(pods, this.pods)) return;
    this.tellSettled(event);
  }

  private replan(object: JsonObject): void {
    const before = this.steps;
    const replicas = replicasOf(object);
    const isScaled = replicas !== this.workload.replicas;
    this.workload = { ...this.workload, object, replicas };
    this.readStrategy();
    const isSame = sameJson(before, this.steps);
    if (this.state === 'aborted' && this.stopped !== undefined) {
      if (isSame) this.goBack(this.stopped.step ?? 0, this.stopped);
      else this.beginAgain();
      return;
    }
    if (!isSame && this.state === 'aborted') {
      this.begin();
      if (this.halted !== undefined) this.passes = this.passesOf(0, canaryPodsOf(this.halted));
      return;
    }
    const isRunning = this.state === 'progressing' && this.at >= 0;
    if (isSame && isRunning) this.rescale(isScaled ? `scaled to ${replicas} pods` : 'the Rollout asks for other pods');
    else this.passes = this.passesOf();
    if (this.state === 'over') this.next = this.passes.length;
    if (isSame || !isRunning) return;
    if (this.isNeverReady) this.begin(true);
    else this.beginAgain();
  }

  /** Goes back to the stable version, also from where the controller has stopped before. */
  protected goBack(step: number, from?: Place): void {
    this.stopped = this.abortAt(step, from);
    this.end = this.stopped === undefined ? 'rolled back' : 'stuck';
    const field = fieldThatKeepsPods(this.workload.object);
    this.why =
      this.stopped &&
      `the new version keeps requests after the abort: the controller waits for fewer new pods, which ${field} keeps`;
  }

  /** Begins at the first step, with the pods that there are. */
  protected beginAgain(): void {
    const pods = { canaryPods: canaryPodsOf(this.pods), stablePods: this.stablePods };
    this.begin();
    this.passes = passesAgain(this.workload.object, pods, this.passesOptions);
    if (this.halted === undefined) this.toPause();
  }

  private handOver(workload: ArgoWorkload): Handover {
    const { world, end, hashes, versions, moments, did, edits, balancer, halted, pods } = this;
    const at = this.placeToHandOver;
    const known = at === 'idle' ? { stable: hashes.stable, canary: hashes.stable } : hashes;
    const isHalted = halted !== undefined;
    const referenced = routesTraffic(this.workload.object) ? Object.values(known) : [];
    return {
      world,
      workload,
      at,
      end,
      pods: halted ?? pods,
      hashes: known,
      versions,
      moments,
      did,
      referenced,
      edits,
      balancer,
      isHalted,
    };
  }

  private get placeToHandOver(): HandoverPlace {
    const { state, isNeverReady, isPaused } = this;
    if (state === 'aborted') return 'aborted';
    if (state !== 'progressing') return 'idle';
    if (isNeverReady) return 'broken';
    return isPaused ? 'paused' : this.last.canaryPods > 0 ? 'running' : 'starting';
  }

  /** Goes on with a release that was blue-green: its steps begin. */
  takeOver({ at, isHalted, moments, did, referenced: _hashes, ...state }: Handover): void {
    Object.assign(this, { ...state, moments: [...moments], did: [...did] });
    if (isHalted) this.halted = state.pods;
    this.passes = this.passesOf();
    this.next = this.passes.length;
    this.state = 'over';
    if (at === 'idle') return;
    if (at === 'running') this.beginAgain();
    else this.begin(at === 'broken');
    this.standStill();
  }
}

const HALTED = 'the Rollout is paused';

function canaryPodsOf(pods: readonly PodGroup[]): number {
  return pods.find(({ revision }) => revision === 'canary')?.replicas ?? 0;
}
