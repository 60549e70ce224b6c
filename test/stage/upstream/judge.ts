/** Holds the rehearsal of a lab of upstream against what happened. */

import { checkStack } from '../../../src/check';
import { compact } from '../../../src/core/json';
import { type Comparison, differencesOf, rehearsalOf, worldOf } from '../compare';
import { MODELS } from '../models';
import type { Recording } from '../recording';
import type { UpstreamLab } from './labs';
import { reasonOf } from './reasons';
import type { Result, Verdict } from './result';

/** What came of a lab that was played. */
export function judged(lab: UpstreamLab, recording: Recording): Result {
  const { controller, release, events } = recording;
  const program = `${controller}@${release}`;
  const errors = errorsOf(lab, program);
  const [first] = events;
  if (first !== undefined && 'did' in first && first.did === 'apply' && first.refused !== undefined) {
    return whole(lab, program, errors, errors.length > 0 ? 'refused' : 'differs', first.refused);
  }
  const model = MODELS[controller]!;
  const reason = notRehearsed(lab, release, controller);
  if (reason !== undefined) return { ...whole(lab, program, errors, 'not rehearsed'), reason };
  const differences = differencesOf(lab, recording, model);
  if (differences.length === 0) return whole(lab, program, errors, 'as rehearsed');
  return whole(lab, program, errors, 'differs', differences.map(whereOf).join('; '));
}

/** What came of a lab that never began: its first deployment did not become healthy. */
export function neverHealthy(lab: UpstreamLab, program: string, { message }: Error): Result {
  const errors = errorsOf(lab, program);
  return whole(lab, program, errors, errors.length > 0 ? 'refused' : 'differs', message);
}

function whole(
  { stack, told }: UpstreamLab,
  release: string,
  errors: readonly string[],
  verdict: Verdict,
  where?: string,
): Result {
  const result = { release, stack, story: told, verdict };
  const reason = verdict === 'as rehearsed' && errors.length === 0 ? undefined : reasonOf(result);
  return {
    ...result,
    ...(where !== undefined && { where }),
    ...(reason !== undefined && { reason }),
    ...(errors.length > 0 && { errors }),
  };
}

/** The rules with which `check` reports errors. */
function errorsOf(lab: UpstreamLab, program: string): string[] {
  const [controller = '', release = ''] = program.split('@');
  const model = MODELS[controller]!;
  const { kruiseVersion, argoVersion } = model.options(release);
  const options = compact({ kruiseVersion, argoVersion, isProven: () => true });
  const { findings } = checkStack(worldOf(lab, release, model), options);
  const errors = findings.filter(({ severity }) => severity === 'error');
  return [...new Set(errors.map(({ rule }) => rule))].sort();
}

const NOT_REHEARSED = /^not rehearsed: /;

function notRehearsed(lab: UpstreamLab, release: string, controller: string): string | undefined {
  const { findings = [] } = rehearsalOf(lab, release, MODELS[controller]!) ?? {};
  const found = findings.find(({ rule, message }) => rule === 'rehearsal-incomplete' && NOT_REHEARSED.test(message));
  return found?.message.replace(NOT_REHEARSED, '');
}

/** The first thing that differs, short enough for a line. */
function whereOf({ about, rehearsed, recorded }: Comparison): string {
  if (!Array.isArray(rehearsed) || !Array.isArray(recorded)) return about;
  const [was, is] = [rehearsed, recorded].map((list) => list.map((each) => JSON.stringify(each)));
  const index = [...was!, ...is!].findIndex((_, at) => was![at] !== is![at]);
  return `${about}: ${index + 1} of ${rehearsed.length} rehearsed and ${recorded.length} recorded`;
}
