/** Releases whose rehearsal never ends, as `check` finds it in the declared objects. */
import { type Finding, findingTexts, type Manifest } from '../core';
import { type Progress, stuck } from './progress';

/** Rules of a rehearsal about releases without an end. */
const ENDLESS = new Set(['rehearsal-controller-stuck', 'rehearsal-never-settles', 'rehearsal-step-never-ends']);

/**
 * What the rehearsal says of the end of a release; undefined where it comes to one.
 * @param step the step that the release is at, counted from 0
 */
export function endless(rollout: Manifest, findings: readonly Finding[], step = 0): Progress | undefined {
  const own = findings.filter(
    ({ rule, object, severity }) =>
      severity === 'error' &&
      ENDLESS.has(rule) &&
      object?.kind === rollout.kind &&
      object.name === rollout.name &&
      object.namespace === rollout.namespace,
  );
  const reached = own.find((finding) => finding.step === undefined || finding.step <= step);
  const found = reached ?? own[0];
  if (found === undefined) return undefined;
  const { message, because, fix } = findingTexts(found);
  return stuck(`${reached === undefined ? 'not to its end' : 'no'}: ${message}`, fix, [because]);
}
