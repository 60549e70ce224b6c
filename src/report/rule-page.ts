import {
  type AcceptedBy,
  type Basis,
  pageOf,
  type Rule,
  type RuleExample,
  type RuleGroup,
  siteOfRule,
} from '../core/rule';

const KNOWN: Readonly<Record<Basis, string>> = {
  run: "The controller's own code was run and does this.",
  read: "This is what the controller's source says.",
  documented: 'This is what the documentation says.',
  inferred: 'This is inferred and not verified, so it is never an error.',
};

const GENERATED = '<!-- Generated from the rules in src: change a rule, then run `npm run docs`. -->';

/** The page of a rule in Markdown: what it finds, why it matters, the fix, and an example before and after. */
export function rulePage(rule: Rule, acceptedBy: AcceptedBy): string {
  return `${GENERATED}\n# ${rule.id}\n\n${ruleText(rule, acceptedBy, '##')}`;
}

/** One page for all rules of a group, each under a heading that is its id. */
export function groupPage({ title, rules, acceptedBy }: RuleGroup): string {
  const sections = inOrder(rules).map((rule) => `## ${rule.id}\n\n${ruleText(rule, acceptedBy, '###')}`);
  return `${GENERATED}\n# ${title}\n\n${sections.join('\n')}`;
}

function ruleText(rule: Rule, acceptedBy: AcceptedBy, heading: '##' | '###'): string {
  return `**${rule.severity}**: ${literal(rule.title)}

${literal(sentence(rule.because))}

**What to do:** ${literal(sentence(rule.fix))}

${heading} Found

${fenced(rule.failing)}

${heading} Corrected

${fenced(rule.corrected)}

${heading} How this is known

${KNOWN[rule.basis]}

${rule.sources.map((source) => `- ${link(source)}`).join('\n')}

${heading} To accept it

${accepting(rule, acceptedBy)}
`;
}

/** The page of a rule for a terminal. */
export function ruleExplanation(rule: Rule, acceptedBy: AcceptedBy, { color }: { readonly color: boolean }): string {
  const strong = (text: string) => (color ? `\u001b[1m${text}\u001b[22m` : text);
  const indented = (text: string) => text.trimEnd().replace(/^(?=.)/gm, '    ');
  const accepted = accepting(rule, acceptedBy)
    .replace(/^```\w*\n|\n```$/gm, '')
    .replace(/\n{2,}/g, '\n');
  return `${strong(`${rule.severity}[${rule.id}]`)}: ${rule.title}

${sentence(rule.because)}

${strong('What to do:')} ${sentence(rule.fix)}

${strong('Found')}

${indented(rule.failing.text)}

${strong('Corrected')}

${indented(rule.corrected.text)}

${strong('How this is known')}

${KNOWN[rule.basis]}
${rule.sources.map((source) => `  ${source}`).join('\n')}

${strong('To suppress it')}

${indented(accepted)}

${strong('On the web')}

    ${siteOfRule(rule)}
`;
}

/** The list of all rules for a terminal. */
export function ruleList(groups: readonly RuleGroup[]): string {
  const width = Math.max(...groups.flatMap(({ rules }) => rules.map(({ id }) => id.length)));
  const lines = ({ title, rules }: RuleGroup) => [
    `${title}:`,
    ...inOrder(rules).map((rule) => `  ${rule.id.padEnd(width)}  ${rule.severity.padEnd(7)}  ${rule.title}`),
    '',
  ];
  return `${groups.flatMap(lines).join('\n')}rollout-constructs explain <rule> shows the details of a rule\n`;
}

/** The list of all rules in Markdown, one table per group. */
export function ruleIndex(groups: readonly RuleGroup[]): string {
  const tables = groups.map(({ title, rules }) => {
    const rows = inOrder(rules).map(row);
    return `## ${title}\n\n| rule | severity | what it finds |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `${GENERATED}
# Rules

What the checks find. Each page says why it matters, what to do, and how that is known. How to accept a finding is in
[Findings](../findings.md).

${tables.join('\n')}`;
}

function inOrder(rules: readonly Rule[]): Rule[] {
  return [...rules].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function row(rule: Rule): string {
  return `| [${rule.id}](${pageOf(rule)}) | ${rule.severity} | ${literal(rule.title).replaceAll('|', '\\|')} |`;
}

function fenced({ language, text }: RuleExample): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** Text that Markdown shows as it is, code between backticks included: else `<name>` would be a tag, which nobody sees. */
function literal(text: string): string {
  return text.replaceAll(/(`[^`]*`)|[<*]/g, (part, code?: string) => code ?? `\\${part}`);
}

/** Adds a capital and a full stop, which the texts of findings lack. A name such as `json.encode` keeps its case. */
function sentence(text: string): string {
  const first = /^[a-z]+(?=[\s,;:-])/.test(text) ? text.charAt(0).toUpperCase() : text.charAt(0);
  return `${first}${text.slice(1)}${/[.!?:]$/.test(text) ? '' : '.'}`;
}

function link(source: string): string {
  return source.startsWith('http') ? `<${source}>` : `[${source}](../${source.replace(/^docs\//, '')})`;
}

function accepting({ id }: Rule, acceptedBy: AcceptedBy): string {
  if (id.startsWith('suppression-'))
    return 'A finding about a suppression cannot be suppressed: fix or remove the suppression.';
  const why = '<why it does not matter here>';
  return acceptedBy === 'comment'
    ? `A comment anywhere in the script:\n\n\`\`\`lua\n-- rollout-constructs.io/ignore ${id}: ${why}\n\`\`\``
    : `An annotation on the object:\n\n\`\`\`yaml\nrollout-constructs.io/ignore: '${id}: ${why}'\n\`\`\``;
}
