/** Writes docs/rules: a page for each rule and the list of all, and removes the pages of rules that are gone. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ruleGroups } from '../src/check';
import { ruleIndex, rulePage } from '../src/report/rule-page';

/** All files of docs/rules by name. */
export function rulePages(): ReadonlyMap<string, string> {
  const pages = ruleGroups.flatMap(({ rules, acceptedBy }) =>
    [...rules].map((rule) => [`${rule.id}.md`, rulePage(rule, acceptedBy)] as const),
  );
  return new Map([['README.md', ruleIndex(ruleGroups)], ...pages]);
}

/** Where the pages are. */
export const folder = resolve(__dirname, '..', 'docs', 'rules');

if (require.main === module) {
  const pages = rulePages();
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name));
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
  console.log(`${pages.size} pages in docs/rules`);
}
