/**
 * The rules of this library as policies of Pulumi. What an object decides by itself is asked before the object is made;
 * the rest, and the rehearsal, when all of the stack is known.
 */
import type { Policies, Policy, ReportViolation } from '@pulumi/policy';
import type { Finding, Severity } from '../core/finding';
import { formatPath } from '../core/path';
import type { Rule } from '../core/rule';
import { checkAlone, checkTogether, type PolicyFinding } from './check';
import { isAccepted, listIn, ruleConfig, sectionConfig } from './config';
import { declaredBy, kubernetesResources, type Resource } from './objects';
import { type RolloutPoliciesOptions, type RuleEnforcement, readOptions } from './options';
import { lastOf, lastOfEach } from './remember';
import { type Section, sections } from './sections';
import { isInPod } from './unknowns';
import { violationText } from './violation';

type AnyPolicy = Policies[number];

const WEIGHT: Readonly<Record<Severity, Policy['severity']>> = { error: 'high', warning: 'medium', note: 'low' };

/** What was found, of one resource or of the stack; finding out never throws. */
interface Checked {
  readonly found: readonly PolicyFinding[];
  /** Why it could not be checked. */
  readonly failure?: string;
}

interface Checks {
  readonly ofResource: (resource: Resource) => Checked;
  readonly ofStack: (resources: readonly Resource[]) => Checked;
}

/**
 * The rules as policies for your own pack. Each system has two: one fails a deployment with errors, the other reports
 * warnings. A rule that `rules` names becomes a separate policy.
 *
 * @example
 * new PolicyPack('platform', {
 *   policies: [
 *     ...rolloutPolicies({ kruiseVersion: '0.6', rules: { 'kruise-grace-period-short': 'mandatory' } }),
 *     ...ours,
 *   ],
 * });
 */
export function rolloutPolicies(options: RolloutPoliciesOptions = {}): Policies {
  const checks = checksFor(options);
  const levels = options.rules ?? {};
  const all = sections();
  const own = all.flatMap(({ rules, isOfOne }) =>
    rules
      .filter(({ id }) => Object.hasOwn(levels, id))
      .map((rule) => rulePolicy(rule, levels[rule.id]!, isOfOne, checks)),
  );
  const rest = all.map((section) => ({
    ...section,
    rules: section.rules.filter(({ id }) => !Object.hasOwn(levels, id)),
  }));
  return [
    ...rest.flatMap((section) => [sectionPolicy(section, 'error', checks), sectionPolicy(section, 'warning', checks)]),
    ...own,
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

/** The findings of one weight of many rules. Pulumi's configuration leaves rules out, and takes others in. */
function sectionPolicy(section: Section, severity: 'error' | 'warning', checks: Checks): AnyPolicy {
  const { name, about, isOfOne, rules } = section;
  const isError = severity === 'error';
  const ids = new Set(rules.map(({ id }) => id));
  const isTold = ({ rule, ...finding }: Finding, config: object) =>
    ids.has(rule) &&
    (finding.severity === severity || listIn(config, 'include').includes(rule)) &&
    !listIn(config, 'except').includes(rule);
  const policy: Policy = {
    name: isError ? name : `${name}-warnings`,
    description: isError ? `What will not work: ${about}.` : `What may not be meant: ${about}.`,
    enforcementLevel: isError ? 'mandatory' : 'advisory',
    severity: WEIGHT[severity],
    configSchema: sectionConfig([...ids]),
  };
  return asked(policy, isOfOne, checks, ({ found, failure }, config, report) => {
    for (const { finding, urn } of found) {
      if (!isTold(finding, config) || isAccepted(finding, config)) continue;
      report(`${finding.rule}: ${violationText(finding)}`, urn);
    }
    if (failure !== undefined && !isError) report(`rollout-constructs could not check this: ${failure}`);
  });
}

/** A rule with an enforcement level of its own, whatever the severity of a finding. */
function rulePolicy(rule: Rule, level: RuleEnforcement, isOfOne: boolean, checks: Checks): AnyPolicy {
  const policy: Policy = {
    name: rule.id,
    description: `${rule.title}.`,
    enforcementLevel: level,
    severity: WEIGHT[rule.severity],
    configSchema: ruleConfig,
    remediationSteps: rule.fix,
  };
  return asked(policy, isOfOne, checks, ({ found }, config, report) => {
    for (const { finding, urn } of found) {
      if (finding.rule === rule.id && !isAccepted(finding, config)) report(violationText(finding), urn);
    }
  });
}

function asked(
  policy: Policy,
  isOfOne: boolean,
  checks: Checks,
  report: (checked: Checked, config: object, report: ReportViolation) => void,
): AnyPolicy {
  return isOfOne
    ? { ...policy, validateResource: (args, violation) => report(checks.ofResource(args), args.getConfig(), violation) }
    : {
        ...policy,
        validateStack: (args, violation) => report(checks.ofStack(args.resources), args.getConfig(), violation),
      };
}

/** Says of what a preview cannot know that it was not checked. */
const unknownValues: AnyPolicy = {
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

/** The rules as policies, with everything at its default: for a pack of one's own. */
export const policies: Policies = rolloutPolicies();
