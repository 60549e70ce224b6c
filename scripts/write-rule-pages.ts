/** Writes docs/rules: a page for each rule or group of rules, and the index. Removes the pages of removed rules. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ruleGroups } from '../src/check';
import { groupPage, ruleIndex, rulePage } from '../src/report/rule-page';

/** All files of docs/rules by name. */
export function rulePages(): ReadonlyMap<string, string> {
  const pages = ruleGroups.flatMap((group): (readonly [string, string])[] => {
    const { page } = group.rules[0]!;
    if (page !== undefined) return [[`${page}.md`, groupPage(group)]];
    return group.rules.map((rule) => [`${rule.id}.md`, rulePage(rule, group.acceptedBy)]);
  });
  return new Map([['README.md', ruleIndex(ruleGroups)], ...pages]);
}

/** The folder of the pages. */
export const folder = resolve(__dirname, '..', 'docs', 'rules');

if (require.main === module) {
  const pages = rulePages();
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name));
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
  console.log(`${pages.size} pages in docs/rules`);
}
