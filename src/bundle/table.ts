/**
 * The tables of the bundles: what a JSON file of the sources has, with a line for each entry. A process reads few entries of a table,
 * and parses no others.
 */
import { readFileSync } from 'node:fs';
import { groupedBy } from '../core/grouped';
import { isJsonObject } from '../core/json';
import { lazyRecord } from '../core/lazy';

/** A table in a file that `tableText` wrote. */
export function readTable(file: string): { readonly [member: string]: unknown } {
  const lines = readFileSync(file, 'utf8').split('\n').map(readLine);
  const members = groupedBy(lines, ({ member }) => member);
  return lazyRecord([...members].map(([member, entries]) => [member, () => memberOf(entries)]));
}

interface Line {
  readonly member: string;
  readonly entry: string;
  readonly read: () => unknown;
}

function readLine(line: string): Line {
  const afterMember = line.indexOf('\t');
  const afterEntry = line.indexOf('\t', afterMember + 1);
  const read = () => JSON.parse(line.slice(afterEntry + 1));
  return { member: line.slice(0, afterMember), entry: line.slice(afterMember + 1, afterEntry), read };
}

function memberOf(lines: readonly Line[]): unknown {
  const [{ entry, read }] = lines as [Line];
  return entry === '' ? read() : lazyRecord(lines.map((line) => [line.entry, line.read]));
}

/** The lines of a table: member, entry and its JSON. A member that is no object of entries has an empty name of the entry. */
export function tableText(table: { readonly [member: string]: unknown }): string {
  if (Array.isArray(table)) throw new TypeError('a table has members with names: put the list into one');
  return Object.entries(table)
    .flatMap(([member, value]) =>
      hasEntries(value)
        ? Object.entries(value).map(([entry, one]) => [member, entry, JSON.stringify(one)])
        : [[member, '', JSON.stringify(value)]],
    )
    .map((cells) => cells.join('\t'))
    .join('\n');
}

function hasEntries(value: unknown): value is object {
  if (!isJsonObject(value)) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => /^[^\t\n]+$/.test(name));
}
