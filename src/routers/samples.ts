/** Values that match a condition, and similar values that do not. */
import { compileRegex } from '../core/regex';

/**
 * A short text that a regular expression matches as a whole; undefined if none is found. Handles the expressions of
 * `compileRegex`, and verifies the result.
 */
export function sampleOf(expression: string): string | undefined {
  const test = compileRegex(expression, { whole: true });
  if (test === undefined) return undefined;
  return [...new Set(['', ...sampled(expression)])].reverse().find(test) ?? undefined;
}

/** Texts similar to a sample that an expression does not match. */
export function nearRegex(expression: string, sample: string): string[] {
  const test = compileRegex(expression);
  if (test === undefined) return [];
  const middle = Math.floor(sample.length / 2);
  const near = [
    sample.slice(0, -1),
    sample.slice(1),
    `${sample.slice(0, middle)}~${sample.slice(middle + 1)}`,
    `x${sample}x`,
    'rehearsal',
  ];
  return [...new Set(near)].filter((text) => text !== '' && !test(text)).slice(0, 2);
}

/** Texts similar to an exact value: longer at either end, and shorter. */
export function nearExact(value: string): string[] {
  const shorter = value.length > 1 ? [value.slice(0, -1)] : [];
  return [`${value}x`, `x${value}`, ...shorter];
}

/** The value in the other case; undefined if case makes no difference. */
export function otherCase(value: string): string | undefined {
  const upper = value.toUpperCase();
  const other = upper === value ? value.toLowerCase() : upper;
  return other === value ? undefined : other;
}

/** A text that matches a pattern with `*` and `?`. */
export function sampleOfGlob(pattern: string): string {
  return pattern.replace(/\\([*?\\])|\*|\?/g, (whole, escaped?: string) => escaped ?? (whole === '*' ? 'any' : 'a'));
}

const MAX_LENGTH = 200;

/** A few texts, with different numbers of repetitions. */
function sampled(expression: string): string[] {
  return [1, 0, 2].flatMap((repeats) => {
    const text = new Sampler(expression, repeats).sample();
    return text === undefined || text.length > MAX_LENGTH ? [] : [text];
  });
}

/** Reads an expression from left to right and writes a text for it. Gives up on unknown syntax. */
class Sampler {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly expression: string,
    private readonly repeats: number,
  ) {}

  sample(): string | undefined {
    const text = this.alternatives();
    return this.at === this.expression.length ? text : undefined;
  }

  private alternatives(): string | undefined {
    if (++this.depth > 100) return undefined;
    const texts = [this.sequence()];
    while (this.peek() === '|') {
      this.at++;
      texts.push(this.sequence());
    }
    this.depth--;
    return texts.find((text) => text !== undefined);
  }

  private sequence(): string | undefined {
    let text: string | undefined = '';
    while (this.at < this.expression.length && this.peek() !== '|' && this.peek() !== ')') {
      const atom = this.atom();
      const count = this.quantifier();
      text = text === undefined || atom === undefined ? undefined : text + atom.repeat(count);
    }
    return text;
  }

  private atom(): string | undefined {
    const character = this.expression[this.at++]!;
    switch (character) {
      case '^':
      case '$':
        return '';
      case '.':
        return 'a';
      case '(':
        return this.group();
      case '[':
        return this.set();
      case '\\':
        return this.escape(this.expression[this.at++] ?? '');
      default:
        return character;
    }
  }

  private group(): string | undefined {
    const prefix = /^\?(?:i?:|P?<[A-Za-z_]\w*>|i\))/.exec(this.expression.slice(this.at))?.[0];
    this.at += prefix?.length ?? 0;
    if (prefix?.endsWith(')')) return '';
    const text = this.alternatives();
    this.at++;
    return text;
  }

  private set(): string | undefined {
    const body = /^\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]/s.exec(this.expression.slice(this.at))?.[0];
    if (body === undefined) return undefined;
    this.at += body.length;
    const test = compileRegex(`[${body}`, { whole: true });
    return [...'a0A-_ /.=', ...body].find((character) => test?.(character));
  }

  private escape(letter: string): string | undefined {
    const classes: Record<string, string> = {
      d: '1',
      w: 'a',
      s: ' ',
      D: 'a',
      W: '-',
      S: 'a',
      b: '',
      B: '',
    };
    const controls: Record<string, string> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v' };
    return classes[letter] ?? controls[letter] ?? (/[A-Za-z0-9]/.test(letter) ? undefined : letter);
  }

  private quantifier(): number {
    const found = /^(?:([*+?])|\{(\d{1,3})(?:,(\d{0,3}))?\})[?+]?/.exec(this.expression.slice(this.at));
    if (found === null) return 1;
    this.at += found[0].length;
    const [, symbol, least, most] = found;
    if (symbol === '*') return this.repeats;
    if (symbol === '?') return Math.min(1, this.repeats);
    if (symbol === '+') return Math.max(1, this.repeats);
    return Math.max(Number(least), Math.min(this.repeats, most ? Number(most) : this.repeats));
  }

  private peek(): string | undefined {
    return this.expression[this.at];
  }
}
