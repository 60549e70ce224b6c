import type { JsonObject } from '../../../src/core/json';
import { errorText, fieldText } from '../../../src/core/schema';
import { type AdmissionVerdict, admitRollout } from '../../../src/kruise/admission';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import type { Outcome, VectorSet } from '../set';

interface Verdict {
  readonly allowed: boolean;
  readonly schema?: true;
  readonly decode?: true;
  readonly crash?: true;
  readonly field?: string;
  readonly message?: string;
  readonly errors?: readonly { readonly field: string; readonly type: string; readonly message: string }[];
}

interface Vector {
  readonly input: JsonObject;
  readonly existing?: readonly JsonObject[];
  readonly expect: Verdict & { readonly unknownFields?: readonly string[]; readonly 'v0.6.2'?: Verdict };
}

/** The master branch, on which the vectors were recorded, and the release where it differs. */
const set: VectorSet = {
  check({ input, existing = [], expect }: Vector): Outcome {
    const next = admitRollout(input, { existing }, { version: KruiseRolloutVersion.NEXT });
    const released = admitRollout(input, { existing }, { version: KruiseRolloutVersion.V0_6_2 });
    const unknown = next.unknown.map(({ path }) => fieldText(path)).sort();
    const differences = [
      ...compare('', expect, next),
      ...compare('v0.6.2: ', expect['v0.6.2'] ?? expect, released),
      ...different('unknownFields', [...(expect.unknownFields ?? [])].sort(), unknown),
    ];
    const inexact = [...exactly(expect, next), ...exactly(expect['v0.6.2'] ?? expect, released)];
    if (differences.length === 0) return { same: true, exact: inexact.length === 0 };
    return { same: false, exact: false, difference: [...differences, ...inexact].join('\n') };
  },
};

export default set;

function compare(label: string, expected: Verdict, actual: AdmissionVerdict): string[] {
  const answer = plain(actual);
  return [
    ...different(`${label}allowed`, expected.allowed, answer.allowed),
    ...different(`${label}refused by`, refusedBy(expected), refusedBy(answer)),
    ...(expected.schema || isWebhook(expected) ? different(`${label}field`, expected.field, answer.field) : []),
    ...(isWebhook(expected) ? different(`${label}message`, expected.message, answer.message) : []),
    ...(isWebhook(expected) ? different(`${label}errors`, expected.errors, answer.errors) : []),
  ];
}

/** The API server's errors and the texts of crashes are compared to the letter only for `exact`. */
function exactly(expected: Verdict, actual: AdmissionVerdict): string[] {
  const answer = plain(actual);
  const firstError = expected.schema ? different('first error', expected.errors?.[0], answer.errors?.[0]) : [];
  return [...firstError, ...different('message', expected.message, answer.message)];
}

function plain(verdict: AdmissionVerdict): Verdict {
  if (verdict.allowed) return { allowed: true };
  switch (verdict.by) {
    case 'kind':
      return { allowed: false };
    case 'crash':
      return { allowed: false, crash: true, message: verdict.message };
    case 'decode':
      return { allowed: false, decode: true, message: verdict.message };
    case 'schema': {
      const errors = verdict.errors.map(({ path, type, detail }) => ({
        field: fieldText(path),
        type,
        message: detail,
      }));
      return { allowed: false, schema: true, field: errors[0]!.field, message: errorText(verdict.errors[0]!), errors };
    }
    case 'webhook': {
      const errors = verdict.problems
        .filter(({ reported }) => reported)
        .map(({ field, type, message }) => ({ field, type, message }));
      return { allowed: false, field: errors[0]!.field, message: errors[0]!.message, errors };
    }
  }
}

function isWebhook(verdict: Verdict): boolean {
  return !verdict.allowed && refusedBy(verdict) === 'webhook';
}

function refusedBy(verdict: Verdict): string {
  if (verdict.allowed) return 'nobody';
  return (['schema', 'decode', 'crash'] as const).find((by) => verdict[by]) ?? 'webhook';
}

function different(what: string, expected: unknown, actual: unknown): string[] {
  const [want, got] = [sorted(expected), sorted(actual)];
  return want === got ? [] : [`${what}: expected ${want}, got ${got}`];
}

function sorted(value: unknown): string | undefined {
  return JSON.stringify(value, (_, one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
