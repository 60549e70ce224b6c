/** How a regular expression is matched. */
export interface RegexOptions {
  /**
   * @default false
   */
  readonly ignoreCase?: boolean;
  /**
   * Whether the expression must match the whole text, as in Envoy.
   * @default false, it may match anywhere in the text
   */
  readonly whole?: boolean;
  /**
   * Whether the expression may look ahead and behind, as PCRE does. What it looks at is tried at each place of the text, so the
   * time is not linear; a text that takes more than a million steps does not match.
   * @default false
   */
  readonly lookAround?: boolean;
}

/**
 * Compiles a regular expression without look-around and back-references, the subset that RE2, PCRE and AWS share.
 * Matching takes time linear in the text, so that an expression in a manifest cannot block the process.
 * @returns undefined if the expression is not in the subset
 */
export function compileRegex(expression: string, options: RegexOptions = {}): ((text: string) => boolean) | undefined {
  let program: readonly Instruction[];
  try {
    program = new Parser(expression, options).program();
  } catch (error) {
    if (error instanceof NotSupported) return undefined;
    throw error;
  }
  const whole = options.whole ?? false;
  return (text) => {
    const characters = [...text];
    const scan = { from: 0, to: characters.length, isAnchored: whole, isWhole: whole, steps: { left: MAX_STEPS } };
    return run(program, characters, scan);
  };
}

/** Whether a text is a regular expression at all, also one that is not matched here. */
export function isExpression(text: string): boolean {
  return expressionOf(text.replace(/\(\?P</g, '(?<')) !== undefined;
}

function expressionOf(text: string, flags = ''): RegExp | undefined {
  try {
    return new RegExp(text, flags);
  } catch {
    return undefined;
  }
}

/** In a text of this length, the expressions of schemas take no time that anybody notices in JavaScript's own engine. */
const SHORT = 300;

/**
 * Compiles an expression of a schema of this package: it is known, and the texts are not. JavaScript's own engine is fast for
 * short texts; long ones take the linear one.
 * @returns undefined for syntax of Go that JavaScript does not have
 */
export function compilePattern(pattern: string, ignoreCase = false): ((text: string) => boolean) | undefined {
  const fast = expressionOf(pattern, ignoreCase ? 'i' : '');
  if (fast === undefined) return undefined;
  let linear: ((text: string) => boolean) | undefined;
  return (text) => {
    if (text.length <= SHORT) return fast.test(text);
    linear ??= compileRegex(pattern, { ignoreCase });
    return linear?.(text) ?? fast.test(text);
  };
}

/**
 * Whether RE2, the engine of Envoy and Go, refuses an expression: look-around, back-references, an open bracket. False for
 * an expression that `compileRegex` cannot read and that RE2 may accept.
 */
export function isRefusedByRe2(expression: string): boolean {
  if (compileRegex(expression) !== undefined) return false;
  const text = expression.replace(/\\[\s\S]/g, (escaped) => (/[1-9]/.test(escaped[1]!) ? '(?=)' : '_'));
  if (/\(\?<?[=!]/.test(text)) return true;
  return !isExpression(text.replace(/\(\?[imsU-]+([:)])/g, (_whole, end: string) => (end === ')' ? '' : '(?:')));
}

/** One instruction: test a character, test a position, continue in several places, or accept. */
type Instruction =
  | { readonly kind: 'character'; readonly test: (character: string) => boolean }
  | { readonly kind: 'assertion'; readonly test: (text: readonly string[], at: number, steps: Steps) => boolean }
  /** Offsets are relative, so that pieces of a program can be concatenated and repeated. */
  | { readonly kind: 'fork'; readonly offsets: readonly number[] }
  | { readonly kind: 'done' };

type Piece = readonly Instruction[];

/** How many steps a match may still take where it looks around. */
interface Steps {
  left: number;
}

/** A part of a text to look for a match in. */
interface Scan {
  readonly from: number;
  readonly to: number;
  /** Whether the match begins at the beginning of the part. */
  readonly isAnchored: boolean;
  /** Whether it ends at the end of the part. */
  readonly isWhole: boolean;
  readonly steps: Steps;
}

class NotSupported extends Error {}

/** `{1000}{1000}` would otherwise make a program of a million steps. */
const MAX_PROGRAM = 20_000;
const MAX_REPEAT = 1000;
const MAX_DEPTH = 200;
const MAX_STEPS = 1_000_000;

/** Moves all possible places in the program forward, one character at a time. */
function run(program: Piece, characters: readonly string[], { from, to, isAnchored, isWhole, steps }: Scan): boolean {
  let places = new Set<number>();
  for (let at = from; at <= to; at++) {
    if (at === from || !isAnchored) places.add(0);
    const next = new Set<number>();
    // Iterating over a Set includes the items that are added during the iteration.
    for (const place of places) {
      const instruction = program[place]!;
      switch (instruction.kind) {
        case 'done':
          if (!isWhole || at === to) return true;
          break;
        case 'fork':
          for (const offset of instruction.offsets) places.add(place + offset);
          break;
        case 'assertion':
          if (instruction.test(characters, at, steps)) places.add(place + 1);
          break;
        case 'character':
          if (at < to && instruction.test(characters[at]!)) next.add(place + 1);
          break;
      }
    }
    places = next;
  }
  return false;
}

class Parser {
  private at = 0;
  private depth = 0;
  private ignoreCase: boolean;
  private readonly lookAround: boolean;

  constructor(
    private readonly expression: string,
    { ignoreCase = false, lookAround = false }: RegexOptions,
  ) {
    this.ignoreCase = ignoreCase;
    this.lookAround = lookAround;
  }

  program(): Piece {
    const piece = this.alternatives();
    if (this.at < this.expression.length) throw new NotSupported();
    return [...piece, { kind: 'done' }];
  }

  private alternatives(): Piece {
    if (++this.depth > MAX_DEPTH) throw new NotSupported();
    const branches = [this.sequence()];
    while (this.take('|')) branches.push(this.sequence());
    this.depth--;
    return branches.reduceRight((rest, branch) => either(branch, rest));
  }

  private sequence(): Piece {
    const pieces: Piece[] = [];
    while (this.at < this.expression.length && !/[|)]/.test(this.expression[this.at]!)) pieces.push(this.repeated());
    return limited(pieces.flat());
  }

  private repeated(): Piece {
    let piece = this.atom();
    for (;;) {
      const range = this.match(/[*+?]|\{(\d+)(?:(,)(\d*))?\}/y);
      if (range === undefined) return piece;
      // A lazy quantifier matches the same texts.
      this.take('?');
      const [quantifier, low, comma, high] = range;
      if (quantifier === '*') piece = repeat(piece, 0, undefined);
      else if (quantifier === '+') piece = repeat(piece, 1, undefined);
      else if (quantifier === '?') piece = repeat(piece, 0, 1);
      else
        piece = repeat(piece, Number(low), comma === undefined ? Number(low) : high === '' ? undefined : Number(high));
    }
  }

  private atom(): Piece {
    if (this.take('(')) return this.group();
    if (this.take('^')) return [{ kind: 'assertion', test: (_text, at) => at === 0 }];
    if (this.take('$')) return [{ kind: 'assertion', test: (text, at) => at === text.length }];
    const boundary = this.match(/\\([bB])/y);
    if (boundary !== undefined) return [{ kind: 'assertion', test: wordBoundary(boundary[1] === 'b') }];
    const found = this.match(CHARACTER);
    if (found === undefined) throw new NotSupported();
    return [{ kind: 'character', test: characterTest(found[0], this.ignoreCase) }];
  }

  private group(): Piece {
    const outside = this.ignoreCase;
    const look = this.lookAround ? this.match(/\?(<?)([=!])/y) : undefined;
    const flag = this.match(/\?(-?)i([:)])/y);
    if (flag !== undefined) this.ignoreCase = flag[1] === '';
    // `(?i)` holds up to the end of the group around it, `(?i:…)` in its own group.
    if (flag?.[2] === ')') return [];
    const kind = look ?? flag ?? this.match(/\?(?::|P?<[A-Za-z_]\w*>)/y);
    if (kind === undefined && this.expression[this.at] === '?') throw new NotSupported();
    const piece = this.alternatives();
    this.ignoreCase = outside;
    if (!this.take(')')) throw new NotSupported();
    if (look !== undefined) return [lookedAt([...piece, { kind: 'done' }], look[1] === '<', look[2] === '=')];
    return piece;
  }

  private take(character: string): boolean {
    const isNext = this.expression[this.at] === character;
    if (isNext) this.at++;
    return isNext;
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.expression) ?? undefined;
    this.at += found?.[0].length ?? 0;
    return found;
  }
}

/** A class, an escape or a literal character. A single character has the same meaning in JavaScript. */
const CHARACTER =
  /\[\^?\]?(?:\[:\w+:\]|\\[\s\S]|[^\]\\])*\]|\\(?:[pP](?:[A-Z]|\{\^?\w+\})|x[0-9a-fA-F]{2}|[dDwWsStnrfv]|[^A-Za-z0-9])|[^\\*+?()|[]/uy;

const POSIX: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};

function characterTest(source: string, ignoreCase: boolean): (character: string) => boolean {
  if (source === '.') return (character) => character !== '\n';
  const isClass = source.length > 1 && source.startsWith('[');
  const text = withProperties(isClass ? classSource(source) : source);
  const regex = characterRegex(`^(?:${text})$`, ignoreCase ? 'i' : '');
  return (character) => regex.test(character);
}

/** Uses the Unicode mode if possible; JavaScript then rejects unnecessary escapes such as `\-`. */
function characterRegex(source: string, flags: string): RegExp {
  // Without the Unicode mode, `\p` would mean the letter p.
  for (const mode of /\\[pP]/.test(source) ? ['u'] : ['u', '']) {
    try {
      return new RegExp(source, flags + mode);
    } catch {}
  }
  throw new NotSupported();
}

/** Unicode properties as JavaScript writes them: `\pL` and `\p{Greek}` are `\p{L}` and `\p{Script=Greek}`. */
function withProperties(source: string): string {
  return source.replace(
    /\\([pP])(?:([A-Z])|\{(\^?)(\w+)\})/g,
    (_, letter: string, category?: string, not?: string, name = category!) => {
      const property = /^[A-Z][a-z]?$/.test(name) ? name : `Script=${name}`;
      return `\\${(letter === 'P') !== (not === '^') ? 'P' : 'p'}{${property}}`;
    },
  );
}

/** A leading bracket is a member of the class in most engines, and its end in JavaScript. */
function classSource(source: string): string {
  return source
    .replace(/^\[(\^?)\]/, '[$1\\]')
    .replace(/\[:(\w+):\]/g, (whole, name: string) => (Object.hasOwn(POSIX, name) ? POSIX[name]! : whole))
    .replace(/(?<=.)\[(?=.)/g, (bracket, at: number, whole: string) => (whole[at - 1] === '\\' ? bracket : '\\['));
}

/** Whether a match begins here, or ends here. */
function lookedAt(program: Piece, isBehind: boolean, isWanted: boolean): Instruction {
  return {
    kind: 'assertion',
    test: (text, at, steps) => {
      // Each place of the part costs at most as many steps as the program has instructions.
      const part = isBehind ? { from: 0, to: at } : { from: at, to: text.length };
      steps.left -= (part.to - part.from + 1) * program.length;
      if (steps.left < 0) return false;
      return run(program, text, { ...part, isAnchored: !isBehind, isWhole: isBehind, steps }) === isWanted;
    },
  };
}

function wordBoundary(wanted: boolean) {
  const isWord = (character: string | undefined) => character !== undefined && /^\w$/.test(character);
  return (text: readonly string[], at: number) => (isWord(text[at - 1]) !== isWord(text[at])) === wanted;
}

function either(first: Piece, second: Piece): Piece {
  return limited([
    { kind: 'fork', offsets: [1, first.length + 2] },
    ...first,
    { kind: 'fork', offsets: [second.length + 1] },
    ...second,
  ]);
}

function repeat(piece: Piece, low: number, high: number | undefined): Piece {
  if (low > MAX_REPEAT || (high ?? 0) > MAX_REPEAT || (high !== undefined && high < low)) throw new NotSupported();
  const copies = (high ?? low) * piece.length;
  if (copies > MAX_PROGRAM) throw new NotSupported();
  const required = Array.from({ length: low }, () => piece).flat();
  if (high === undefined) return limited([...required, ...anyNumber(piece)]);
  const optional: Piece = [{ kind: 'fork', offsets: [1, piece.length + 1] }, ...piece];
  return limited([...required, ...Array.from({ length: high - low }, () => optional).flat()]);
}

function anyNumber(piece: Piece): Piece {
  return [{ kind: 'fork', offsets: [1, piece.length + 2] }, ...piece, { kind: 'fork', offsets: [-piece.length - 1] }];
}

function limited(piece: Piece): Piece {
  if (piece.length > MAX_PROGRAM) throw new NotSupported();
  return piece;
}
