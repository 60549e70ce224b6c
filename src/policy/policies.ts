/**
 * The rules of this library as policies of Pulumi, one for each rule, so that Pulumi's own configuration decides what
 * becomes of each. Rules on one object by itself are asked before the object is made; the others, and the rehearsal, when
 * all of the stack is known.
 */
import type { Policies, Policy, PolicyConfigSchema } from '@pulumi/policy';
import type { Severity } from '../core/finding';
import { formatPath } from '../core/path';
import { checkAlone, checkTogether, type PolicyFinding } from './check';
import { declaredBy, kubernetesResources, type Resource } from './objects';
import { type RolloutPoliciesOptions, type RuleEnforcement, readOptions } from './options';
import { lastOf, lastOfEach } from './remember';
import { type PolicyRule, policyRules } from './rules';
import { isInPod } from './unknowns';
import { violationText } from './violation';

const ENFORCEMENT: Readonly<Record<Severity, RuleEnforcement>> = {
  error: 'mandatory',
  warning: 'advisory',
  note: 'disabled',
};

const WEIGHT: Readonly<Record<Severity, Policy['severity']>> = { error: 'high', warning: 'medium', note: 'low' };

/** What Pulumi's configuration can say of a rule beside its enforcement level. */
const RULE_CONFIG: PolicyConfigSchema = {
  properties: {
    accepted: {
      type: 'array',
      description: 'Objects of which findings of this rule are accepted as they are.',
      items: {
        type: 'object',
        required: ['object', 'reason'],
        properties: {
          object: { type: 'string', description: 'Ingress/shop/web, or Ingress/web in any namespace.' },
          reason: { type: 'string', minLength: 1, description: 'Why the finding does not matter here.' },
        },
      },
    },
  },
};

/** What Pulumi's configuration can say of the policies that hold findings of several rules. */
const RULES_CONFIG: PolicyConfigSchema = {
  properties: {
    except: { type: 'array', items: { type: 'string' }, description: 'Rules whose findings are left out here.' },
  },
};

/** What is found in a stack, and in one of its resources; neither throws. */
interface Checks {
  readonly ofResource: (resource: Resource) => Checked;
  readonly ofStack: (resources: readonly Resource[]) => Checked;
}

interface Checked {
  readonly found: readonly PolicyFinding[];
  /** Why it could not be checked. */
  readonly failure?: string;
}

/**
 * The rules as policies, for a pack of one's own.
 *
 * @example
 * new PolicyPack('platform', {
 *   policies: [
 *     ...rolloutPolicies({ versions: { kruise: '0.6' }, rules: { 'kruise-grace-period-short': 'mandatory' } }),
 *     ...ours,
 *   ],
 * });
 */
export function rolloutPolicies(options: RolloutPoliciesOptions = {}): Policies {
  const checks = checksFor(options);
  const rules = policyRules();
  const configured = options.rules ?? {};
  return [
    ...rules.map((rule) => policyOf(rule, configured, checks)),
    otherPolicy('error', rules, configured, checks),
    otherPolicy('warning', rules, configured, checks),
    unknownValues,
  ];
}

function checksFor(options: RolloutPoliciesOptions): Checks {
  const read = readOptions(options);
  const checked = (check: () => PolicyFinding[]): Checked => {
    try {
      return { found: check() };
    } catch (error) {
      // An exception would end the deployment, whatever the level of the policy.
      return { found: [], failure: error instanceof Error ? error.message : String(error) };
    }
  };
  // Pulumi asks every policy of the pack about the same resources.
  const alone = lastOfEach<Resource, Checked>(
    ({ urn }) => urn,
    (resource) => checked(() => checkAlone(declaredBy([resource]), read)),
  );
  const together = lastOf<readonly Resource[], Checked>((resources) =>
    checked(() => checkTogether(declaredBy(resources), read)),
  );
  return {
    ofResource: (resource) => {
      const [own] = kubernetesResources([resource]);
      return own === undefined ? { found: [] } : alone(own);
    },
    ofStack: (resources) => together(kubernetesResources(resources)),
  };
}

/** A rule whose enforcement the options name has all its findings; any other those that weigh what the rule does. */
function policyOf(
  { rule, group, isOfOne }: PolicyRule,
  configured: Readonly<Record<string, RuleEnforcement>>,
  checks: Checks,
): Policies[number] {
  const isConfigured = Object.hasOwn(configured, rule.id);
  const policy: Policy = {
    name: rule.id,
    description: `${rule.title}.`,
    displayName: rule.title,
    enforcementLevel: isConfigured ? configured[rule.id]! : ENFORCEMENT[rule.severity],
    configSchema: RULE_CONFIG,
    severity: WEIGHT[rule.severity],
    tags: [group],
    remediationSteps: rule.fix,
  };
  const told = ({ found }: Checked, config: object) =>
    found.filter(
      ({ finding }) =>
        finding.rule === rule.id &&
        (isConfigured || finding.severity === rule.severity) &&
        !isAccepted(finding.object, config),
    );
  if (isOfOne) {
    return {
      ...policy,
      validateResource: (args, report) => {
        for (const { finding } of told(checks.ofResource(args), args.getConfig())) report(violationText(finding));
      },
    };
  }
  return {
    ...policy,
    validateStack: (args, report) => {
      for (const { finding, urn } of told(checks.ofStack(args.resources), args.getConfig())) {
        report(violationText(finding), urn);
      }
    },
  };
}

/** Findings that weigh more or less than their rule does, as Pulumi has one level for all that a policy finds. */
function otherPolicy(
  severity: 'error' | 'warning',
  rules: readonly PolicyRule[],
  configured: Readonly<Record<string, RuleEnforcement>>,
  checks: Checks,
): Policies[number] {
  const own = new Map(rules.map(({ rule }) => [rule.id, rule.severity]));
  return {
    name: `other-${severity}s`,
    description:
      severity === 'error'
        ? 'Findings that are errors here, and warnings elsewhere.'
        : 'Findings that are warnings here, and errors elsewhere.',
    enforcementLevel: ENFORCEMENT[severity],
    severity: WEIGHT[severity],
    configSchema: RULES_CONFIG,
    validateStack: (args, report) => {
      const { found, failure } = checks.ofStack(args.resources);
      const except = listIn(args.getConfig(), 'except');
      for (const { finding, urn } of found) {
        const isOther = finding.severity === severity && own.get(finding.rule) !== severity;
        if (!isOther || Object.hasOwn(configured, finding.rule) || except.includes(finding.rule)) continue;
        report(`${finding.rule}: ${violationText(finding)}`, urn);
      }
      if (failure !== undefined && severity === 'warning') {
        report(`rollout-constructs could not check the stack: ${failure}`);
      }
    },
  };
}

/** Says of what a preview cannot know that it was not checked. */
const unknownValues: Policies[number] = {
  name: 'unknown-values',
  description: 'Values that cannot be known during preview.',
  enforcementLevel: 'advisory',
  severity: 'low',
  validateResource: (args, report) => {
    const { objects } = declaredBy(kubernetesResources([args]));
    const paths = objects.flatMap(({ unknown }) => unknown).filter((path) => !isInPod(path));
    if (paths.length === 0) return;
    const places = [...new Set(paths.map((path) => formatPath(path)))].join(', ');
    report(`${places} cannot be known during preview: what depends on it is checked during the update`);
  },
};

/** Whether Pulumi's configuration of a rule accepts its findings on an object, with a reason. */
function isAccepted(
  object: { readonly kind: string; readonly namespace?: string; readonly name: string } | undefined,
  config: object,
): boolean {
  if (object === undefined) return false;
  const { kind, namespace = 'default', name } = object;
  const names = [`${kind}/${name}`, `${kind}/${namespace}/${name}`];
  return listIn(config, 'accepted').some((entry) => {
    const { object: accepted, reason } = Object(entry) as Record<string, unknown>;
    return typeof reason === 'string' && reason.trim() !== '' && names.includes(accepted as string);
  });
}

function listIn(config: object, key: string): readonly unknown[] {
  const value = (config as Record<string, unknown>)[key];
  return Array.isArray(value) ? value : [];
}

/** The rules as policies, with everything at its default: for a pack of one's own. */
export const policies: Policies = rolloutPolicies();
