import type { Finding } from '../../../core/finding';
import { KruiseRolloutVersion } from '../../version';
import type { ScriptRuleId } from '../rules';
import { checkScript, type ScriptToCheck } from '.';

/** Keeps what was found by everything that it depends on. What it does with that is up to the shell that has one. */
export interface FindingStore {
  /** What was kept for this very text; undefined when nothing was. */
  get(key: string): readonly Finding[] | undefined;
  set(key: string, findings: readonly Finding[]): void;
}

/** The same as `checkScript`, which runs a script hundreds of times; what the store knows is not found out again. */
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

/** A script that runs for more than a second may do with less on another day; a comment in it may accept that. */
function dependsOnClock(source: string, findings: readonly Finding[]): boolean {
  const rule: ScriptRuleId = 'lua-time-limit';
  return source.includes(rule) || findings.some((finding) => finding.rule === rule);
}
