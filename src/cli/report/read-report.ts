import { readFileSync } from 'node:fs';
import type { Finding, SuppressedFinding } from '../../core';
import { isAcceptance, isFinding } from '../../core/finding-shape';
import type { Rehearsal } from '../../core/rehearsal-result';
import { toAbsolute } from '../../files/paths';
import { digestOf } from '../../report/shard';
import { UserError } from '../../settings/user-error';
import type { Io } from '../io';
import { isRehearsal } from './rehearsal-shape';

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
    /** Of the report without it. */
    readonly digest?: string;
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
  return reportOf(text, name);
}

/** The report in a text; what is none is a `UserError` that names the file. */
export function reportOf(text: string, name: string): ReadReport {
  const value = parsed(text);
  if (!isReport(value)) {
    throw new UserError(
      `"${name}" is not a report of rollout-constructs check or rehearse`,
      'write it with --format json --output <file>',
    );
  }
  const { shard } = value;
  if (shard !== undefined && shard.digest !== digestOf(value)) {
    throw new UserError(
      `"${name}" is not as shard ${shard.index}/${shard.total} wrote it: its digest is that of another report`,
      'take the file of the shard as it is; it may have been cut off or edited',
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
    isListOf(suppressed, (each) => isAcceptance(each) && isFinding((each as { finding?: unknown }).finding)) &&
    (objects === undefined || isCount(objects)) &&
    (checkedFor === undefined || isTexts(checkedFor)) &&
    (assumed === undefined || isListOf(assumed, (line) => typeof line === 'string')) &&
    (rehearsals === undefined || isListOf(rehearsals, isRehearsal)) &&
    (shard === undefined || isShard(shard))
  );
}

/** Far more machines than anybody has, and far more lines than a file may have. */
const MAX_SHARDS = 10_000;
const MAX_LINES = 1_000_000;

function isShard(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { index, total, ifAll, lines, digest } = value;
  if (!isCount(index) || !isCount(total) || index < 1 || index > total || total > MAX_SHARDS) return false;
  if (digest !== undefined && typeof digest !== 'string') return false;
  return isListOf(ifAll, isFinding) && isObject(lines) && Object.values(lines).every(areLines);
}

function areLines(value: unknown): boolean {
  return isTexts(value) && Object.keys(value as object).every((key) => /^[1-9]\d{0,6}$/.test(key) && +key <= MAX_LINES);
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
