/** Whether a value that was read from a file has the shape of a finding. */
import type { Acceptance, Finding, ObjectRef, SourceLocation } from './finding';
import { isJsonObject } from './json';

const TEXTS = ['rule', 'message', 'because', 'fix', 'docs'];
const OPTIONAL_TEXTS = ['path', 'construct', 'request'];

export function isFinding(value: unknown): value is Finding {
  if (!isJsonObject(value) || !TEXTS.every((key) => typeof value[key] === 'string')) return false;
  const { severity, source, object, related, cause, step, lowered, accepted } = value;
  return (
    ['error', 'warning', 'note'].includes(String(severity)) &&
    OPTIONAL_TEXTS.every((key) => isAbsentOr(value[key], isText)) &&
    isAbsentOr(step, isCount) &&
    isAbsentOr(source, isPlace) &&
    isAbsentOr(object, isRef) &&
    isAbsentOr(lowered, (one) => isJsonObject(one) && isText(one.from) && isText(one.by)) &&
    isAbsentOr(accepted, isAcceptance) &&
    isAbsentOr(cause, (one) => isJsonObject(one) && isText(one.rule) && isAbsentOr(one.object, isRef)) &&
    isAbsentOr(
      related,
      (one) =>
        isJsonObject(one) && isText(one.message) && isAbsentOr(one.source, isPlace) && isAbsentOr(one.object, isRef),
    )
  );
}

/** Whether a value says who accepts something, and why. */
export function isAcceptance(value: unknown): value is Acceptance {
  return (
    isJsonObject(value) && isText(value.reason) && isAbsentOr(value.by, isText) && isAbsentOr(value.source, isPlace)
  );
}

/** Whether a value names an object. */
export function isRef(value: unknown): value is ObjectRef {
  return isJsonObject(value) && ['kind', 'name'].every((key) => isText(value[key])) && areTexts(value);
}

function areTexts(value: object): boolean {
  return Object.values(value).every(isText);
}

function isPlace(value: unknown): value is SourceLocation {
  return isJsonObject(value) && isText(value.file) && isCount(value.line) && isCount(value.column);
}

function isAbsentOr(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
