/** The list of rules with its filter: the page `rules/index.html`. */
import { ruleGroups } from '../../src/check';
import { pageOf } from '../../src/core/rule';
import { siteAddressOf } from '../../src/core/site';

/** The page: its words, and a component of the theme that shows what it is given. */
export function ruleListPage(): string {
  const groups = ruleGroups.map(({ title, system, rules }) => ({
    title,
    anchor: anchorOf(title),
    system,
    rules: [...rules]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((rule) => ({
        id: rule.id,
        severity: rule.severity,
        title: rule.title,
        address: `/${siteAddressOf(`docs/rules/${pageOf(rule)}`)}`,
      })),
  }));
  return `---
outline: 2
---

<script setup>
const groups = ${JSON.stringify(groups).replaceAll('<', '\\u003c')};
</script>

# Rules

What the checks find. Each page says why it matters, what to do, and how that is known. How to accept a finding is in
[Findings](../findings.md).

<RuleList :groups="groups" />
`;
}

/** The anchor of a heading, as in docs/rules/README.md. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
}
