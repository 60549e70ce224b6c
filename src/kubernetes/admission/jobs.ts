import { asObject, asText, isSet, type Json, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import { podProblems } from '../pods/template';
import { all, fields, invalid, missing, needs, range, type TypeCheck } from './field-checks';
import { asErrors } from './labels';

const COUNT = range(0);

export const jobTypes: Readonly<Record<string, TypeCheck>> = {
  CronJobSpec: all(
    needs('schedule'),
    fields({
      schedule,
      startingDeadlineSeconds: COUNT,
      successfulJobsHistoryLimit: COUNT,
      failedJobsHistoryLimit: COUNT,
    }),
  ),
  JobTemplateSpec: (template, path) => (isSet(template.spec) ? [] : [missing([...path, 'spec', 'template'])]),
  JobSpec: all(
    fields({
      activeDeadlineSeconds: COUNT,
      backoffLimit: COUNT,
      completions: COUNT,
      parallelism: COUNT,
      ttlSecondsAfterFinished: COUNT,
    }),
    completions,
    pods,
  ),
};

/** Pods of a Job end: they are not restarted whatever happens. */
function pods(spec: JsonObject, path: Path): SchemaError[] {
  const template = asObject(spec.template);
  const at = [...path, 'template', 'spec', 'restartPolicy'];
  const policy = asText(asObject(template.spec).restartPolicy);
  return [
    ...asErrors(podProblems(template, [...path, 'template'])),
    ...(policy === '' ? [missing(at)] : []),
    ...(policy === 'Always'
      ? [invalid(at, 'supported values: "OnFailure", "Never"', policy, 'FieldValueNotSupported')]
      : []),
  ];
}

function completions({ completionMode, completions: count }: JsonObject, path: Path): SchemaError[] {
  if (completionMode === '') {
    const detail = 'supported values: "NonIndexed", "Indexed"';
    return [invalid([...path, 'completionMode'], detail, '', 'FieldValueNotSupported')];
  }
  return completionMode === 'Indexed' && !isSet(count) ? [missing([...path, 'completions'])] : [];
}

const NAMES = '(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|SUN|MON|TUE|WED|THU|FRI|SAT)';
const PART = new RegExp(`^(?:\\*|\\?|(?:\\d+|${NAMES})(?:-(?:\\d+|${NAMES}))?)(?:/\\d+)?$`, 'i');

/** The largest number of each field: minute, hour, day, month, day of the week. */
const LARGEST = [59, 23, 31, 12, 6];

const DESCRIPTORS = ['@annually', '@daily', '@hourly', '@midnight', '@monthly', '@weekly', '@yearly'];

function schedule(value: Json, path: Path): SchemaError[] {
  const text = asText(value);
  if (text === '' || isSchedule(text)) return [];
  return [invalid(path, 'is no schedule such as "*/5 * * * *" or "@hourly"', value)];
}

function isSchedule(text: string): boolean {
  if (text.startsWith('@')) return DESCRIPTORS.includes(text) || /^@every \S+$/.test(text);
  const given = text.trim().split(/\s+/);
  return (
    given.length === LARGEST.length &&
    given.every((field, index) => field.split(',').every((part) => isPart(part, LARGEST[index]!)))
  );
}

function isPart(part: string, largest: number): boolean {
  if (!PART.test(part)) return false;
  const numbers = (part.split('/')[0]!.match(/\d+/g) ?? []).map(Number);
  return numbers.every((number) => number <= largest) && (numbers[0] ?? 0) <= (numbers[1] ?? largest);
}
