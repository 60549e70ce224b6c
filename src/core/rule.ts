import { didYouMean } from './did-you-mean';
import type { Finding, Severity } from './finding';
import { shortened } from './shortened';
import { SITE, siteAddressOf } from './site';

/** An example input for a rule. */
export interface RuleExample {
  readonly language: 'yaml' | 'lua' | 'typescript';
  readonly text: string;
}

/** The evidence for the behavior behind a rule. */
export type Basis =
  /** The controller's own code was run. */
  | 'run'
  /** Read in the controller's source. */
  | 'read'
  /** The vendor's documentation says so. */
  | 'documented'
  /** Reasoned. The finding says so and is never an error. */
  | 'inferred';

/** One rule. Findings, `explain` and the pages under docs/rules are generated from it. */
export interface Rule {
  readonly id: string;
  readonly severity: Severity;
  /** A short sentence: "the script ignores a header of a match". */
  readonly title: string;
  /** The controller's behaviour behind the rule, the default `because` of its findings. */
  readonly because: string;
  /** The default `fix` of its findings. */
  readonly fix: string;
  readonly basis: Basis;
  /** The evidence: URLs of the controller's source, its documentation, or an issue. */
  readonly sources: readonly string[];
  readonly failing: RuleExample;
  readonly corrected: RuleExample;
  /**
   * The documentation page that the rule shares with others. The rule's id is its anchor.
   * @default - the rule has a page of its own
   */
  readonly page?: string;
  /**
   * The rules with which a rehearsal shows the same mistake. Reports list their findings under this rule's.
   * @default - none
   */
  readonly rehearsedAs?: readonly string[];
}

/** How a finding is accepted: by an annotation on the object, or by a comment in the Lua script. */
export type AcceptedBy = 'annotation' | 'comment';

/** The system that a rule is about. */
export type RuleSystem = 'rehearsal' | 'kruise' | 'argo' | 'aws-load-balancers' | 'ktenv' | 'manifests';

/** A group of rules in lists. */
export interface RuleGroup {
  readonly title: string;
  readonly system: RuleSystem;
  readonly rules: readonly Rule[];
  readonly acceptedBy: AcceptedBy;
}

/** The rules of one part of the library, by id. */
export type RuleTable<Id extends string = string> = { readonly [K in Id]: Rule };

const RULE_ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Declares rules. Throws for a mistake in a declaration, which is a programming error.
 * @example const rules = defineRules({ 'script-syntax': { severity: 'error', title: '…', … } });
 */
export function defineRules<Id extends string>(rules: { readonly [K in Id]: Omit<Rule, 'id'> }): RuleTable<Id> {
  const entries = Object.entries(rules) as [Id, Omit<Rule, 'id'>][];
  return Object.fromEntries(entries.map(([id, rule]) => [id, declared({ id, ...rule })])) as unknown as RuleTable<Id>;
}

function declared(rule: Rule): Rule {
  if (!RULE_ID.test(rule.id)) throw new Error(`rule id "${rule.id}" is not kebab-case`);
  for (const field of ['title', 'because', 'fix'] as const) {
    if (rule[field].trim() === '') throw new Error(`rule ${rule.id}: ${field} is empty`);
  }
  if (rule.basis === 'inferred' && rule.severity === 'error') {
    throw new Error(`rule ${rule.id}: what is only inferred cannot be an error; make it a warning`);
  }
  if (rule.basis !== 'inferred' && rule.sources.length === 0) {
    throw new Error(`rule ${rule.id}: the basis is "${rule.basis}", so name its sources`);
  }
  return rule;
}

/** All rules of the systems that a program uses. */
export class RuleCatalogue implements Iterable<Rule> {
  /** Combines tables. Throws if an id is defined twice, which is a programming error. */
  static of(...tables: readonly RuleTable[]): RuleCatalogue {
    const rules = new Map<string, Rule>();
    for (const rule of tables.flatMap((table) => Object.values(table))) {
      if (rules.has(rule.id) && rules.get(rule.id) !== rule) throw new Error(`rule ${rule.id} is defined twice`);
      rules.set(rule.id, rule);
    }
    return new RuleCatalogue(new Map([...rules].sort(([a], [b]) => (a < b ? -1 : 1))));
  }

  private constructor(private readonly rules: ReadonlyMap<string, Rule>) {}

  /** The rule of this id. */
  get(id: string): Rule | undefined {
    return this.rules.get(id);
  }

  has(id: string): boolean {
    return this.rules.has(id);
  }

  /** The known id that is nearest to a misspelled one. */
  closestTo(id: string): string | undefined {
    return didYouMean(id, [...this.rules.keys()]);
  }

  /** The rules in the order of their ids. */
  [Symbol.iterator](): Iterator<Rule> {
    return this.rules.values();
  }
}

/** The same rules on one page of the documentation. */
export function onPage<Table extends RuleTable>(page: string, rules: Table): Table {
  return Object.fromEntries(Object.entries(rules).map(([id, rule]) => [id, { ...rule, page }])) as unknown as Table;
}

/** The link to a rule's documentation within docs/rules: `a-rule.md`, `a-page.md#a-rule`. */
export function pageOf({ id, page }: Pick<Rule, 'id' | 'page'>): string {
  return page === undefined ? `${id}.md` : `${page}.md#${id}`;
}

/** Where the documentation of a rule can be read: the page that `see:` of its findings is about. */
export function siteOfRule(rule: Pick<Rule, 'id' | 'page'>): string {
  return `${SITE}${siteAddressOf(docsOf(rule))}`;
}

/** The page of a rule in the repository. */
function docsOf(rule: Pick<Rule, 'id' | 'page'>): string {
  return `docs/rules/${pageOf(rule)}`;
}

/** The details that a check adds to a rule to make a finding. */
export type FindingDetails = Omit<Finding, 'rule' | 'severity' | 'because' | 'fix' | 'docs'> &
  Partial<Pick<Finding, 'severity' | 'because' | 'fix'>>;

/** The maximum length of a text. A text may quote a name or an annotation of any length. */
const TEXT_SHOWN = 2000;

/** A finding of a rule. The rule provides what the details omit. */
export function findingOf(rule: Rule, details: FindingDetails): Finding {
  const {
    severity = rule.severity,
    message,
    because = rule.because,
    fix = rule.fix,
    related,
    request,
    ...rest
  } = details;
  return {
    rule: rule.id,
    severity,
    because: shortened(because, TEXT_SHOWN),
    fix: shortened(fix, TEXT_SHOWN),
    docs: docsOf(rule),
    message: shortened(message, TEXT_SHOWN),
    ...rest,
    ...(related && { related: { ...related, message: shortened(related.message, TEXT_SHOWN) } }),
    ...(request !== undefined && { request: shortened(request, TEXT_SHOWN) }),
  };
}
