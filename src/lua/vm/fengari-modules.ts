import { KEYWORDS, type Token, type TokenType } from '../syntax/token';

/**
 * The modules that fengari's compiler asks for and that are replaced in the private copy: the lexer, which here passes on
 * tokens that were read before, and as much of the run-time as compiling needs.
 */

/** The compiler's numbers for tokens; symbols of one character are their own character code. */
const RESERVED_WORDS: readonly string[] = [...KEYWORDS, 'goto'].sort();
const FIRST_RESERVED = 257;
const OTHER_TOKENS = [
  '//',
  '..',
  '...',
  '==',
  '>=',
  '<=',
  '~=',
  '<<',
  '>>',
  '::',
  'eof',
  'float',
  'integer',
  'name',
  'string',
];
const TOKEN_NUMBERS = new Map(
  [...RESERVED_WORDS, ...OTHER_TOKENS].map((text, index) => [text, FIRST_RESERVED + index]),
);

/** The names that fengari's parser knows the tokens by. */
const RESERVED: Record<string, number> = {
  ...Object.fromEntries(RESERVED_WORDS.map((word, index) => [`TK_${word.toUpperCase()}`, FIRST_RESERVED + index])),
  ...Object.fromEntries(
    [
      'IDIV',
      'CONCAT',
      'DOTS',
      'EQ',
      'GE',
      'LE',
      'NE',
      'SHL',
      'SHR',
      'DBCOLON',
      'EOS',
      'FLT',
      'INT',
      'NAME',
      'STRING',
    ].map((name, index) => [`TK_${name}`, FIRST_RESERVED + RESERVED_WORDS.length + index]),
  ),
};

/** A string of the compiled script, one character per byte. */
class CompilerString {
  constructor(readonly text: string) {}

  getstr(): Uint8Array {
    return Buffer.from(this.text, 'latin1');
  }
}

/** No name of a script can be this, so that `_ENV` is a name like any other. */
export const ENVIRONMENT = '(environment)';

/** Raised by fengari's parser for what the controller's grammar allows and its limits do not. */
class CompilerLimit extends Error {}

/** Tokens that fengari's parser takes one by one. */
export class TokenFeed {
  private at = 0;
  private readonly strings = new Map<string, CompilerString>();

  constructor(private readonly tokens: readonly Token[]) {}

  read(into: CompilerToken): void {
    const token = this.tokens[this.at++]!;
    into.token = numberOf(token.type);
    into.line = token.line;
    switch (token.type) {
      case 'name':
        into.seminfo.ts = this.string(token.value);
        break;
      case 'string':
        into.seminfo.ts = this.string(Buffer.from(token.value).toString('latin1'));
        break;
      case 'number':
        into.seminfo.r = token.value;
        break;
      case ',':
      case ';':
        // gopher-lua's grammar takes several separators in a row in a table constructor.
        while (this.tokens[this.at]!.type === ',' || this.tokens[this.at]!.type === ';') this.at++;
        break;
    }
  }

  private string(text: string): CompilerString {
    let string = this.strings.get(text);
    if (string === undefined) {
      string = new CompilerString(text);
      this.strings.set(text, string);
    }
    return string;
  }
}

interface CompilerToken {
  token: number;
  line: number;
  seminfo: { r: number; i: number; ts: CompilerString | null };
}

function newToken(token: number): CompilerToken {
  return { token, line: 1, seminfo: { r: 0, i: 0, ts: null } };
}

function numberOf(type: TokenType): number {
  if (type === 'number') return RESERVED.TK_FLT!;
  return TOKEN_NUMBERS.get(type) ?? type.charCodeAt(0);
}

/** The state that fengari's parser keeps between tokens. */
class LexState {
  linenumber = 1;
  lastline = 1;
  t = newToken(0);
  lookahead = newToken(RESERVED.TK_EOS!);
  feed: TokenFeed | undefined;
  fs = null;
  L: unknown = null;
  h: unknown = null;
  dyd = null;
  source: unknown = null;
  envn = new CompilerString(ENVIRONMENT);
}

/** Stands for fengari's `llex`. */
export const tokenFeed = {
  RESERVED,
  LexState,
  isreserved: () => true,
  luaX_setinput(state: unknown, lexer: LexState, feed: TokenFeed): void {
    lexer.L = state;
    lexer.feed = feed;
  },
  luaX_next(lexer: LexState): void {
    lexer.lastline = lexer.linenumber;
    if (lexer.lookahead.token !== RESERVED.TK_EOS) {
      const { t } = lexer;
      lexer.t = lexer.lookahead;
      lexer.lookahead = t;
      lexer.lookahead.token = RESERVED.TK_EOS!;
    } else {
      lexer.feed!.read(lexer.t);
    }
    lexer.linenumber = lexer.t.line;
  },
  luaX_lookahead(lexer: LexState): number {
    lexer.feed!.read(lexer.lookahead);
    return lexer.lookahead.token;
  },
  luaX_newstring: (_: LexState, bytes: Uint8Array) => new CompilerString(Buffer.from(bytes).toString('latin1')),
  luaX_token2str: (_: LexState, token: number) => Buffer.from(String(token)),
  luaX_syntaxerror(_: LexState, message: Uint8Array): never {
    throw new CompilerLimit(Buffer.from(message).toString('latin1'));
  },
};

/** Stands for fengari's `lstring`. */
export const strings = {
  luaS_eqlngstr: (a: CompilerString, b: CompilerString) => a.text === b.text,
  luaS_new: () => null,
  luaS_bless: () => null,
  luaS_newliteral: (_: unknown, text: string) => new CompilerString(text),
};

interface ScannerKey {
  readonly value: unknown;
}

/** Stands for fengari's `ltable`: the compiler's table from constants to their places. */
export const scannerTable = {
  luaH_new: () => new Map<unknown, unknown>(),
  luaH_get: (_: unknown, table: Map<unknown, unknown>, key: ScannerKey) => table.get(key.value) ?? NOT_THERE,
  luaH_setfrom: (_: unknown, table: Map<unknown, unknown>, key: ScannerKey, value: unknown) =>
    table.set(key.value, value),
};

const NOT_THERE = { ttisinteger: () => false };

/** The limits of fengari's compiler that gopher-lua does not have. */
export const limits = {
  LUAI_MAXCCALLS: Number.POSITIVE_INFINITY,
  luai_nummod: (_: unknown, left: number, right: number) => modulo(left, right),
};

/** gopher-lua's `%`, which is wrong for a negative left operand that divides evenly. */
export function modulo(left: number, right: number): number {
  const remainder = left % right;
  return left < 0 || (right < 0 && !(left < 0 && right < 0)) ? remainder + right : remainder;
}

/** Stands for what remains of fengari's virtual machine while it compiles. */
export const luaMachine = {
  newState: () => ({ nCcalls: 0, stack: [] as unknown[], top: 0, l_G: { id_counter: 1 } }),
  lvm: {
    tonumber: (value: { value: number }) => value.value,
    tointeger: () => false,
  },
  ldo: {
    luaD_inctop(state: { stack: unknown[]; top: number }): void {
      state.stack[state.top++] = { setclLvalue() {}, sethvalue() {} };
    },
  },
  pushfstring: (_: unknown, format: Uint8Array) => format,
};
