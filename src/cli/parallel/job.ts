import type { Finding, Manifest, World } from '../../core';
import { Budget, type BudgetLimits } from '../../core/budget';
import type { PortableManifests } from '../../core/reader/portable';
import type { Rehearsal } from '../../core/rehearsal-result';
import type { ClusterScripts } from '../../kruise/scripts/sources';
import type { RehearsalRequest, RehearseOptions } from '../../rehearsal';
import type { StackCheckOptions } from '../../settings/check-options';
import { type Cluster, kruiseFactsOf } from '../../settings/cluster';
import type { StoryRequest } from '../../settings/story';
import { type RouterVersions, readVersions, type VersionTexts } from '../../settings/versions';
import { usedMemory } from '../memory';

/** What to keep of rehearsals: only findings, which costs far less, or the whole rehearsals. */
export type Kept = 'findings' | 'rehearsals';

/** The result of one part. */
export interface PartResult {
  readonly findings: readonly Finding[];
  /** Empty if only the findings are kept. */
  readonly rehearsals: readonly Rehearsal[];
}

/** How Rollouts are rehearsed, as plain data. */
export interface PlainRehearseOptions {
  readonly versions: Pick<VersionTexts, 'kruiseVersion' | 'argoVersion' | keyof RouterVersions>;
  /** `1.34` */
  readonly kubernetesVersion: string;
  readonly controllerNamespace?: string;
  readonly partitionPercentLimit?: number;
  readonly scripts?: ClusterScripts;
  readonly probes: readonly RehearsalRequest[];
  /** The stories that are asked for. */
  readonly stories: StoryRequest;
  /** Only this Rollout, as name or namespace/name. */
  readonly rollout?: string;
  readonly kept: Kept;
  /**
   * What all threads together may spend.
   * @default - any amount
   */
  readonly budget?: BudgetLimits;
}

/** The options as plain data, which threads can be given. */
export function plainOptions(
  cluster: Cluster,
  { rehearsal, budget }: StackCheckOptions,
  own: Pick<PlainRehearseOptions, 'kept' | 'rollout'>,
): PlainRehearseOptions {
  const { kruiseVersion, argoVersion, kubernetesVersion } = cluster;
  const { awsLoadBalancerControllerVersion, ingressNginxVersion, istioVersion, traefikVersion } = cluster;
  return {
    versions: {
      kruiseVersion: kruiseVersion.version,
      argoVersion: argoVersion.version,
      awsLoadBalancerControllerVersion: awsLoadBalancerControllerVersion.version,
      ingressNginxVersion: ingressNginxVersion.version,
      traefikVersion: traefikVersion.version,
      ...(istioVersion && { istioVersion }),
    },
    kubernetesVersion,
    ...kruiseFactsOf(cluster),
    probes: rehearsal === undefined || rehearsal === false ? [] : (rehearsal.probes ?? []),
    stories: rehearsal === false ? [] : (rehearsal?.stories ?? []),
    ...(budget && { budget: budget.limits }),
    ...own,
  };
}

/** The work of all threads; each takes the next part that no other has taken. */
export interface Job {
  readonly manifests: PortableManifests;
  readonly defaultNamespace: string;
  /** The indexes of each part's objects. */
  readonly parts: readonly (readonly number[])[];
  readonly options: PlainRehearseOptions;
  /** How many parts have been taken, by all threads together. */
  readonly taken: SharedArrayBuffer;
}

/** The answer of a thread. */
export interface Answer {
  readonly part: number;
  readonly result: PartResult;
}

/** Rehearses all Rollouts of a part. */
export function rehearsePart(world: World, plain: PlainRehearseOptions): PartResult {
  const { rehearsalFindings, rehearse } = require('../../rehearsal') as typeof import('../../rehearsal');
  const options = rehearseOptionsOf(plain);
  if (plain.kept === 'findings') return { findings: rehearsalFindings(world, options), rehearsals: [] };
  return { findings: [], rehearsals: rehearse(world, options) };
}

/** Takes the next part that no thread has taken; the index is beyond the last part if none is left. */
export function takeNext(taken: SharedArrayBuffer): number {
  return Atomics.add(new Int32Array(taken), 0, 1);
}

function rehearseOptionsOf(plain: PlainRehearseOptions): RehearseOptions {
  const { kubernetesVersion, probes, rollout, stories, budget } = plain;
  return {
    ...readVersions(plain.versions, (name) => name),
    kubernetesVersion,
    ...kruiseFactsOf(plain),
    probes,
    stories,
    ...(budget && { budget: new Budget(budget, usedMemory) }),
    ...(rollout === undefined ? {} : { only: named(rollout) }),
  };
}

function named(rollout: string): (manifest: Manifest) => boolean {
  return ({ name, namespace = 'default' }) => rollout === name || rollout === `${namespace}/${name}`;
}
