import { resolve } from 'node:path';
import { checkPackageCall } from '../core/checked-calls';
import { RuleCatalogue } from '../core/rule';
import type { ClusterOptions } from '../settings/check-options';
import { settingsOf } from '../settings/settings';
import { readClusterScripts } from './cluster-scripts';
import { factsSource } from './config';

/**
 * The facts of a cluster in a file that `rollout-constructs cluster pull` writes, for the properties of constructs.
 * @param file relative to the working directory
 * @throws UserError if the file cannot be read
 *
 * @example
 * new StackCheck(app, 'Check', readClusterFacts('cluster/facts.yaml'));
 */
export function readClusterFacts(file: string): ClusterOptions {
  checkPackageCall('readClusterFacts', [file], readClusterFacts);
  const { check } = settingsOf([factsSource(resolve(file), file)], () => RuleCatalogue.of(), readClusterScripts);
  const { suppressions: _suppressions, rehearsal: _rehearsal, ...facts } = check;
  return facts;
}
