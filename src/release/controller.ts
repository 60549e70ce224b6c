/** A rollout controller, as far as others need to know it. */
import type { Manifest } from '../core/manifest';
import type { Rule } from '../core/rule';
import type { MergeEffect } from '../core/stack-diff';
import type { World } from '../core/world';
import type { Release } from './release';

/** A kind of objects that a controller reads. */
export interface ControllerKind {
  /** `Rollout` */
  readonly kind: string;
  /** The API group without its version: `argoproj.io`. */
  readonly group: string;
  /** `rollouts` */
  readonly plural: string;
  /**
   * Whether objects of the kind have no namespace.
   * @default false
   */
  readonly clusterScoped?: boolean;
  /**
   * Whether `doctor` reads it only in the namespaces of Rollouts.
   * @default false
   */
  readonly onlyWhereUsed?: boolean;
}

/**
 * A rollout controller.
 * @example
 * const controllers: readonly ReleaseController<RehearseOptions>[] = [kruise, argo];
 * controllers.flatMap((controller) => controller.releasesOf(world, {}));
 */
export interface ReleaseController<Options = object> {
  /** As its users call it: `Argo Rollouts`. */
  readonly name: string;
  /** The kinds of its own API. */
  readonly reads: readonly ControllerKind[];
  /**
   * The rules of the remarks that only this controller makes.
   * @default - none
   */
  readonly rules?: Readonly<Record<string, Rule>>;
  /** The releases of a World, in the order of its objects. */
  releasesOf(world: World, options: Options): readonly Release[];
  /**
   * What the controller writes while no release is under way.
   * @default - nothing
   */
  idle?(world: World, options: Options): World;
  /**
   * What happens to its Rollouts when a change is applied: whether releases start, and what becomes of those in progress.
   * @default - nothing is said about it
   */
  mergeEffects?(base: World, head: World, options: Options): readonly MergeEffect[];
  /**
   * Objects of its install, which every release may depend on.
   * @default - none
   */
  installed?(world: World): readonly Manifest[];
}
