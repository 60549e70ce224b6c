import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, rulePages } from '../scripts/write-rule-pages';
import { ruleGroups } from '../src/check';
import { pageOf } from '../src/core/rule';

const pages = rulePages();
const stale = 'run "npm run docs" and commit docs/rules';

describe('docs/rules', () => {
  it('has a page for every rule and no other', () => {
    expect(readdirSync(folder).sort(), stale).toEqual([...pages.keys()].sort());
  });

  it.each([...pages.keys()])('%s says what the rule says', (name) => {
    expect(readFileSync(join(folder, name), 'utf8'), stale).toBe(pages.get(name));
  });

  it('lists every rule where its text is', () => {
    const index = pages.get('README.md')!;

    for (const rule of ruleGroups.flatMap(({ rules }) => rules)) {
      const [name, anchor] = pageOf(rule).split('#');
      expect(index).toContain(`[${rule.id}](${pageOf(rule)})`);
      expect(pages.get(name!)).toContain(anchor === undefined ? `\n# ${rule.id}\n` : `\n## ${anchor}\n`);
    }
  });

  it('lists every page', () => {
    const index = pages.get('README.md')!;

    for (const name of pages.keys()) if (name !== 'README.md') expect(index).toMatch(new RegExp(`\\(${name}[)#]`));
  });

  it('links only to what is there', () => {
    for (const text of pages.values()) {
      for (const [, target] of text.matchAll(/\]\(([^)#]+)\)/g)) {
        expect(() => readFileSync(join(folder, target!))).not.toThrow();
      }
    }
  });
});
