/** Routers against the answers of real gateways. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { BACKENDS } from '../stage/gateways/backends';
import type { Reloads } from '../stage/gateways/reloads';
import { agree, GATEWAYS, routerOf, type Shares } from './answers';

interface Case {
  readonly case: string;
  readonly gateway: string;
  readonly objects: string | readonly object[];
  readonly requests: readonly { readonly request: string; readonly real: Shares; readonly sent: number }[];
}

/** Answers that the routers give differently, with the reason. It gets shorter, never longer. */
const KNOWN: Readonly<Record<string, string>> = {};

const FOLDERS = ['../vectors/gateways', '../stage/gateways/recordings'].map((folder) => join(__dirname, folder));

const cases = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case),
);

/** Recorded as YAML 1.2 reads them, in which the header name `y` is a text; or beside the backends of the stage. */
function objectsOf({ objects }: Case): readonly object[] {
  if (typeof objects !== 'string') return [...BACKENDS, ...objects];
  return parseAllDocuments(objects).map((document) => document.toJS());
}

it('has cases of every gateway', () => {
  expect([...new Set(cases.map(({ gateway }) => gateway))].sort()).toEqual(Object.keys(GATEWAYS));
});

describe.each(cases.map((each) => [`${each.gateway} ${each.case}`, each] as const))('%s', (name, each) => {
  const answersTo = routerOf(each.gateway, objectsOf(each));

  it.each(each.requests.map((asked) => [asked.request, asked] as const))('%s', (request, { real, sent }) => {
    const answers = answersTo(request);
    const agreed = answers.some((shares) => agree(shares, real, sent));
    const isKnown = Object.hasOwn(KNOWN, `${name} ${request}`);
    expect(agreed, `${JSON.stringify(answers)}, really ${JSON.stringify(real)}`).toBe(!isKnown);
  });
});

describe('routes of equal priority of Traefik', () => {
  const file = join(__dirname, '../stage/gateways/reloads/traefik.json');
  const { objects, answers, reloads } = JSON.parse(readFileSync(file, 'utf8')) as Reloads;
  const answersTo = routerOf('traefik', [...BACKENDS, ...objects]);

  it.each(Object.entries(answers))('take %s by chance, so the answer is not known', (request, real) => {
    expect(Object.values(real)).toHaveLength(2);
    expect(Object.values(real).reduce((sum, count) => sum + count)).toBe(reloads);
    expect(answersTo(request)).toEqual([{}]);
  });
});
