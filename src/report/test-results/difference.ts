import { stringify } from 'yaml';
import type { Json } from '../../core/json';
import type { Difference, StepResult } from '../../core/test-result';
import { escapeTerminal, escapeTerminalLine } from '../escape';

/** The maximum number of differences to show for one step. */
const MAX_DIFFERENCES = 20;
const MAX_YAML_LINES = 12;
const MAX_STRING = 72;

/** Why a step failed, as lines of plain text that are safe on any terminal. */
export function stepLines(step: StepResult): string[] {
  const differences = step.differences.slice(0, MAX_DIFFERENCES).flatMap(differenceLines);
  const more = step.differences.length - MAX_DIFFERENCES;
  return [
    ...(step.message === undefined ? [] : escapeTerminal(step.message).split('\n')),
    ...differences,
    ...(more > 0 ? [`and ${more} more difference${more === 1 ? '' : 's'}`] : []),
    ...(step.stdout === undefined ? [] : ['the script printed:', ...indented(printed(step.stdout))]),
  ];
}

/**
 * One difference, with the field first. Lists and objects follow as YAML.
 * @example differenceLines({ kind: 'changed', path: 'spec.weight', expected: 50, actual: 20 }) // ['spec.weight: expected 50, got 20']
 */
export function differenceLines(difference: Difference): string[] {
  const { kind, expected, actual } = difference;
  const inside = difference.jsonPath === undefined ? '' : ` (JSON) ${difference.jsonPath}`;
  const path = escapeTerminalLine(`${difference.path}${inside}`) || 'the whole object';
  if (kind === 'reordered') return [`${path}: the expected items in another order${orderOf(expected, actual)}`];
  if (kind === 'missing') return withValue(`${path}: missing, expected`, expected!);
  if (kind === 'unexpected') return withValue(`${path}: unexpected`, actual!);
  if (typeof expected === 'string' && typeof actual === 'string' && isLong(expected, actual)) {
    const [left, right] = aroundFirstDifference(expected, actual);
    return [`${path}:`, `  expected ${left}`, `  got      ${right}`];
  }
  if (isScalar(expected!) && isScalar(actual!)) return [`${path}: expected ${scalar(expected)}, got ${scalar(actual)}`];
  return [...withValue(`${path}: expected`, expected!), ...withValue('  got', actual!, '  ')];
}

function withValue(text: string, value: Json, indent = ''): string[] {
  if (isScalar(value)) return [`${text} ${scalar(value)}`];
  const lines = escapeTerminal(stringify(value, { lineWidth: 100 }).trimEnd()).split('\n');
  const shown = lines.slice(0, MAX_YAML_LINES);
  const more = lines.length - shown.length;
  return [text, ...indented([...shown, ...(more > 0 ? [`... ${more} more lines`] : [])], `${indent}  `)];
}

function isScalar(value: Json): value is null | boolean | number | string {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

function scalar(value: Json): string {
  const text = JSON.stringify(value);
  const short = text.length > MAX_STRING ? `${text.slice(0, MAX_STRING)}... (${text.length - 2} characters)` : text;
  return escapeTerminalLine(short);
}

function isLong(expected: string, actual: string): boolean {
  return Math.max(expected.length, actual.length) > MAX_STRING / 2;
}

/** Both strings from shortly before their first difference. */
function aroundFirstDifference(expected: string, actual: string): [string, string] {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at++;
  const from = at > MAX_STRING / 2 ? at - 16 : 0;
  const excerpt = (text: string) => {
    const end = from + MAX_STRING;
    const quoted = JSON.stringify(text.slice(from, end));
    return escapeTerminalLine(`${from > 0 ? '...' : ''}${quoted}${text.length > end ? '...' : ''}`);
  };
  return [excerpt(expected), excerpt(actual)];
}

function orderOf(expected: Json | undefined, actual: Json | undefined): string {
  if (!Array.isArray(expected) || !Array.isArray(actual) || actual.length > MAX_YAML_LINES) return '';
  const left = expected.map((item) => JSON.stringify(item) as string | undefined);
  const order = actual.map((item) => {
    const index = left.indexOf(JSON.stringify(item));
    if (index >= 0) left[index] = undefined;
    return index;
  });
  // Items with another order of keys have a different text.
  return order.includes(-1) ? '' : ` (got [${order.join('], [')}])`;
}

function printed(stdout: string): string[] {
  const lines = escapeTerminal(stdout.trimEnd()).split('\n');
  return lines.length > MAX_YAML_LINES
    ? [...lines.slice(0, MAX_YAML_LINES), `... ${lines.length - MAX_YAML_LINES} more lines`]
    : lines;
}

function indented(lines: readonly string[], indent = '  '): string[] {
  return lines.map((line) => `${indent}${line}`);
}
