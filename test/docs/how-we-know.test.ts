import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ruleGroups } from '../../src/check';
import type { Basis, Rule } from '../../src/core';
import { pagesIn, textOf } from './pages';

const TEXT = textOf('docs/how-we-know.md');
const BASES: readonly Basis[] = ['run', 'read', 'documented', 'inferred'];
const rules = ruleGroups.flatMap((group) => group.rules);

const rowOf = (title: string, some: readonly Rule[]) =>
  `| ${title} | ${BASES.map((basis) => some.filter((rule) => rule.basis === basis).length).join(' | ')} |`;

describe('docs/how-we-know.md', () => {
  it('counts the rules as they are', () => {
    const [, table] = /\| rules about .*\n\|.*\n((?:\|.*\n)+)/.exec(TEXT)!;
    expect(table!.trim().split('\n')).toEqual([
      ...ruleGroups.map((group) => rowOf(group.title, group.rules)),
      rowOf('**all**', rules),
    ]);
  });

  it('names every rule that is only inferred, and no other', () => {
    const [, list] = /The inferred ones are:\n([\s\S]*?)\.\n\n/.exec(TEXT)!;
    const named = [...list!.matchAll(/\[([\w-]+)\]\(rules\/\1\.md\)/g)].map(([, id]) => id);
    expect(named).toEqual(rules.filter(({ basis }) => basis === 'inferred').map(({ id }) => id));
  });

  it('counts the vectors as they are', () => {
    const counted = [...TEXT.matchAll(/^\| `([\w-]+)` \| (\d+) \|/gm)].map(([, set, count]) => [set, Number(count)]);
    const sets = new Map(counted as [string, number][]);
    expect(sets.size).toBe(9);
    for (const [set, count] of sets) {
      expect(textOf(`test/vectors/${set}.jsonl`).trim().split('\n'), set).toHaveLength(count);
    }
  });

  it.each([
    ['test/stage/gateways/recordings', /\(\.\.\/test\/stage\/README\.md\) holds ([\d,]+) answers/],
    ['test/vectors/gateways', /\(\.\.\/test\/vectors\/gateways\) (\d+) more/],
  ])('counts the answers of gateways in %s as they are', (folder, sentence) => {
    const files = readdirSync(join(__dirname, '../..', folder)).filter((name) => name.endsWith('.jsonl'));
    const lines = files.flatMap((name) => textOf(`${folder}/${name}`).trim().split('\n'));
    const answers = lines.reduce((sum, line) => sum + JSON.parse(line).requests.length, 0);
    expect(sentence.exec(TEXT)?.[1]).toBe(answers.toLocaleString('en-US'));
  });

  it('counts the releases on gateways as they are', () => {
    const folder = 'test/stage/gateways/releases';
    const lines = readdirSync(join(__dirname, '../..', folder)).flatMap((name) =>
      textOf(`${folder}/${name}`).trim().split('\n'),
    );
    const moments = lines.flatMap((line) => JSON.parse(line).moments as { cells: unknown[] }[]);
    const cells = moments.flatMap((moment) => moment.cells);
    expect(TEXT).toContain(`${lines.length} releases of Kruise Rollouts`);
    expect(TEXT).toContain(`their ${moments.length.toLocaleString('en-US')} moments`);
    expect(TEXT).toContain(`shares of ${cells.length.toLocaleString('en-US')} cells`);
  });

  it('says the truth about every finding that is inferred', () => {
    for (const { id, basis, severity } of rules) if (basis === 'inferred') expect(severity, id).not.toBe('error');
  });

  it('is where the README sends for it', () => {
    expect(textOf('README.md')).toContain('(docs/how-we-know.md)');
    expect(pagesIn('docs')).toContain('docs/how-we-know.md');
  });
});
