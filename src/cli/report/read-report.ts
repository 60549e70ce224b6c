import { readFileSync } from 'node:fs';
import type { Finding, SuppressedFinding } from '../../core';
import type { Rehearsal } from '../../core/rehearsal-result';
import { toAbsolute } from '../../files/paths';
import { UserError } from '../../settings/user-error';
import type { Io } from '../io';

/** What a JSON report of `check` or `rehearse` holds, as far as another format needs it. */
export interface ReadReport {
  /** As the user named it. */
  readonly name: string;
  readonly findings: readonly Finding[];
  readonly suppressed: readonly SuppressedFinding[];
  readonly objects?: number;
  readonly checkedFor?: Readonly<Record<string, string>>;
  readonly assumed?: readonly string[];
  /** Only reports of `rehearse` have them. */
  readonly rehearsals?: readonly Rehearsal[];
  readonly shard?: {
    readonly index: number;
    readonly total: number;
    readonly ifAll: readonly Finding[];
    /** Lines of files that reports show, by file and number. */
    readonly lines: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

/** Reads a report; what is none is a `UserError` that names the file. */
export function readReport(name: string, io: Io): ReadReport {
  let text: string;
  try {
    text = readFileSync(toAbsolute(io, name), 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UserError(`cannot read "${name}": ${code === 'ENOENT' ? 'no such file' : message.split(',')[0]}`);
  }
  const value = parsed(text);
  if (!isReport(value)) {
    throw new UserError(
      `"${name}" is not a report of rollout-constructs check or rehearse`,
      'write it with --format json --output <file>',
    );
  }
  return { ...value, name };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isReport(value: unknown): value is Omit<ReadReport, 'name'> {
  if (!isObject(value)) return false;
  const { findings, suppressed, objects, checkedFor, assumed, rehearsals, shard } = value;
  return (
    isListOf(findings, isFinding) &&
    isListOf(suppressed, (each) => isObject(each) && typeof each.reason === 'string' && isFinding(each.finding)) &&
    (objects === undefined || isCount(objects)) &&
    (checkedFor === undefined || isTexts(checkedFor)) &&
    (assumed === undefined || isListOf(assumed, (line) => typeof line === 'string')) &&
    (rehearsals === undefined || isListOf(rehearsals, isRehearsal)) &&
    (shard === undefined || isShard(shard))
  );
}

function isShard(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { index, total, ifAll, lines } = value;
  if (!isCount(index) || !isCount(total) || index < 1 || index > total) return false;
  return isListOf(ifAll, isFinding) && isObject(lines) && Object.values(lines).every(isTexts);
}

const TEXTS = ['rule', 'message', 'because', 'fix', 'docs'];

function isFinding(value: unknown): boolean {
  if (!isObject(value) || !TEXTS.every((key) => typeof value[key] === 'string')) return false;
  const { severity, source, object, related, cause } = value;
  return (
    ['error', 'warning', 'note'].includes(String(severity)) &&
    (source === undefined || isPlace(source)) &&
    (object === undefined || isRef(object)) &&
    (cause === undefined || (isObject(cause) && typeof cause.rule === 'string')) &&
    (related === undefined ||
      (isObject(related) &&
        typeof related.message === 'string' &&
        (related.source === undefined || isPlace(related.source))))
  );
}

function isPlace(value: unknown): boolean {
  return isObject(value) && typeof value.file === 'string' && isCount(value.line) && isCount(value.column);
}

function isRef(value: unknown): boolean {
  return isObject(value) && typeof value.kind === 'string' && typeof value.name === 'string';
}

function isRehearsal(value: unknown): boolean {
  if (!isObject(value) || !isRef(value.rollout)) return false;
  const lists = [value.requests, value.moments, value.loadBalancers];
  return isListOf(value.findings, isFinding) && lists.every(Array.isArray);
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
