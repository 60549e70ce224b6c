/** What `check` and `doctor` say of one release: asked again at each look, and checked again only when something else is declared. */
import { checkStack, type StackResult } from '../check';
import type { Manifest, World } from '../core';
import type { Checkup, CheckupItem, CheckupTraffic } from '../core/checkup';
import type { Rehearsal } from '../core/rehearsal-result';
import { declaredOf, examine, type LiveCluster, type Progress, progressOf } from '../doctor';
import { externalOf } from '../doctor/external';
import { controllers } from '../rehearsal/controllers';
import type { Release } from '../release';
import { allRouters } from '../routers';
import { clusterOf } from '../settings/cluster';
import { routerVersionsOf, type Versions } from '../settings/versions';
import { declaredText } from './changes';
import type { LiveState } from './live-state';
import { requestsOf } from './requests';
import type { FollowedSystem } from './state';

/** The versions that are stated, and where the controller is. */
export interface AnswerOptions extends Versions {
  /**
   * The namespace of the Kruise Rollouts controller.
   * @default - where it is found, or 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
}

/** All that is known of a release at one look. */
export interface Answers {
  readonly state: LiveState;
  readonly progress: Progress;
  /** The questions of `doctor` about the Rollout. */
  readonly items: readonly CheckupItem[];
  /** The release as declared; undefined if it routes nothing. */
  readonly release: Release | undefined;
  /** Undefined if nothing answers requests, or nobody knows what does. */
  readonly traffic: CheckupTraffic | undefined;
  /** With all stories; undefined if the release cannot be rehearsed. */
  readonly rehearsal: Rehearsal | undefined;
}

/** Asks about one release. */
export class Asking {
  private checked: { readonly text: string; readonly stack: StackResult } | undefined;

  constructor(private readonly options: AnswerOptions) {}

  /** All answers. */
  about(manifest: Manifest, system: FollowedSystem, cluster: LiveCluster): Answers {
    const { world } = cluster;
    const { options } = this;
    const { kruiseVersion, argoVersion, ...known } = clusterOf(world, options);
    const namespace = world.namespaceOf(manifest);
    const isMeant = (one: Manifest) =>
      one.groupKind === manifest.groupKind && one.name === manifest.name && world.namespaceOf(one) === namespace;
    const declared = declaredOf(world, kruiseVersion).world;
    const stack = this.check(declared, cluster, isMeant);
    const { checkup } = examine(cluster, { ...options, only: { namespace, name: manifest.name }, stack });
    const own = itemsOf(checkup, manifest);
    const [first] = progressOf(cluster, { kruiseVersion, findings: stack.findings, isMeant });
    const release = controllers
      .flatMap((controller) => controller.releasesOf(declared, { kruiseVersion, argoVersion }))
      .find((one) => isMeant(one.manifest));
    const state = system.stateOf(manifest, cluster, kruiseVersion);
    const routers = allRouters(routerVersionsOf(known));
    const asked = own.find(({ id }) => id.endsWith('-requests'));
    const more =
      asked === undefined && release !== undefined
        ? requestsOf({ cluster, declared, release, state, routers })
        : undefined;
    return {
      state,
      progress: first!.progress,
      items: more === undefined ? own : [...own, more],
      release,
      traffic: (asked ?? more)?.traffic,
      rehearsal: stack.rehearsals[0],
    };
  }

  private check(declared: World, cluster: LiveCluster, isMeant: (manifest: Manifest) => boolean): StackResult {
    const text = declaredText(declared);
    if (this.checked?.text === text) return this.checked.stack;
    // A Rollout cannot be rehearsed without its Services.
    const isKnown = (one: Manifest) => cluster.unread('Service', declared.namespaceOf(one)) === undefined;
    const stack = checkStack(declared, {
      ...this.options,
      external: externalOf(cluster),
      rehearsal: { only: (one) => isMeant(one) && isKnown(one), stories: 'all' },
    });
    this.checked = { text, stack };
    return stack;
  }
}

function itemsOf({ sections }: Checkup, { kind, name, apiVersion }: Manifest): readonly CheckupItem[] {
  const group = apiVersion.split('/')[0];
  const own = sections.filter(
    ({ object }) => object?.kind === kind && object.name === name && object.apiVersion?.split('/')[0] === group,
  );
  return own.flatMap(({ items }) => items);
}
