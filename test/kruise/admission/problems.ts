import { formatPath } from '../../../src/core';
import type { JsonObject } from '../../../src/core/json';
import { type AdmissionOptions, admitRollout } from '../../../src/kruise/admission';

export const ALLOWED = 'allowed';

/** `rule field | path: text | fix | step`; those that the webhook does not get to are later ones. */
export function problems(rollout: JsonObject, old?: JsonObject, options: AdmissionOptions = {}): readonly string[] {
  const verdict = admitRollout(rollout, old === undefined ? {} : { old }, options);
  if (verdict.allowed) return [ALLOWED];
  if (verdict.by !== 'webhook') return [verdict.by];
  return verdict.problems.map(({ rule, path, text, field, fix, step, type, reported }) =>
    [
      `${reported ? '' : '(later) '}${rule} ${field}${type === 'FieldValueInvalid' ? '' : ` ${type}`}`,
      `${formatPath(path)}: ${text}`,
      ...(fix === undefined ? [] : [fix]),
      ...(step === undefined ? [] : [`step ${step}`]),
    ].join(' | '),
  );
}
