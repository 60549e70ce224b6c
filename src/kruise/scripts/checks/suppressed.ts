import { collectFindings, type Finding, type SourceLocation } from '../../../core/finding';
import type { Rule, RuleCatalogue } from '../../../core/rule';
import { applySuppressions, IGNORE_ANNOTATION, type IgnoreEntry, parseIgnore } from '../../../core/suppression';
import { World } from '../../../core/world';

/** The script and rules to apply suppression comments to. */
export interface ScriptSuppressionOptions {
  readonly source: string;
  readonly file: string;
  /** All existing rules. */
  readonly catalogue: RuleCatalogue;
  /** The rules that were checked. */
  readonly checked: readonly Rule[];
}

const nothing = World.of([]);
const comment = new RegExp(`--\\s*${IGNORE_ANNOTATION.replace(/[.]/g, '\\.')}(?![\\w/.-])[:\\s]*(.*)`);

/**
 * Marks the findings that a comment `-- rollout-constructs.io/ignore <rule>: <reason>` in the script accepts, and adds a finding
 * for each invalid comment.
 */
export function applyComments(findings: readonly Finding[], options: ScriptSuppressionOptions): readonly Finding[] {
  let left: readonly Finding[] = findings;
  const accepted: Finding[] = [];
  const wrong: Finding[] = [];
  for (const [{ rule, reason }, places] of byEntry(commentsIn(options))) {
    const ofRule = left.filter((finding) => finding.rule === rule);
    const suppressions = [{ rule, reason }];
    const result = applySuppressions(ofRule, { world: nothing, ...options, suppressions });
    const taken = new Set(result.suppressed.map(({ finding }) => finding));
    left = left.filter((finding) => !taken.has(finding));
    const [source] = places;
    accepted.push(
      ...[...taken].map((finding) => ({ ...finding, accepted: { reason, by: 'comment', source } as const })),
    );
    const problems = result.findings.filter((finding) => !ofRule.includes(finding));
    wrong.push(...problems.flatMap((finding) => places.map((source) => ({ ...finding, source }))));
  }
  return collectFindings([...left, ...accepted, ...wrong]);
}

/** Findings without those that a comment accepts. */
export function withoutAccepted(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ accepted }) => accepted === undefined);
}

/** Groups comments by rule: a rule's comments are all used or all unused. */
function byEntry(comments: readonly (IgnoreEntry & { readonly source: SourceLocation })[]) {
  const entries = new Map<string, readonly [IgnoreEntry, [SourceLocation, ...SourceLocation[]]]>();
  for (const { source, ...entry } of comments) {
    const key = `${entry.rule}:${entry.reason === ''}`;
    const known = entries.get(key);
    if (known) known[1].push(source);
    else entries.set(key, [entry, [source]]);
  }
  return entries.values();
}

function commentsIn({ source, file }: ScriptSuppressionOptions) {
  return source.split('\n').flatMap((text, index) => {
    const found = comment.exec(text);
    if (found === null) return [];
    const place: SourceLocation = { file, line: index + 1, column: found.index + 1 };
    const entries = parseIgnore(found[1]!);
    return (entries.length > 0 ? entries : [{ rule: '', reason: '' }]).map((entry) => ({ ...entry, source: place }));
  });
}
