import { type StackCheckOptions, wholeCatalogue } from '../check';
import { readClusterScripts } from '../files/cluster-scripts';
import { withFacts } from '../files/config';
import { type CheckConfig, type ClusterFacts, rejectOldNames } from '../settings/config';
import { rulesNamed } from '../settings/rule-names';
import { settingsOf } from '../settings/settings';
import { UserError } from '../settings/user-error';

/** What a finding does to a deployment: fails it, prints a message, or nothing. */
export type RuleEnforcement = 'mandatory' | 'advisory' | 'disabled';

/** How stacks are checked. */
export interface RolloutPoliciesOptions
  extends ClusterFacts,
    Pick<CheckConfig, 'cluster' | 'rehearsal' | 'probes' | 'suppressions'> {
  /**
   * What becomes of deployments, by the ids of rules.
   * @default - 'mandatory' for errors, 'advisory' for warnings, 'disabled' for notes
   */
  readonly rules?: Readonly<Record<string, RuleEnforcement>>;
}

const ENFORCEMENTS: readonly unknown[] = ['mandatory', 'advisory', 'disabled'];

/** Reads the options; one that means nothing is a `UserError`. */
export function readOptions(options: RolloutPoliciesOptions): StackCheckOptions {
  const { rules = {}, ...config } = options;
  rejectOldNames(config, 'rolloutPolicies');
  rulesNamed(Object.keys(rules), 'rules', wholeCatalogue);
  for (const [id, enforcement] of Object.entries(rules)) {
    if (!ENFORCEMENTS.includes(enforcement)) {
      throw new UserError(`rules.${id} is "${enforcement}": it must be one of ${ENFORCEMENTS.join(', ')}`);
    }
  }
  const { check } = settingsOf(withFacts({ config, place: (field) => field }), wholeCatalogue, readClusterScripts);
  return { ...check, rehearsal: check.rehearsal && { ...check.rehearsal, reports: false } };
}
