/**
 * The tables of the bundles: what a JSON file of the sources has, with a line for each entry. A process reads few entries of a table,
 * and parses no others.
 */
import { readFileSync } from 'node:fs';
import { lazyRecord } from '../core/lazy';

/** A table in a file that `tableText` wrote. */
export function readTable(file: string): { readonly [member: string]: unknown } {
  const members = new Map<string, [string, () => unknown][]>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const afterMember = line.indexOf('\t');
    const afterEntry = line.indexOf('\t', afterMember + 1);
    const member = line.slice(0, afterMember);
    const json = line.slice(afterEntry + 1);
    const entry = [line.slice(afterMember + 1, afterEntry), () => JSON.parse(json)] as [string, () => unknown];
    const entries = members.get(member);
    if (entries === undefined) members.set(member, [entry]);
    else entries.push(entry);
  }
  return lazyRecord([...members].map(([member, entries]) => [member, () => memberOf(entries)]));
}

function memberOf(entries: readonly (readonly [string, () => unknown])[]): unknown {
  const [[name, value]] = entries as [readonly [string, () => unknown]];
  return name === '' ? value() : lazyRecord(entries);
}

/** The lines of a table: member, entry and its JSON. A member that is no object of entries has an empty name of the entry. */
export function tableText(table: object): string {
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => /^[^\t\n]+$/.test(name));
}
