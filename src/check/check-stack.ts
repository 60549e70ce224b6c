import { admissionFindings as argoAdmissionFindings } from '../argo/admission';
import { assumptionRules } from '../argo/alb/assumptions';
import { checkAnalyses } from '../argo/analysis/checks';
import { checkArgoAlb } from '../argo/rules';
import type { Budget } from '../core/budget';
import type { Finding, ObjectRef } from '../core/finding';
import type { Rehearsal } from '../core/rehearsal-result';
import { findingOf, type Rule } from '../core/rule';
import { worldRules } from '../core/rules';
import { applySuppressions, type SuppressionResult } from '../core/suppression';
import { World } from '../core/world';
import { admissionFindings } from '../kruise/admission';
import { aliyunOrderRules } from '../kruise/alb/aliyun-orders';
import { checkKruise } from '../kruise/check';
import { configMapRules } from '../kruise/scripts/config-map-rules';
import { checkScriptsOfWorld } from '../kruise/scripts/world';
import type { KruiseRolloutVersion } from '../kruise/version';
import { checkKtEnv } from '../ktenv/rules';
import { findingsOf, type RehearseOptions, rehearsalFindings, rehearsalRules, rehearse } from '../rehearsal';
import type { StackCheckOptions } from '../settings/check-options';
import { type Cluster, clusterOf, kruiseFactsOf } from '../settings/cluster';
import { routerVersionsOf } from '../settings/versions';
import { acceptedRehearsals } from './accepted-rehearsals';
import { checkApiNames } from './api-not-served';
import { wholeCatalogue } from './catalogue';
import { withCauses } from './causes';
import { withoutConsequences } from './consequences';
import { checkKubernetesApis } from './kubernetes-api';
import { checkKubernetesObjects } from './kubernetes-objects';
import { ruleGroups } from './rule-groups';

/** The result of checking a stack. */
export interface StackResult extends SuppressionResult {
  /** The rehearsals without accepted findings; empty if the options ask for no reports. */
  readonly rehearsals: readonly Rehearsal[];
  /** The versions and facts that the stack was checked for, stated or found or assumed. */
  readonly cluster: Cluster;
}

/**
 * Checks all objects of a stack, of every system at once, and rehearses its Rollouts. Leaves out what annotations or
 * options accept; a suppression that is invalid or matches nothing is itself a finding.
 *
 * @example
 * const { manifests, findings } = readManifests(['deploy']);
 * checkStack(World.of(manifests), { earlier: findings }).findings
 */
export function checkStack(world: World, options: StackCheckOptions = {}): StackResult {
  const { rehearsals, findings } = played(world, options);
  const result = joined(world, checkObjects(world, options), findings, options);
  return {
    ...result,
    findings: withCauses(result.findings, world),
    rehearsals: acceptedRehearsals(rehearsals, result.findings),
    cluster: clusterOf(world, options),
  };
}

function played(world: World, options: StackCheckOptions): Pick<StackResult, 'rehearsals' | 'findings'> {
  const { rehearsal = {} } = options;
  if (rehearsal === false) return { rehearsals: [], findings: [] };
  const how = rehearseOptions(world, options);
  if (rehearsal.reports === false) return { rehearsals: [], findings: rehearsalFindings(world, how) };
  const rehearsals = rehearse(world, how);
  return { rehearsals, findings: findingsOf(rehearsals) };
}

/** What is found in a stack without rehearsing: the first half of `checkStack`, for callers that rehearse separately. */
export function checkObjects(world: World, options: StackCheckOptions = {}): Finding[] {
  const { earlier = [], isProven = () => false, routers, scriptStore } = options;
  const cluster = clusterOf(world, options);
  const { kruiseVersion, argoVersion, istioVersion, external, kubernetesVersion } = cluster;
  const outside = external && { external };
  const parts: Readonly<Record<string, () => readonly Finding[]>> = {
    'Kruise Rollouts': () =>
      checkKruise(world, {
        version: kruiseVersion,
        awsLoadBalancerControllerVersion: cluster.awsLoadBalancerControllerVersion,
        ...kruiseFactsOf(cluster),
        ...(routers && { routers }),
        ...outside,
      }),
    'routing scripts': () => unprovenScripts(world, kruiseVersion, { isProven, scriptStore }),
    'names of APIs': () => checkApiNames(world),
    'APIs of Kubernetes': () => checkKubernetesApis(world, kubernetesVersion),
    'objects of Kubernetes': () => checkKubernetesObjects(world, kubernetesVersion),
    'objects that are declared twice': () => overwrittenFindings(world, cluster),
    'admission of Argo Rollouts': () => argoAdmissionFindings(world, { version: argoVersion, ...outside }),
    'Argo Rollouts': () => checkArgoAlb(world, { version: argoVersion, ...outside }),
    'analyses of Argo Rollouts': () => checkAnalyses(world),
    KtEnv: () =>
      checkKtEnv(world, {
        ...(istioVersion && { istioVersion }),
        ...outside,
        ...(options.environments && { environments: options.environments }),
      }),
  };
  return [...earlier, ...world.findings, ...cluster.findings, ...within(options.budget, parts)];
}

/** Runs the parts of a check until the budget is spent, and names those that were not run. */
function within(budget: Budget | undefined, parts: Readonly<Record<string, () => readonly Finding[]>>): Finding[] {
  const left: string[] = [];
  const findings: Finding[] = [];
  for (const [name, run] of Object.entries(parts)) {
    if (budget?.spent() === undefined) for (const finding of run()) findings.push(finding);
    else left.push(name);
  }
  if (left.length === 0) return findings;
  const message = `${budget!.spent()} is spent; not checked: ${left.join(', ')}`;
  return [...findings, findingOf(worldRules['budget-spent'], { message })];
}

/** What the API server refuses of declarations that later ones overwrite: in the order of another build they count. */
function overwrittenFindings({ overwritten, defaultNamespace }: World, cluster: Cluster): Finding[] {
  if (overwritten.length === 0) return [];
  const earlier = World.of(overwritten, { defaultNamespace });
  return [
    ...admissionFindings(earlier, { version: cluster.kruiseVersion }),
    ...checkApiNames(earlier),
    ...checkKubernetesApis(earlier, cluster.kubernetesVersion),
    ...checkKubernetesObjects(earlier, cluster.kubernetesVersion),
    ...overwrittenFindings(earlier, cluster),
  ];
}

/** Joins the findings of objects and of rehearsals, and applies suppressions: the second half of `checkStack`. */
export function concludeCheck(
  world: World,
  checked: readonly Finding[],
  rehearsed: readonly Finding[],
  options: StackCheckOptions = {},
): SuppressionResult {
  const result = joined(world, checked, rehearsed, options);
  return { ...result, findings: withCauses(result.findings, world) };
}

/** The same, each finding as it was found. */
export function joined(
  world: World,
  checked: readonly Finding[],
  rehearsed: readonly Finding[],
  options: StackCheckOptions,
): SuppressionResult {
  return applySuppressions(withoutConsequences([...checked, ...withoutEchoes(rehearsed, checked)]), {
    world,
    catalogue: wholeCatalogue(),
    checked: checkedRules(options),
    ...(options.trusts && { trusts: options.trusts }),
    ...(options.suppressions && { suppressions: options.suppressions }),
  });
}

/** How the Rollouts of a stack are rehearsed when it is checked with these options. */
export function rehearseOptions(world: World, options: StackCheckOptions): RehearseOptions {
  const cluster = clusterOf(world, options);
  const { kruiseVersion, argoVersion } = cluster;
  const { probes, only, stories } = options.rehearsal || {};
  return {
    ...(probes && { probes }),
    ...(only && { only }),
    ...(stories && { stories }),
    ...(options.routers && { routers: options.routers }),
    ...(options.budget && { budget: options.budget }),
    kruiseVersion,
    argoVersion,
    ...routerVersionsOf(cluster),
    kubernetesVersion: cluster.kubernetesVersion,
    ...kruiseFactsOf(cluster),
  };
}

function unprovenScripts(
  world: World,
  version: KruiseRolloutVersion,
  { isProven, scriptStore }: Required<Pick<StackCheckOptions, 'isProven'>> & Pick<StackCheckOptions, 'scriptStore'>,
): Finding[] {
  const proven = world.list('ConfigMap').filter(isProven);
  return checkScriptsOfWorld(
    proven.reduce((rest, map) => rest.without(map.ref), world),
    version,
    scriptStore,
  );
}

/** The rules that were checked: a suppression of one that matches nothing is reported. */
function checkedRules({ rehearsal, isProven }: StackCheckOptions): Rule[] {
  const elsewhere = new Set<Rule>([
    ...Object.values(aliyunOrderRules),
    ...Object.values(assumptionRules),
    ...Object.values(rehearsal === false ? rehearsalRules : {}),
    ...Object.values(isProven === undefined ? {} : configMapRules),
  ]);
  const annotated = ruleGroups.filter(({ acceptedBy }) => acceptedBy === 'annotation');
  return annotated.flatMap(({ rules }) => rules).filter((rule) => !elsewhere.has(rule));
}

/** Leaves out what the check of an object reports itself: a load balancer that is frozen before the release, a refused Rollout. */
function withoutEchoes(rehearsed: readonly Finding[], checked: readonly Finding[]): Finding[] {
  const mistaken = new Set(checked.filter(({ severity }) => severity === 'error').map(({ object }) => keyOf(object)));
  return rehearsed.filter(({ rule, step, related, object }) => {
    if (rule === rehearsalRules['rehearsal-refused'].id) return !mistaken.has(keyOf(object));
    const isBefore = rule === rehearsalRules['rehearsal-group-freezes'].id && step === undefined;
    return !(isBefore && related?.object !== undefined && mistaken.has(keyOf(related.object)));
  });
}

function keyOf(object: ObjectRef | undefined): string {
  return object === undefined ? '' : `${object.apiVersion} ${object.kind} ${object.namespace} ${object.name}`;
}
