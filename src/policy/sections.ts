/** Which rules are policies, and what each policy receives. */
import { argoAdmissionRules } from '../argo/admission';
import { assumptionRules } from '../argo/alb/assumptions';
import { ruleGroups } from '../check';
import { kubernetesRules } from '../check/kubernetes-api';
import { pulumiRules } from '../check/pulumi-rules';
import type { Rule, RuleSystem } from '../core/rule';
import { readerRules, suppressionRules } from '../core/rules';
import { schemaRules } from '../core/schema';
import { aliyunOrderRules } from '../kruise/alb/aliyun-orders';

/** Rules that are one policy. */
export interface Section {
  readonly name: string;
  /** What its findings are about. */
  readonly about: string;
  /** Objects by themselves decide; others of the stack change nothing. */
  readonly isOfOne: boolean;
  readonly rules: readonly Rule[];
}

/** What the rules of each system are about, for rules that need the whole stack. */
const SYSTEMS: Readonly<Record<RuleSystem, string>> = {
  rehearsal: 'releases, rehearsed step by step and request by request',
  kruise: 'Kruise Rollouts: its Rollouts, scripts, permissions and install',
  argo: 'Argo Rollouts, and what its Rollouts refer to',
  'aws-load-balancers': 'Ingresses of the AWS Load Balancer Controller',
  ktenv: 'virtual environments of KtEnv',
  manifests: 'the objects of a stack, and suppressions',
};

/** Rules that find nothing in a stack: on files, on testdata, on what the program is asked for, on what was before. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...Object.keys(readerRules),
  ...Object.keys(aliyunOrderRules),
  ...Object.keys(assumptionRules),
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
  'argo-istio-object-not-found',
  'argo-istio-route-invalid',
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

/**
 * Every rule that may find something in a stack, in few sections: Pulumi reads the whole stack again for every policy,
 * which with the CRDs of Argo Rollouts takes a quarter of a second each.
 */
export function sections(): Section[] {
  const all = ruleGroups.flatMap(({ system, rules }) =>
    rules.filter(({ id }) => !ELSEWHERE.has(id)).map((rule) => ({ rule, system })),
  );
  const whole = Object.entries(SYSTEMS).map(([name, about]) => {
    const own = all.filter(({ rule, system }) => system === name && !OF_ONE.has(rule.id));
    return { name, about, isOfOne: false, rules: own.map(({ rule }) => rule) };
  });
  const ofOne = all.flatMap(({ rule }) => (OF_ONE.has(rule.id) ? [rule] : []));
  return [{ name: 'objects', about: 'objects by themselves', isOfOne: true, rules: ofOne }, ...whole];
}
