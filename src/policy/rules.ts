/** Which rules are policies, and what each of them is told. */
import { argoAdmissionRules } from '../argo/admission';
import { ruleGroups } from '../check';
import { kubernetesRules } from '../check/kubernetes-api';
import { pulumiRules } from '../check/pulumi-rules';
import type { Rule } from '../core/rule';
import { readerRules, suppressionRules } from '../core/rules';
import { schemaRules } from '../core/schema';
import { aliyunOrderRules } from '../kruise/alb/aliyun';

/** A rule as a policy: whether it needs all of the stack, and what it belongs to. */
export interface PolicyRule {
  readonly rule: Rule;
  readonly group: string;
  /** An object by itself decides; others of the stack change nothing. */
  readonly isOfOne: boolean;
}

/** Rules that find nothing in a stack: on files, on testdata, on what the program is asked for, on what was before. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...Object.keys(readerRules),
  ...Object.keys(aliyunOrderRules),
  'pulumi-value-decides-structure',
  'lua-script-duplicate',
  'lua-testdata-failed',
  'lua-testdata-missing',
  'lua-testdata-scenario-missing',
  'rollout-workload-immutable',
  'rollout-traffic-routings-immutable',
  'rollout-style-immutable',
  'rollout-step-count-immutable',
]);

/** Rules of Argo Rollouts on what the Rollout refers to. */
const ON_REFERENCES: ReadonlySet<string> = new Set([
  'argo-workload-ref-unresolved',
  'argo-service-not-found',
  'argo-service-selector-mismatch',
  'argo-service-managed-by-other',
  'argo-ingress-not-found',
  'argo-ingress-without-backend',
  'argo-ingress-resource-backend',
  'argo-analysis-template-not-found',
  'argo-analysis-invalid',
  'argo-experiment-template-not-found',
]);

/**
 * Rules on one object by itself. What depends on the release of Kruise Rollouts, which the stack may install, or on the
 * class of an Ingress, which the stack may define, is not among them.
 */
const OF_ONE: ReadonlySet<string> = new Set([
  ...Object.keys(schemaRules),
  ...Object.keys(kubernetesRules),
  ...Object.keys(argoAdmissionRules).filter((id) => !ON_REFERENCES.has(id)),
  pulumiRules['pulumi-output-in-text'].id,
  suppressionRules['suppression-invalid'].id,
  suppressionRules['suppression-unknown-rule'].id,
]);

/** Every rule that may find something in a stack, in the order of lists. */
export function policyRules(): PolicyRule[] {
  return ruleGroups.flatMap(({ title, rules }) =>
    rules.filter(({ id }) => !ELSEWHERE.has(id)).map((rule) => ({ rule, group: title, isOfOne: OF_ONE.has(rule.id) })),
  );
}
