import { describe, expect, it } from 'vitest';
import type { Expression, Node } from '../../../src/lua/syntax';
import { children, executableLines, executedLines, parseLua, walk } from '../../../src/lua/syntax';
import { utf8Text } from '../../../src/lua/text/bytes';

/** The tree of an expression, written in full. */
function shown(expression: Expression): string {
  switch (expression.kind) {
    case 'Binary':
      return `(${shown(expression.left)} ${expression.operator} ${shown(expression.right)})`;
    case 'Unary':
      return `(${expression.operator} ${shown(expression.operand)})`;
    case 'Parenthesized':
      return `<${shown(expression.expression)}>`;
    case 'Index':
      return `${shown(expression.object)}[${shown(expression.key)}]`;
    case 'Call':
      return `${shown(expression.callee)}(${expression.arguments.map(shown).join(', ')})`;
    case 'MethodCall':
      return `${shown(expression.object)}:${expression.method.text}(${expression.arguments.map(shown).join(', ')})`;
    case 'Table':
      return `{${expression.fields.map((field) => `${field.key ? `${shown(field.key)}=` : ''}${shown(field.value)}`).join(', ')}}`;
    case 'Name':
      return expression.name;
    case 'Number':
    case 'Boolean':
      return String(expression.value);
    case 'String':
      return JSON.stringify(expression.text);
    case 'Function':
      return `function(${expression.parameters.map((parameter) => parameter.name).join(', ')}${expression.vararg ? '...' : ''})`;
    case 'Vararg':
      return '...';
    case 'Nil':
      return 'nil';
  }
}

function values(source: string): string[] {
  const [statement] = parseLua(source).chunk.body;
  if (statement?.kind !== 'Return') throw new Error('not a return statement');
  return statement.values.map(shown);
}

describe('an expression', () => {
  it.each<[string, string]>([
    ['1 + 2 * 3', '(1 + (2 * 3))'],
    ['1 - 2 - 3', '((1 - 2) - 3)'],
    ['2 ^ 3 ^ 2', '(2 ^ (3 ^ 2))'],
    ['-x ^ 2', '(- (x ^ 2))'],
    ['2 ^ -x * 4', '((2 ^ (- x)) * 4)'],
    ['not a == b', '((not a) == b)'],
    ['a .. b .. c + 1', '(a .. (b .. (c + 1)))'],
    ['a or b and c', '(a or (b and c))'],
    ['a and b or c', '((a and b) or c)'],
    ['a < b == c', '((a < b) == c)'],
    ['a or b == not c .. d', '(a or (b == ((not c) .. d)))'],
    ['- - #x', '(- (- (# x)))'],
    ['(a)', '<a>'],
    ['(a + b) * c', '(<(a + b)> * c)'],
    ['a.b["c"][1]', 'a["b"]["c"][1]'],
    ['f"x"{y}(z)', 'f("x")({y})(z)'],
    ['("x"):rep(3).y', '<"x">:rep(3)["y"]'],
    ['f\n(1)', 'f(1)'],
    ['a:b "c"', 'a:b("c")'],
    ['{1, 2; 3}', '{1, 2, 3}'],
    ['{1,,2;;}', '{1, 2}'],
    ['{a = 1, [b] = 2, c}', '{"a"=1, b=2, c}'],
    ['{a == 1}', '{(a == 1)}'],
    ['{(a)}', '{<a>}'],
    ['function(a, b, ...) end', 'function(a, b...)'],
    ['function(...) end', 'function(...)'],
    ['function() end', 'function()'],
    ['..., nil, true', '...|nil|true'],
  ])('%s', (source, tree) => {
    expect(values(`return ${source}`).join('|')).toBe(tree);
  });
});

describe('a literal', () => {
  it.each<[string, string]>([
    ['0x10, 0XfF', '16|255'],
    ['0777, 00010, 0089', '777|8|89'],
    ['5., .5, 1e2, 5e-1', '5|0.5|100|0.5'],
    ['1e309, 1e , 1.5.5', 'NaN|NaN|1.5|0.5'],
    ['9007199254740993', '9007199254740992'],
  ])('%s is %s', (source, numbers) => {
    const found = parseLua(`x = {${source.replace('1.5.5', '1.5,.5')}}`).tokens.filter(
      (token) => token.type === 'number',
    );
    expect(found.map((token) => String(token.value)).join('|')).toBe(numbers);
  });

  it.each<[string, number[]]>([
    ['"\\n\\t\\\\\\"\\a\\b\\f\\r\\v"', [10, 9, 0x5c, 0x22, 7, 8, 12, 13, 11]],
    ['"\\q\\z  "', [0x71, 0x7a, 0x20, 0x20]],
    ['"\\x41\\u{48}"', [...'x41u{48}'].map((letter) => letter.charCodeAt(0))],
    ['"\\65\\0651\\300"', [65, 65, 0x31, 44]],
    ['"a\\\nb"', [0x61, 10, 0x62]],
    ['"a\\\r\nb"', [0x61, 10, 0x62]],
    ["'é'", [0xc3, 0xa9]],
    ['[[\nline]]', [...'line'].map((letter) => letter.charCodeAt(0))],
    ['[[\r\na\r\nb\rc\n\rd]]', [0x61, 10, 0x62, 10, 0x63, 10, 0x64]],
    ['[==[a]]b]=]c]==]', [...'a]]b]=]c'].map((letter) => letter.charCodeAt(0))],
    ['[[a]=b]]', [...'a]=b'].map((letter) => letter.charCodeAt(0))],
  ])('%j', (source, bytes) => {
    const token = parseLua(`return ${source}`).tokens.find((found) => found.type === 'string');
    expect(token?.type === 'string' && [...token.value]).toEqual(bytes);
  });
});

describe('a statement', () => {
  it.each<[string, string[]]>([
    ['local x local y, z = 1', ['Local', 'Local']],
    ['x = 1; y.z, w[1] = 2, 3;; f()', ['Assign', 'Assign', 'CallStatement']],
    ['(f())', ['CallStatement']],
    ['((f)())', ['CallStatement']],
    [';;return', ['Return']],
    ['return;', ['Return']],
    ['do end while x do end repeat until x', ['Do', 'While', 'Repeat']],
    ['if x then elseif y then else end', ['If']],
    [
      'for i = 1, 2 do end for i = 1, 2, 3 do end for k, v in pairs(t) do end',
      ['NumericFor', 'NumericFor', 'GenericFor'],
    ],
    [
      'local function f() end function g() end function a.b.c:d() end',
      ['LocalFunction', 'FunctionStatement', 'FunctionStatement'],
    ],
    ['local goto = 5 goto = 6', ['Local', 'Assign']],
    ['f\n(g or h)()', ['CallStatement']],
    ['-- only a comment', []],
    ['', []],
  ])('%s', (source, kinds) => {
    expect(parseLua(source).chunk.body.map((statement) => statement.kind)).toEqual(kinds);
  });

  it('keeps the parts of an if apart', () => {
    const [statement] = parseLua('if a then x() elseif b then y() else z() end').chunk.body;
    expect(statement).toMatchObject({
      kind: 'If',
      clauses: [{ condition: { name: 'a' } }, { condition: { name: 'b' } }],
      otherwise: [{ kind: 'CallStatement' }],
    });
  });

  it('distinguishes a method from a function', () => {
    const [method, plain] = parseLua('function a.b:c(d) end function a.b.c() end').chunk.body;
    expect(method).toMatchObject({
      target: { key: { text: 'b' } },
      method: { text: 'c' },
      function: { parameters: [{ name: 'd' }] },
    });
    expect(plain).toMatchObject({ target: { key: { text: 'c' } } });
    expect(plain).not.toHaveProperty('method');
  });
});

describe('every node', () => {
  const source = [
    'local a = {x = 1, [f(2)] = "é"} -- comment',
    'function t.a:b(c, ...)',
    '  if not c then return ..., -c elseif (c) then c.d["e"]:g{1} end',
    '  for i = 1, #a, 2 do local x <y end',
  ]
    .join('\n')
    .replace('<y', '= i .. ""')
    .concat('\n  for k, v in pairs(a) do while v do break end end\n  repeat local function h() end until nil\nend');

  it('starts and ends where its text does', () => {
    const { chunk } = parseLua(source);
    const bytes = new TextEncoder().encode(source);
    const lines = source.split('\n').map((line) => new TextEncoder().encode(line));
    walk(chunk, {
      enter(node, parent) {
        const before = utf8Text(bytes.subarray(0, node.offset)).split('\n');
        expect(node.line).toBe(before.length);
        expect(node.column).toBe(new TextEncoder().encode(before.at(-1)).length + 1);
        expect(node.column).toBeLessThanOrEqual((lines[node.line - 1]?.length ?? 0) + 1);
        expect(node.endOffset).toBeGreaterThanOrEqual(node.offset);
        expect(node.endLine).toBeGreaterThanOrEqual(node.line);
        if (parent) {
          expect(node.offset).toBeGreaterThanOrEqual(parent.offset);
          expect(node.endOffset).toBeLessThanOrEqual(parent.endOffset);
        }
        if (node.kind === 'Name') expect(utf8Text(bytes.subarray(node.offset, node.endOffset))).toBe(node.name);
      },
    });
  });

  it('is walked once, in the order of the source', () => {
    const entered: Node[] = [];
    const left: Node[] = [];
    walk(parseLua(source).chunk, {
      enter(node) {
        entered.push(node);
      },
      leave(node) {
        left.push(node);
      },
    });
    expect(new Set(entered).size).toBe(entered.length);
    expect(new Set(left)).toEqual(new Set(entered));
    expect(new Set(entered.map((node) => node.kind)).size).toBeGreaterThan(20);
    const offsets = entered.map((node) => node.offset);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    expect(entered.every((node) => children(node).every((child) => entered.includes(child)))).toBe(true);
  });

  it('can be skipped together with its children', () => {
    const names: string[] = [];
    walk(parseLua('x = function() y = z end').chunk, {
      enter(node) {
        if (node.kind === 'Name') names.push(node.name);
        return node.kind === 'Function' ? false : undefined;
      },
    });
    expect(names).toEqual(['x']);
  });
});

describe('tokens', () => {
  it('cover the source in order', () => {
    const { tokens } = parseLua('local x = "a" .. 1.5 -- end\nreturn x');
    expect(tokens.map((token) => token.type)).toEqual([
      'local',
      'name',
      '=',
      'string',
      '..',
      'number',
      'return',
      'name',
      'eof',
    ]);
    expect(tokens[1]).toMatchObject({
      value: 'x',
      line: 1,
      column: 7,
      offset: 6,
      endOffset: 7,
      endLine: 1,
      endColumn: 7,
    });
    expect(tokens[6]).toMatchObject({ line: 2, column: 1 });
  });
});

describe('lines', () => {
  const source = [
    'local obj = {', // 1
    '  a = 1,', // 2
    '}', // 3
    'local x', // 4
    'local function f(v)', // 5
    '  if v then', // 6
    '    return 1', // 7
    '  elseif x', // 8
    '    and v then', // 9
    '    while true do', // 10
    '      break', // 11
    '    end', // 12
    '  else', // 13
    '    x = function()', // 14
    '      f()', // 15
    '    end', // 16
    '  end', // 17
    'end', // 18
    'repeat', // 19
    '  f()', // 20
    'until x', // 21
    'for i = 1, 2 do f() end', // 22
    'return obj', // 23
  ].join('\n');

  it('that are executable', () => {
    expect(executableLines(parseLua(source).chunk)).toEqual([1, 5, 6, 7, 8, 14, 15, 20, 21, 22, 23]);
  });

  it('that a run has reached are those where statements start', () => {
    const { chunk } = parseLua(source);
    // A VM makes a function at its `end`, and stores into a table on the line of the field.
    expect(executedLines(chunk, new Set([2, 18, 9, 16, 23]))).toEqual([1, 5, 8, 14, 23]);
    expect(executedLines(chunk, new Set())).toEqual([]);
  });
});
