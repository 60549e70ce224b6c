import type { Finding } from '../../../core/finding';
import { KruiseRolloutVersion } from '../../version';
import type { ScriptRuleId } from '../rules';
import { checkScript, type ScriptToCheck } from '.';

/** A cache of findings, keyed by everything that they depend on. The shell decides how to store them. */
export interface FindingStore {
  /** The findings for this exact key; undefined if the cache has none. */
  get(key: string): readonly Finding[] | undefined;
  set(key: string, findings: readonly Finding[]): void;
}

/** Like `checkScript`, with a cache, because a check runs a script hundreds of times. */
export function checkScriptWith(store: FindingStore | undefined, script: ScriptToCheck): readonly Finding[] {
  if (store === undefined) return checkScript(script);
  const { source, file, target, testdata, version = KruiseRolloutVersion.LATEST } = script;
  const key = JSON.stringify(['checkScript', source, file, target, testdata, version.version, version.facts]);
  const known = store.get(key);
  if (known !== undefined) return known;
  const findings = checkScript(script);
  if (!dependsOnClock(source, findings)) store.set(key, findings);
  return findings;
}

/** Whether the findings depend on time: a script that takes a second now may be faster later. A comment may suppress that rule. */
function dependsOnClock(source: string, findings: readonly Finding[]): boolean {
  const rule: ScriptRuleId = 'lua-time-limit';
  return source.includes(rule) || findings.some((finding) => finding.rule === rule);
}
