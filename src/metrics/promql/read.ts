/** Reads the selectors of a PromQL query, and finds what no parser of PromQL accepts. */
import { type PromqlMistake, type Token, tokensOf } from './tokens';

/** A condition on a label. */
export interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

/** A selector: `istio_requests_total{response_code="200"}`. */
export interface Selector {
  /** The name of the metric; undefined if a matcher has it, or an argument of the analysis. */
  readonly metric: string | undefined;
  readonly matchers: readonly Matcher[];
}

/** What is read of a query. */
export interface ReadQuery {
  readonly selectors: readonly Selector[];
  /** The labels that aggregations keep: `by (…)`. */
  readonly kept: readonly string[];
  /** Whether its result can be one number, and no list of them: `scalar(…)`, or no selector at all. */
  readonly mayBeNumber: boolean;
  readonly mistake?: PromqlMistake;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** Words before a list of labels. */
const BEFORE_LABELS = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const WORDS = new Set([...BEFORE_LABELS, 'and', 'or', 'unless', 'bool', 'offset', 'atan2', 'inf', 'nan']);
const AGGREGATIONS = new Set(
  'sum min max avg group stddev stdvar count count_values bottomk topk quantile limitk limit_ratio'.split(' '),
);
/** Functions of the values of a time range. */
const OF_RANGES = /^(rate|irate|increase|delta|idelta|deriv|changes|resets|[a-z]+_over_time)$/;
/** Units as people write them, and Prometheus does not. */
const LONG_UNIT = /^(mins?|minutes?|secs?|seconds?|hours?|days?|weeks?)$/i;
const MATCH = new Set(['=', '!=', '=~', '!~']);

const NOTHING: ReadQuery = { selectors: [], kept: [], mayBeNumber: true };
const EMPTY: PromqlMistake = { text: 'it is empty', fix: 'write a query' };

/** Reads a query. Arguments of the analysis (`{{args.service}}`) may be anywhere in it. */
export function readPromql(query: string): ReadQuery {
  const { tokens, mistake } = tokensOf(query);
  const unbalanced = mistake ?? bracketMistake(tokens);
  if (tokens.length === 0 && mistake === undefined) return { ...NOTHING, mistake: EMPTY };
  if (unbalanced !== undefined) return { ...NOTHING, mistake: unbalanced };
  return new Reader(tokens).read();
}

function bracketMistake(tokens: readonly Token[]): PromqlMistake | undefined {
  const open: Token[] = [];
  for (const token of tokens) {
    if (token.type !== 'sign') continue;
    if (token.value in CLOSING) open.push(token);
    else if (Object.values(CLOSING).includes(token.value)) {
      const opening = open.pop();
      if (opening === undefined)
        return { text: `"${token.value}" closes nothing`, fix: 'remove it, or open it before' };
      const expected = CLOSING[opening.value]!;
      if (expected !== token.value)
        return { text: `"${token.value}" comes before "${opening.value}" is closed`, fix: `write "${expected}" first` };
    }
  }
  const left = open.at(-1);
  return left && { text: `"${left.value}" is not closed`, fix: `close it with "${CLOSING[left.value]}"` };
}

class Reader {
  private at = 0;
  private readonly selectors: Selector[] = [];
  private readonly kept: string[] = [];
  private mistake: PromqlMistake | undefined;
  private hasScalar = false;

  constructor(private readonly tokens: readonly Token[]) {}

  read(): ReadQuery {
    while (this.at < this.tokens.length && this.mistake === undefined) this.next();
    const { selectors, kept, hasScalar, mistake } = this;
    const mayBeNumber = selectors.length === 0 || hasScalar;
    return { selectors, kept, mayBeNumber, ...(mistake === undefined ? {} : { mistake }) };
  }

  private next(): void {
    const token = this.tokens[this.at]!;
    if (token.type === 'sign' && token.value === '{') this.selector(undefined);
    else if (token.type === 'sign' && token.value === '[') this.range();
    else if (token.type === 'name') this.word(token);
    else this.at++;
  }

  private isSign(value: string, at = this.at): boolean {
    const token = this.tokens[at];
    return token?.type === 'sign' && token.value === value;
  }

  private word({ value }: Token): void {
    const word = value.toLowerCase();
    const isCall = this.isSign('(', this.at + 1);
    const following = this.tokens[this.at + 1]?.value.toLowerCase();
    const isGrouped = following === 'by' || following === 'without';
    if (BEFORE_LABELS.has(word)) {
      this.labels(word);
    } else if (isCall || (AGGREGATIONS.has(word) && isGrouped)) {
      if (word === 'scalar') this.hasScalar = true;
      if (isCall) this.argumentMistake(word);
      this.at++;
    } else if (WORDS.has(word)) this.at++;
    else this.selector(value);
  }

  /** `by (le, service)` */
  private labels(word: string): void {
    this.at++;
    if (!this.isSign('(')) return;
    for (this.at++; this.at < this.tokens.length && !this.isSign(')'); this.at++) {
      const { type, value } = this.tokens[this.at]!;
      if (type !== 'sign' && word === 'by') this.kept.push(value);
    }
  }

  /** A function whose only argument is a selector: with a time range, or without one. */
  private argumentMistake(word: string): void {
    const inside = this.tokens.slice(this.at + 2);
    const [name] = inside;
    if (name?.type !== 'name' || name.value.startsWith('{{')) return;
    let end = 1;
    if (inside[end]?.value === '{') end = inside.findIndex(({ type, value }) => type === 'sign' && value === '}') + 1;
    const behind = inside[end];
    if (behind?.type !== 'sign' || end === 0) return;
    if (OF_RANGES.test(word) && behind.value === ')') {
      this.mistake = {
        text: `${word}() needs the values of a time range, and "${name.value}" has none`,
        fix: 'write the time range behind the selector, such as [5m]',
        isOfDialect: true,
      };
    } else if (AGGREGATIONS.has(word) && behind.value === '[') {
      this.mistake = {
        text: `${word}() adds up single values, and "${name.value}" has those of a time range`,
        fix: `put rate() around the selector: ${word}(rate(${name.value}[5m]))`,
        isOfDialect: true,
      };
    }
  }

  private selector(metric: string | undefined): void {
    if (metric !== undefined) this.at++;
    const isKnown = metric !== undefined && !metric.startsWith('{{');
    const matchers: Matcher[] = [];
    let quoted: string | undefined;
    if (this.isSign('{')) {
      this.at++;
      while (!this.isSign('}') && this.mistake === undefined) quoted = this.matcher(matchers) ?? quoted;
      this.at++;
    }
    const named = matchers.find(({ label, operator }) => label === '__name__' && operator === '=')?.value;
    this.selectors.push({ metric: isKnown ? metric : (quoted ?? named), matchers });
  }

  /** One matcher and the comma behind it; returns the name of the metric where it is one. */
  private matcher(matchers: Matcher[]): string | undefined {
    const [label, operator, value] = this.tokens.slice(this.at, this.at + 3) as [Token, Token?, Token?];
    // An argument of the analysis may be a whole matcher.
    if (label.value.startsWith('{{') && !MATCH.has(operator?.value ?? '')) return this.afterMatcher(1);
    if (label.type === 'text' && (operator?.value === ',' || operator?.value === '}')) {
      this.afterMatcher(1);
      return label.value;
    }
    this.mistake = matcherMistake(label, operator, value);
    if (this.mistake !== undefined) return undefined;
    matchers.push({ label: label.value, operator: operator!.value, value: value!.value });
    return this.afterMatcher(3);
  }

  private afterMatcher(length: number): undefined {
    this.at += length;
    if (this.isSign(',')) this.at++;
    else if (this.tokens[this.at]?.value.toLowerCase() === 'or') {
      // VictoriaMetrics joins matchers with or.
      this.at++;
    } else if (!this.isSign('}')) {
      const { value } = this.tokens[this.at - 1]!;
      this.mistake ??= {
        text: `there is no comma behind ${JSON.stringify(value)}`,
        fix: 'put a comma between two labels',
      };
    }
    return undefined;
  }

  private range(): void {
    const inside: string[] = [];
    for (this.at++; !this.isSign(']'); this.at++) inside.push(this.tokens[this.at]!.value);
    this.at++;
    const [number = '', unit = ''] = /^([\d.]*)(.*)$/.exec(inside.slice(0, 2).join(''))!.slice(1);
    if (number === '' || !LONG_UNIT.test(unit)) return;
    const text = `${number}${inside[0] === number ? ' ' : ''}${unit}`;
    this.mistake = { text: `[${text}] is no duration`, fix: 'write the unit with one letter: 30s, 5m, 1h' };
  }
}

function matcherMistake(
  label: Token,
  operator: Token | undefined,
  value: Token | undefined,
): PromqlMistake | undefined {
  if (label.type === 'sign' || label.type === 'number')
    return { text: `"${label.value}" is no label`, fix: 'write name="value" for each label' };
  if (operator === undefined || !MATCH.has(operator.value))
    return {
      text: `the label ${label.value} is compared with "${operator?.value ?? ''}"`,
      fix: 'compare a label with =, !=, =~ or !~',
    };
  if (value?.type === 'text' || value?.value.startsWith('{{')) return undefined;
  return {
    text: `the value of the label ${label.value} is not quoted`,
    fix: `put it in quotes: ${label.value}${operator.value}"${value?.value ?? ''}"`,
  };
}
