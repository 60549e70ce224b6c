import { admissionFindings as argoAdmissionFindings } from '../argo/admission';
import { checkArgoAlb } from '../argo/rules';
import type { ArgoRolloutsVersion } from '../argo/version';
import type { Finding, ObjectRef } from '../core/finding';
import type { Manifest } from '../core/manifest';
import type { Rehearsal } from '../core/rehearsal-result';
import type { Rule } from '../core/rule';
import { applySuppressions, type Suppression, type SuppressionResult } from '../core/suppression';
import type { World } from '../core/world';
import { aliyunOrderRules } from '../kruise/alb/aliyun-orders';
import { checkKruise } from '../kruise/check';
import { controllersOf } from '../kruise/install/check/controllers';
import type { FindingStore } from '../kruise/scripts/checks/kept';
import { configMapRules } from '../kruise/scripts/config-map-rules';
import { checkScriptsOfWorld } from '../kruise/scripts/world';
import { KruiseRolloutVersion } from '../kruise/version';
import { checkKtEnv } from '../ktenv/rules';
import {
  findingsOf,
  type RehearsalRequest,
  type RehearseOptions,
  rehearsalFindings,
  rehearsalRules,
  rehearse,
} from '../rehearsal';
import type { Router } from '../routers';
import type { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
import { acceptedRehearsals } from './accepted-rehearsals';
import { wholeCatalogue } from './catalogue';
import { checkKubernetesApis } from './kubernetes-api';
import { ruleGroups } from './rule-groups';

/** How the Rollouts of a stack are rehearsed. */
export interface RehearsalOptions {
  /**
   * Requests that are sent beside those that are derived from the manifests.
   * @default - none
   */
  readonly probes?: readonly RehearsalRequest[];
  /**
   * Which Rollouts are rehearsed.
   * @default - all
   */
  readonly only?: (rollout: Manifest) => boolean;
  /**
   * Whether the rehearsals themselves are wanted, for a report. Without them a check takes less time, and keeps only
   * what was found.
   * @default true
   */
  readonly reports?: boolean;
}

/** What a stack is checked for: the releases of what will read it, and what is accepted. */
export interface StackCheckOptions {
  /**
   * The release of Kruise Rollouts.
   * @default - that of the install in the stack, or KruiseRolloutVersion.LATEST
   */
  readonly kruiseVersion?: KruiseRolloutVersion;
  /**
   * The release of the AWS Load Balancer Controller.
   * @default AwsLoadBalancerControllerVersion.LATEST
   */
  readonly awsLoadBalancerController?: AwsLoadBalancerControllerVersion;
  /**
   * The release of Istio, `1.24`. Without it what depends on the release is a warning.
   * @default - unknown
   */
  readonly istioVersion?: string;
  /**
   * The release of Argo Rollouts.
   * @default ArgoRolloutsVersion.LATEST
   */
  readonly argoVersion?: ArgoRolloutsVersion;
  /**
   * The release of Kubernetes, `1.34`.
   * @default - unknown: that an API is served is not checked
   */
  readonly kubernetesVersion?: string;
  /**
   * The namespace of Kruise Rollouts' controller, where it looks for the ConfigMap of scripts.
   * @default - that of the install in the stack, or 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
  /**
   * Objects that exist in the cluster although they are not in the stack: made by a Helm chart, by another repository.
   * One without `namespace` is external in every namespace.
   * @default - none
   */
  readonly external?: readonly ObjectRef[];
  /**
   * The load balancers, proxies and meshes that are known.
   * @default - all that this library has
   */
  readonly routers?: readonly Router[];
  /**
   * How Rollouts are rehearsed; `false` for not at all.
   * @default - every Rollout, with derived requests
   */
  readonly rehearsal?: RehearsalOptions | false;
  /**
   * ConfigMaps whose scripts have been proven against their testdata already, and are not looked at again.
   * @default - none
   */
  readonly isProven?: (configMap: Manifest) => boolean;
  /**
   * Keeps what is found in scripts, which costs more than all other checks of a small stack.
   * @default - it is found out each time
   */
  readonly scriptStore?: FindingStore;
  /**
   * Findings that were made before the objects were looked at, as those of reading files; suppressions apply to them too.
   * @default - none
   */
  readonly earlier?: readonly Finding[];
  /**
   * Findings that are accepted as they are.
   * @default - those that annotations accept
   */
  readonly suppressions?: readonly Suppression[];
}

/** What is known of a stack. */
export interface StackResult extends SuppressionResult {
  /** The rehearsals, each without the findings that are accepted; none where no reports are wanted. */
  readonly rehearsals: readonly Rehearsal[];
}

/**
 * Checks all objects of a stack, of every system at once, and rehearses its Rollouts. What is accepted, by annotation or
 * in code, is left out; a suppression that is wrong or fits nothing is itself a finding.
 *
 * @example
 * const { manifests, findings } = readManifests(['deploy']);
 * checkStack(World.of(manifests), { earlier: findings }).findings
 */
export function checkStack(world: World, options: StackCheckOptions = {}): StackResult {
  const { rehearsals, findings } = played(world, options);
  const result = concludeCheck(world, checkObjects(world, options), findings, options);
  return { ...result, rehearsals: acceptedRehearsals(rehearsals, result.findings) };
}

function played(world: World, options: StackCheckOptions): Pick<StackResult, 'rehearsals' | 'findings'> {
  const { rehearsal = {} } = options;
  if (rehearsal === false) return { rehearsals: [], findings: [] };
  const how = rehearseOptions(world, options);
  if (rehearsal.reports === false) return { rehearsals: [], findings: rehearsalFindings(world, how) };
  const rehearsals = rehearse(world, how);
  return { rehearsals, findings: findingsOf(rehearsals) };
}

/** What is found in a stack without playing anything: the first half of `checkStack`, for who plays elsewhere. */
export function checkObjects(world: World, options: StackCheckOptions = {}): Finding[] {
  const { external, routers, earlier = [], isProven = () => false, scriptStore } = options;
  const { version, controllerNamespace } = controllerOf(world, options);
  const about = {
    version,
    ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
    ...(options.awsLoadBalancerController && { loadBalancerController: options.awsLoadBalancerController }),
    ...(external && { external }),
    ...(routers && { routers }),
  };
  return [
    ...earlier,
    ...world.findings,
    ...checkKruise(world, about),
    ...unprovenScripts(world, version, { isProven, scriptStore }),
    ...(options.kubernetesVersion ? checkKubernetesApis(world, options.kubernetesVersion) : []),
    ...argoAdmissionFindings(world, { ...(external && { external }) }),
    ...checkArgoAlb(world, { ...(external && { external }) }),
    ...checkKtEnv(world, {
      ...(options.istioVersion && { istioVersion: options.istioVersion }),
      ...(external && { external }),
    }),
  ];
}

/** Puts together what was found in the objects and what was found when they were played: the end of `checkStack`. */
export function concludeCheck(
  world: World,
  checked: readonly Finding[],
  rehearsed: readonly Finding[],
  options: StackCheckOptions = {},
): SuppressionResult {
  return applySuppressions([...checked, ...withoutEchoes(rehearsed, checked)], {
    world,
    catalogue: wholeCatalogue(),
    checked: checkedRules(options),
    ...(options.suppressions && { suppressions: options.suppressions }),
  });
}

/** How the Rollouts of a stack are rehearsed when it is checked with these options. */
export function rehearseOptions(world: World, options: StackCheckOptions): RehearseOptions {
  const { rehearsal, awsLoadBalancerController, routers } = options;
  const { version, controllerNamespace } = controllerOf(world, options);
  const { probes, only } = rehearsal || {};
  return {
    ...(probes && { probes }),
    ...(only && { only }),
    ...(routers && { routers }),
    kruiseVersion: version,
    ...(awsLoadBalancerController && { awsLoadBalancerController }),
    ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
  };
}

function controllerOf(world: World, { kruiseVersion, controllerNamespace }: StackCheckOptions) {
  const install = controllersOf(world)[0];
  return {
    version: kruiseVersion ?? install?.version ?? KruiseRolloutVersion.LATEST,
    controllerNamespace: controllerNamespace ?? install?.namespace,
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

/** What was looked at, so that a suppression of it that fits nothing can be told. */
function checkedRules({ rehearsal, isProven }: StackCheckOptions): Rule[] {
  const elsewhere = new Set<Rule>([
    ...Object.values(aliyunOrderRules),
    ...Object.values(rehearsal === false ? rehearsalRules : {}),
    ...Object.values(isProven === undefined ? {} : configMapRules),
  ]);
  const annotated = ruleGroups.filter(({ acceptedBy }) => acceptedBy === 'annotation');
  return annotated.flatMap(({ rules }) => rules).filter((rule) => !elsewhere.has(rule));
}

/** A load balancer that is frozen before the release begins is told by the check of the Ingress, which knows the field. */
function withoutEchoes(rehearsed: readonly Finding[], checked: readonly Finding[]): Finding[] {
  const mistaken = new Set(checked.filter(({ severity }) => severity === 'error').map(({ object }) => keyOf(object)));
  return rehearsed.filter(({ rule, step, related }) => {
    const isBefore = rule === rehearsalRules['rehearsal-group-freezes'].id && step === undefined;
    return !(isBefore && related?.object !== undefined && mistaken.has(keyOf(related.object)));
  });
}

function keyOf(object: ObjectRef | undefined): string {
  return object === undefined ? '' : `${object.apiVersion} ${object.kind} ${object.namespace} ${object.name}`;
}
