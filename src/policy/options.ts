import type { StackCheckOptions } from '../check';
import { readProbe } from '../cli/check/probe';
import { rulesNamed } from '../cli/check/rule-names';
import { UserError } from '../cli/user-error';
import { readVersions, type VersionTexts } from '../cli/versions';
import type { ObjectRef } from '../core/finding';
import type { Suppression } from '../core/suppression';

/** What becomes of a deployment for which a policy finds something: it fails, it goes on with a message, or nothing. */
export type RuleEnforcement = 'mandatory' | 'advisory' | 'disabled';

/** What stacks are checked for. */
export interface RolloutPoliciesOptions {
  /**
   * The releases that the objects are for: `{ kruise: '0.6', istio: '1.24' }`.
   * @default - of Kruise Rollouts that of the install in the stack, if there is one; else the newest that are known
   */
  readonly versions?: VersionTexts;
  /**
   * What becomes of deployments by the ids of rules.
   * @default - 'mandatory' for errors, 'advisory' for warnings, 'disabled' for notes
   */
  readonly rules?: Readonly<Record<string, RuleEnforcement>>;
  /**
   * Objects that exist in the cluster although they are not in the stack: made by a Helm chart, by another stack. One
   * without `namespace` is external in every namespace.
   * @default - none
   */
  readonly external?: readonly ObjectRef[];
  /**
   * Whether Rollouts are rehearsed: played step by step through their controller and the load balancers.
   * @default true
   */
  readonly rehearsal?: boolean;
  /**
   * Requests that are sent beside those that are derived, as for curl: `GET https://shop.example.com/cart -H "user-agent: pc"`.
   * @default - none
   */
  readonly probes?: readonly string[];
  /**
   * The namespace of Kruise Rollouts' controller.
   * @default - that of the install in the stack, or 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
  /**
   * Findings that are accepted as they are.
   * @default - those that annotations accept
   */
  readonly suppressions?: readonly Omit<Suppression, 'construct'>[];
}

const ENFORCEMENTS: readonly unknown[] = ['mandatory', 'advisory', 'disabled'];

/** Reads the options; one that means nothing is a `UserError`. */
export function readOptions(options: RolloutPoliciesOptions): StackCheckOptions {
  const { versions = {}, rules = {}, external = [], rehearsal = true, probes = [], suppressions = [] } = options;
  rulesNamed(Object.keys(rules), 'rules');
  for (const [id, enforcement] of Object.entries(rules)) {
    if (!ENFORCEMENTS.includes(enforcement)) {
      throw new UserError(`rules.${id} is "${enforcement}": it must be one of ${ENFORCEMENTS.join(', ')}`);
    }
  }
  const read = readVersions(versions, (key) => `versions.${key}`);
  return {
    // The install of the stack says which release it is, where nobody else does.
    ...(versions.kruise !== undefined && { kruiseVersion: read.kruise }),
    argoVersion: read.argo,
    awsLoadBalancerController: read.awsLoadBalancerController,
    kubernetesVersion: read.kubernetes,
    ...(read.istio !== undefined && { istioVersion: read.istio }),
    ...(options.controllerNamespace !== undefined && { controllerNamespace: options.controllerNamespace }),
    external,
    suppressions,
    rehearsal: rehearsal && {
      probes: probes.map((probe, index) => readProbe(probe, `probes[${index}]`)),
      reports: false,
    },
  };
}
