import { latin1, utf8 } from '../../../core/bytes';
import { didYouMean } from '../../../core/did-you-mean';
import type { Finding } from '../../../core/finding';
import type { Expression, NameExpression, NodeOf } from '../../../lua/syntax';
import type { CheckedScript } from './checked-script';

/** The globals of the controller's Lua. */
const GLOBALS = new Set(
  (
    'obj json math string table _G _VERSION _GOPHER_LUA_VERSION _printregs assert collectgarbage error getfenv ' +
    'getmetatable ipairs load loadstring newproxy next pairs pcall print rawequal rawget rawset select setfenv ' +
    'setmetatable tonumber tostring type unpack xpcall'
  ).split(' '),
);

/** The members of the controller's Lua libraries. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  json: ['decode', 'encode'],
  math: (
    'abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp log log10 max min mod modf pi pow rad ' +
    'random randomseed sin sinh sqrt tan tanh'
  ).split(' '),
  string: 'byte char dump find format gfind gmatch gsub len lower match rep reverse sub upper'.split(' '),
  table: 'concat getn insert maxn remove sort'.split(' '),
};

const noHost = 'a script can only read `obj`: put the value into an annotation of the object';
const oneFile = 'a script is one file: copy the functions into it';

/** Replacements for names from other versions of Lua. */
const INSTEAD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    os: noHost,
    io: noHost,
    dofile: oneFile,
    loadfile: oneFile,
    require: oneFile,
    module: oneFile,
    package: oneFile,
    coroutine: 'use plain functions and tables: the controller has no coroutines',
    debug: 'call error() with the value to inspect: the controller has no debug library',
    utf8: 'use the string library: strings are bytes',
    bit32: 'use arithmetic: Lua 5.1 has no bit operations',
    rawlen: 'write #table',
    warn: 'call error() with a message',
    null: 'write nil',
    undefined: 'write nil',
    'table.unpack': 'write unpack(list)',
    'table.pack': 'write { ... }, and select("#", ...) for the number of values',
    'table.create': 'write {}',
    'table.move': 'copy in a loop',
    'string.pack': 'use string.format or string.char',
    'string.packsize': 'use string.format or string.char',
    'string.unpack': 'use string.byte or string.match',
    'string.split': 'use string.gmatch',
    'string.trim': 'use string.match(text, "^%s*(.-)%s*$")',
    'math.tointeger': 'write math.floor(number)',
    'math.type': 'compare number == math.floor(number)',
    'math.ult': 'compare with <',
    'math.maxinteger': 'write 9007199254740992: numbers are doubles',
    'math.mininteger': 'write -9007199254740992: numbers are doubles',
    'json.null': 'omit the key',
  }),
);

/** The limit for "did you mean" suggestions, more than any script has names. */
const MAX_NAMES = 200;

/** Functions that exist, but cannot load any file in the controller. */
const LOADERS = ['require', 'module', 'dofile', 'loadfile'];

/** Reports names that the script uses and the controller does not provide. */
export function* unavailableNames(script: CheckedScript): Iterable<Finding> {
  const known = new Set(GLOBALS);
  for (const { node, written } of script.tree.globals) {
    // A script that sets or tests a name expects that it may be nil.
    if (written || isTested(script, node)) known.add(node.name);
  }
  const locals = localNames(script);
  let suggested = 0;
  for (const { node } of script.tree.globals) {
    if (known.has(node.name)) continue;
    // Report each name once.
    known.add(node.name);
    suggested += 1;
    yield unavailable(script, node, suggested <= MAX_NAMES ? [...GLOBALS, ...locals] : []);
  }
  const members = script.tree.all('Index').map((index) => ({ index, member: libraryMember(script, index) }));
  const isExpected = (index: NodeOf<'Index'>) => isWritten(script, index) || isTested(script, index);
  const expected = new Set(members.filter(({ index }) => isExpected(index)).map(({ member }) => member?.join('.')));
  for (const { index, member } of members) {
    if (member === undefined || expected.has(member.join('.'))) continue;
    const [library, name] = member;
    const full = `${library}.${name}`;
    const meant = didYouMean(name, MEMBERS[library]!);
    const fix =
      INSTEAD.get(full) ??
      (meant ? `did you mean ${library}.${meant}?` : `${library} has ${MEMBERS[library]!.join(', ')}`);
    yield script.finding('lua-unavailable', index, `${full} does not exist in the controller's Lua`, { fix });
  }
}

function unavailable(script: CheckedScript, { name, ...place }: NameExpression, names: readonly string[]): Finding {
  const instead = INSTEAD.get(name);
  const meant = instead ? undefined : didYouMean(name, names);
  const has = LOADERS.includes(name)
    ? 'cannot load any file in the controller'
    : "does not exist in the controller's Lua";
  return script.finding('lua-unavailable', place, `${name} ${has}`, {
    fix: instead ?? (meant ? `did you mean ${meant}?` : `define ${name} as a local before it is used`),
  });
}

function libraryMember(script: CheckedScript, index: NodeOf<'Index'>): readonly [string, string] | undefined {
  if (index.key.kind !== 'String' || index.object.kind !== 'Name' || script.tree.binding(index.object))
    return undefined;
  const library = index.object.name;
  if (!Object.hasOwn(MEMBERS, library) || MEMBERS[library]!.includes(index.key.text)) return undefined;
  const replaced = script.tree.globals.some(({ node, written }) => written && node.name === library);
  return replaced ? undefined : [library, index.key.text];
}

function isWritten(script: CheckedScript, index: NodeOf<'Index'>): boolean {
  const parent = script.tree.parent(index);
  if (parent?.kind === 'FunctionStatement') return parent.target === index;
  return parent?.kind === 'Assign' && parent.targets.includes(index);
}

/** True where nil is expected: `table.unpack or unpack`, `if os then`, `type(utf8)`. */
function isTested(script: CheckedScript, expression: Expression): boolean {
  const parent = script.tree.parent(expression);
  switch (parent?.kind) {
    case 'Binary':
      return (
        ['==', '~='].includes(parent.operator) ||
        (['or', 'and'].includes(parent.operator) && parent.left === expression)
      );
    case 'Unary':
      return parent.operator === 'not';
    case 'IfClause':
      return parent.condition === expression;
    case 'Call':
      return script.tree.isGlobal(parent.callee, 'type');
    default:
      return false;
  }
}

function localNames(script: CheckedScript): string[] {
  return script.tree
    .all('Local')
    .slice(0, MAX_NAMES)
    .flatMap((statement) => statement.names.map(({ name }) => name));
}

/** Reports code that parses, but has a different meaning in later versions of Lua. */
export function* changedMeanings(script: CheckedScript): Iterable<Finding> {
  const bytes = utf8(script.source);
  for (const token of script.tree.tokens) {
    if (token.type !== 'string') continue;
    const raw = latin1(bytes.subarray(token.offset, token.endOffset));
    const escapes = raw.startsWith('[') ? [] : [...raw.matchAll(/\\(?:x[0-9a-fA-F]{2}|u\{|.)/gs)].map(([text]) => text);
    const newer = escapes.find((text) => text.length > 2 || text === '\\z');
    if (newer === undefined) continue;
    const message = `the escape ${newer} in a string does not exist in Lua 5.1, which reads it as ${newer.slice(1, 2)}`;
    yield script.finding('lua-unavailable', token, message, {
      fix: 'write the character itself, or \\ and its code in three decimal digits',
    });
  }
  for (const call of script.tree.all('Call'))
    yield* changedCall(script, call, call.arguments, script.tree.calledFunction(call));
  for (const call of script.tree.all('MethodCall')) {
    const isStringMethod = MEMBERS.string!.includes(call.method.text);
    if (isStringMethod)
      yield* changedCall(script, call, [call.object, ...call.arguments], `string.${call.method.text}`);
  }
}

const PATTERN_FUNCTIONS = ['string.find', 'string.match', 'string.gmatch', 'string.gsub'];

function* changedCall(
  script: CheckedScript,
  call: NodeOf<'Call'> | NodeOf<'MethodCall'>,
  given: readonly Expression[],
  name: string | undefined,
): Iterable<Finding> {
  if (name === undefined) return;
  const pattern = given[1] && script.tree.valueOf(given[1]);
  if (PATTERN_FUNCTIONS.includes(name) && pattern?.kind === 'String' && /(^|[^%])(%%)*%f\[/.test(pattern.text)) {
    yield script.finding(
      'lua-unavailable',
      call,
      `${name} does not support the frontier pattern %f in Lua 5.1, and reads it as the letter f`,
      {
        fix: 'match the character before and after instead',
      },
    );
  }
  if (name === 'string.rep' && given.length > 2) {
    yield script.finding(
      'lua-unavailable',
      call,
      'string.rep has no separator in Lua 5.1 and ignores the third argument',
      {
        fix: 'collect the parts in a list and use table.concat(list, separator)',
      },
    );
  }
}

/** Reports each global that the script sets, at the first place that sets it. */
export function* madeGlobals(script: CheckedScript): Iterable<Finding> {
  const first = new Map<string, NameExpression>();
  for (const { node, written } of script.tree.globals) {
    if (written && node.name !== 'obj' && !first.has(node.name)) first.set(node.name, node);
  }
  for (const [name, node] of first) {
    const isFunction = script.tree.parent(node)?.kind === 'FunctionStatement';
    const what = GLOBALS.has(name) ? `replaces ${name} of the Lua library` : `sets the global ${name}`;
    const fix = isFunction ? `write \`local function ${name}\`` : `write \`local ${name}\` before the first use`;
    yield script.finding('lua-global', node, `the script ${what}`, { fix });
  }
  // Globals set through _G, setfenv or loadstring show only at run time.
  for (const name of [...script.trial.globals].sort()) {
    if (first.has(name) || name === 'obj') continue;
    yield script.finding('lua-global', script.lastReturn(), `the script sets the global ${name} at run time`);
  }
}

/** Reports `obj = { … }`, a leftover of debugging. */
export function* overwrittenInput(script: CheckedScript): Iterable<Finding> {
  const own = script.tree.globals.filter(({ node }) => node.name === 'obj');
  for (const { node, written } of own) {
    if (!written) continue;
    const statement = script.tree.parent(node);
    const keepsInput =
      statement?.kind === 'Assign' &&
      own.some((use) => !use.written && statement.values.some((value) => contains(value, use.node)));
    if (!keepsInput)
      yield script.finding('lua-obj-overwritten', node, 'the script replaces `obj`, the input from the controller');
  }
}

function contains(outer: Expression, inner: NameExpression): boolean {
  return outer.offset <= inner.offset && inner.endOffset <= outer.endOffset;
}
