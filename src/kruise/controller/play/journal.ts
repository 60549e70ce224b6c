/** What happens during a play: the objects that the controller writes, the pods, and the moments that users can meet. */
import type { ObjectRef } from '../../../core/finding';
import { sameJson } from '../../../core/json';
import type { Manifest } from '../../../core/manifest';
import type { World } from '../../../core/world';
import { hashOf, type PodGroup, samePods, sameWorld } from '../../../release';
import type { TrafficRoutingStrategy } from '../../api';
import type { Divided } from './division';
import { divisionOf } from './workload';

/** The part of a release that a moment belongs to. */
export type RolloutPhase = 'before' | 'prepare' | 'step' | 'finish' | 'abort';

/** A state of the cluster that lasts long enough to affect users. */
export interface RolloutMoment {
  readonly phase: RolloutPhase;
  /** Counted from 0, as in `steps[0]`. */
  readonly step?: number;
  /** The event that led to this state: `canary Ingress created`. */
  readonly event: string;
  readonly world: World;
  /** The objects that the controller has written since the moment before, in its order. */
  readonly written: readonly ObjectRef[];
  /** The pods of the workload; the World has one Pod of each version. */
  readonly pods: readonly PodGroup[];
  /**
   * The traffic that the settled step declares.
   * @default - none declared
   */
  readonly strategy?: TrafficRoutingStrategy;
  /** Whether requests may reach either version, because the controller is changing routes one after the other. */
  readonly isMixed?: boolean;
  /** Whether the next reconcile goes on: the controller gives load balancers no time to follow. */
  readonly goesOn?: boolean;
  /**
   * What people have done since the moment before.
   * @default - nothing
   */
  readonly did?: readonly string[];
  /**
   * The version that each value of the revision label stands for.
   * @default - the stable one is `v1`, the canary `v2`
   */
  readonly versions?: Readonly<Record<string, string>>;
}

/** What a moment has besides the state of the cluster. */
export type MomentDetails = Pick<RolloutMoment, 'strategy' | 'isMixed' | 'goesOn'>;

/** The state of the cluster, and its history. */
export class Journal {
  moments: readonly RolloutMoment[] = [];
  private written: readonly ObjectRef[] = [];
  private did: readonly string[] = [];
  private versions: RolloutMoment['versions'];
  private memory: Partial<Divided> = {};
  /** The manifests of the pods that run. */
  private shown: readonly Manifest[] | undefined;

  /** @param manifestsOf the manifests of the pods, one of each version */
  constructor(
    private current: World,
    private running: readonly PodGroup[],
    private readonly manifestsOf: (pods: readonly PodGroup[]) => readonly Manifest[],
  ) {}

  /** All objects but the pods. */
  get world(): World {
    return this.current;
  }

  get pods(): readonly PodGroup[] {
    return this.running;
  }

  /** Whether something has been written since the last moment. */
  get isUnrecorded(): boolean {
    return this.written.length > 0;
  }

  /** Whether something has been written, or the pods have other versions, since the last moment. */
  get isNoticed(): boolean {
    const last = this.moments.at(-1);
    return (
      this.isUnrecorded ||
      last === undefined ||
      versionsOf(this.running, this.versions) !== versionsOf(last.pods, last.versions)
    );
  }

  /** Writes an object. Returns false if it already is as it should be: the controller then writes nothing. */
  write(manifest: Manifest): boolean {
    const existing = this.current.get(manifest.ref);
    if (existing !== undefined && sameJson(existing.object, manifest.object)) return false;
    this.current = this.current.with(manifest);
    this.written = [...this.written, manifest.ref];
    return true;
  }

  /** Deletes an object. */
  remove(manifest: Manifest): void {
    this.current = this.current.without(manifest);
    this.written = [...this.written, manifest.ref];
  }

  /** How the pods are divided, and what decides about it. */
  get divided(): Divided {
    return { division: divisionOf(this.running), ...this.memory };
  }

  /**
   * Replaces the pods. Returns whether that changes anything.
   * @param memory what decides about the pods from now on
   */
  replacePods(pods: readonly PodGroup[], memory: Partial<Divided> = {}): boolean {
    this.memory = memory;
    const changes = !samePods(pods, this.running);
    if (changes) this.run(pods);
    return changes;
  }

  /** Changes an object as people do, which is no write of the controller. */
  edit(manifest: Manifest): void {
    this.current = this.current.with(manifest);
  }

  /** Deletes an object as people do. */
  discard(manifest: Manifest): void {
    this.current = this.current.without(manifest);
  }

  /** Notes what people do. */
  note(deed: string): void {
    this.did = [...this.did, deed];
  }

  /** Names the versions from now on. */
  name(versions: Readonly<Record<string, string>>): void {
    this.versions = versions;
  }

  /** Notes that the state lasts long enough to affect users. */
  record(phase: RolloutPhase, step: number | undefined, event: string, details: MomentDetails = {}): void {
    const { current, running: pods, written, did, versions } = this;
    this.shown ??= this.manifestsOf(pods);
    const shown = this.shown.length === 0 ? current : current.with(...this.shown);
    const world = sameWorld(shown, this.moments.at(-1)?.world);
    const moment = {
      phase,
      ...(step === undefined ? {} : { step }),
      event,
      world,
      written,
      pods,
      ...details,
      ...(did.length === 0 ? {} : { did }),
      ...(versions === undefined ? {} : { versions }),
    };
    this.moments = [...this.moments, moment];
    this.written = [];
    this.did = [];
  }

  /** Continues from an earlier state. */
  branch({ world, pods }: Pick<Journal, 'world' | 'pods'>): void {
    this.current = world;
    this.replacePods(pods);
    this.written = [];
  }

  private run(pods: readonly PodGroup[]): void {
    this.running = pods;
    this.shown = undefined;
  }

  /** A journal that goes on from here on its own. */
  fork(): Journal {
    return Object.assign(new Journal(this.current, this.running, this.manifestsOf), {
      moments: this.moments,
      written: this.written,
      did: this.did,
      versions: this.versions,
      memory: this.memory,
    });
  }
}

const AT_FIRST: NonNullable<RolloutMoment['versions']> = { stable: 'v1', canary: 'v2' };

function versionsOf(pods: readonly PodGroup[], versions = AT_FIRST): string {
  return JSON.stringify(pods.map((group) => [versions[hashOf(group)] ?? hashOf(group), group.replicas]));
}
