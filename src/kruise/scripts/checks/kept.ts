import type { Finding } from '../../../core/finding';
import { type FindingStore, findingsBy } from '../../../core/finding-store';
import { KruiseRolloutVersion } from '../../version';
import { isProven, proofKey } from '../proven';
import type { ScriptRuleId } from '../rules';
import { checkScriptAndComments, type ScriptToCheck } from '.';

/**
 * Like `checkScriptAndComments`, without the run of a script that was proven when this package was built, and with a cache, because a
 * check runs a script hundreds of times.
 */
export function checkScriptWith(store: FindingStore | undefined, script: ScriptToCheck): readonly Finding[] {
  const { source, file, target, testdata, version = KruiseRolloutVersion.LATEST } = script;
  if (testdata === undefined && isProven(proofKey(script, undefined, version))) return [];
  const key = JSON.stringify(['checkScript', source, file, target, testdata, version.version, version.facts]);
  return findingsBy(store, key, () => checkScriptAndComments(script), isLasting(source));
}

/** Whether findings hold on another day: a script that takes a second now may be faster later. A comment may suppress that rule. */
export function isLasting(source: string): (findings: readonly Finding[]) => boolean {
  const rule: ScriptRuleId = 'lua-time-limit';
  return (findings) => !source.includes(rule) && findings.every((finding) => finding.rule !== rule);
}
