import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Api, Entry, Field, Method } from '../../scripts/api-reference/model';
import { readApi } from '../../scripts/api-reference/read';
import { entryPoints, folder, referencePages, writtenPages } from '../../scripts/write-api-reference';

const apis = readApi(entryPoints());
const pages = referencePages(apis);
const stale = 'run "npm run docs" and commit docs/reference';

describe('docs/reference', () => {
  it('has the pages that the sources make, and no other', () => {
    expect(writtenPages(), stale).toEqual([...pages.keys()].sort());
  });

  it.each([...pages.keys()])('%s says what the sources say', (name) => {
    expect(readFileSync(join(folder, name), 'utf8'), stale).toBe(pages.get(name));
  });

  it('has every construct and component on a page of its own', () => {
    const components = apis.flatMap(({ entries }) => entries.filter(({ isComponent }) => isComponent));
    expect(components.length).toBeGreaterThan(25);
    for (const { name } of components) expect([...pages.values()].join('\n')).toContain(`\n# ${name}\n`);
  });

  it('has every public name under a heading', () => {
    const headings = new Set([...pages.values()].flatMap((text) => text.match(/(?<=^#+ )\w+$/gm) ?? []));
    const missing = apis.flatMap(({ entries }) => entries.filter(({ name }) => !headings.has(name)));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

type Told = Entry | Field | Method;

const membersOf = ({ fields, methods }: Entry): readonly (Field | Method)[] => [...fields, ...methods];
/** Each place once: what is inherited is told where it is declared. */
const placesOf = (told: readonly (readonly [string, Told])[]) =>
  [...new Map(told.map(([name, { place }]) => [place, `${place} ${name}`])).values()].sort();

describe('doc comments', () => {
  it('stand at every public name', () => {
    const entries = apis.flatMap((api) => api.entries.filter(({ kind }) => kind !== 'namespace'));
    const silent = entries.filter(({ text }) => text === '').map((entry) => [entry.name, entry] as const);
    expect(placesOf(silent)).toEqual([]);
  });

  it('stand at every prop, field and method', () => {
    const silent = apis
      .flatMap(({ entries }) => entries)
      .flatMap((entry) =>
        membersOf(entry).flatMap((member) =>
          member.text === '' ? [[`${entry.name}.${member.name}`, member] as const] : [],
        ),
      );
    expect(placesOf(silent)).toEqual([]);
  });

  it('tell the default of every prop that may be left out', () => {
    const silent = apis.flatMap((api) =>
      askedOf(api).flatMap((entry) =>
        entry.fields.flatMap((field) =>
          field.optional && field.default === undefined && !isOfApi(field)
            ? [[`${entry.name}.${field.name}`, field] as const]
            : [],
        ),
      ),
    );
    expect(placesOf(silent)).toEqual([]);
  });

  it('have an example for every construct and component', () => {
    const without = apis.flatMap(({ entries }) =>
      entries.filter(({ isComponent, examples, construction }) => isComponent && construction && examples.length === 0),
    );
    expect(without.map(({ place, name }) => `${place} ${name}`)).toEqual([]);
  });
});

/** In the types of an API `@default` is a default of the CRD. */
function isOfApi({ place }: Field): boolean {
  return /^src\/\w+\/api\//.test(place);
}

/** The interfaces that a user fills in: props, and what is asked for in them and in calls. */
function askedOf({ entries }: Api): Entry[] {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const isFilledIn = ({ name }: Entry) => /(Props|Args|Options)$/.test(name);
  const isCalled = ({ kind }: Entry) => kind === 'class' || kind === 'function';
  const queue = entries.flatMap((entry) => [
    ...(isFilledIn(entry) ? [entry.name] : []),
    ...(isCalled(entry) ? entry.asks : []),
  ]);
  const asked = new Set<Entry>();
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const entry = byName.get(name);
    if (entry === undefined || entry.kind === 'class' || asked.has(entry)) continue;
    asked.add(entry);
    queue.push(...(entry.kind === 'type' ? entry.mentions : entry.asks));
  }
  return [...asked].filter(({ kind }) => kind === 'interface');
}
