/** What a name refers to, and what an expression reads, through the locals of a script. */
import { describe, expect, it } from 'vitest';
import { type Binding, ScriptTree } from '../../../../src/kruise/scripts/checks/tree';
import { type Expression, type NameExpression, type Node, parseLua } from '../../../../src/lua/syntax';

const treeOf = (source: string) => new ScriptTree(parseLua(source));
const textOf = (source: string, node: Node | undefined) => node && source.slice(node.offset, node.endOffset);

/** The last value of the last statement, which is a return. */
function lastOf(tree: ScriptTree): Expression {
  const last = tree.chunk.body.at(-1);
  if (last?.kind !== 'Return') throw new Error('no return');
  return last.values.at(-1)!;
}

/** Every name of a script in order: a global alone, a local with the number of its declaration. */
function names(source: string): string {
  const tree = treeOf(source);
  const known: Binding[] = [];
  return tree
    .all('Name')
    .map((node) => {
      const binding = tree.binding(node);
      if (binding === undefined) return node.name;
      expect(binding.name).toBe(node.name);
      if (!known.includes(binding)) known.push(binding);
      return `${node.name}${known.indexOf(binding) + 1}`;
    })
    .join(' ');
}

describe('a name', () => {
  it.each<[source: string, resolved: string]>([
    ['local x = x', 'x1 x'],
    ['local x = x local y = x', 'x1 x y2 x1'],
    ['local x, y = y, x return x, y', 'x1 y2 y x x1 y2'],
    ['local x = 1 local x = x return x', 'x1 x2 x1 x2'],
    ['local f = function() return f end return f', 'f1 f f1'],
    ['local function f() return f end return f', 'f1 f1 f1'],
    ['function f() return f end return f', 'f f f'],
    ['do local x = 1 x = 2 end return x', 'x1 x1 x'],
    ['local x do local x = 1 end return x', 'x1 x2 x1'],
    ['do local x end local y return x, y', 'x1 y2 x y2'],
    ['while x do local x = 1 end return x', 'x x1 x'],
    ['repeat local x = 1 until x return x', 'x1 x1 x'],
    ['if x then local x = 1 elseif x then local x = 2 else local x = 3 end return x', 'x x1 x x2 x3 x'],
    ['if a then local x else return x end', 'a x1 x'],
    ['if a then else local x end return x', 'a x1 x'],
    ['if a then local x elseif x then return x end', 'a x1 x x'],
    ['for i = i, i do i = 1 end return i', 'i1 i i i1 i'],
    ['for i = i, i, i do return i end', 'i1 i i i i1'],
    ['for i = 1, 2 do local i = i end', 'i1 i2 i1'],
    ['for k, v in k, v do return k, v end return k, v', 'k1 v2 k v k1 v2 k v'],
    ['for k in pairs(k) do end return k', 'k1 pairs k k'],
    ['for _, x in ipairs(function() return x end) do return x end', '_1 x2 ipairs x x2'],
    ['local function f(a, b) return a, b, c end return a', 'f1 a2 b3 a2 b3 c a'],
    ['local f = function(a) return a end return a', 'f1 a2 a2 a'],
    ['local a local function f(a) a = 1 end return a', 'a1 f2 a3 a3 a1'],
    ['local a local function f() a = 1 end return a', 'a1 f2 a1 a1'],
    ['local t = {} function t:m(a) return self, a end return self', 't1 t1 a2 self3 a2 self'],
    ['local t = {} function t.m(a) return self, a end', 't1 t1 a2 self a2'],
    ['local t = {} function t:m() return function() return self end end', 't1 t1 self2'],
    ['local t = {} function t:m() local self = self return self end', 't1 t1 self2 self3 self2'],
    ['local t = {} function t:m(self) return self end', 't1 t1 self2 self2'],
  ])('of %j is resolved as %j', (source, resolved) => {
    // Declarations are numbered in the order of the source, not in that of their uses.
    const numbers = new Map<string, number>();
    const renumbered = names(source).replace(/\d+/g, (number) => {
      if (!numbers.has(number)) numbers.set(number, numbers.size + 1);
      return String(numbers.get(number));
    });
    expect(renumbered).toBe(resolved);
  });

  it.each<[source: string, globals: readonly string[]]>([
    ['a = b', ['a set', 'b']],
    ['a, b = b, a', ['a set', 'b set', 'b', 'a']],
    ['a.b = c', ['a', 'c']],
    ['a[b] = 1', ['a', 'b']],
    ['function f() end', ['f set']],
    ['function t.f() end', ['t']],
    ['function t:f() end', ['t']],
    ['function t.a:f() end', ['t']],
    ['a = a', ['a set', 'a']],
    ['local a a = b', ['b']],
    ['local function f() g = 1 end f()', ['g set']],
    ['return x, (x), x.y, x(), x:y(), { x, y = x, [x] = 1 }, -x', Array(9).fill('x')],
  ])('of %j is a global: %j', (source, globals) => {
    expect(treeOf(source).globals.map(({ node, written }) => `${node.name}${written ? ' set' : ''}`)).toEqual(globals);
  });

  it('has the nodes of its globals in the order of the source', () => {
    const source = 'a = b\nlocal c = d\nif e then f() end';
    const places = treeOf(source).globals.map(({ node }) => `${node.name} ${node.line}:${node.column}`);
    expect(places).toEqual(['a 1:1', 'b 1:5', 'd 2:11', 'e 3:4', 'f 3:11']);
  });

  it('is a certain global only if no local has the name', () => {
    const tree = treeOf('local function f(x) return x end return error, assert, x');
    const [inner, error, assert, x] = tree.all('Return').flatMap(({ values }) => values);
    expect(tree.isGlobal(error!, 'error')).toBe(true);
    expect(tree.isGlobal(error!, 'assert')).toBe(false);
    expect(tree.isGlobal(assert!, 'assert')).toBe(true);
    expect(tree.isGlobal(x!, 'x')).toBe(true);
    expect(tree.isGlobal(inner!, 'x')).toBe(false);
    expect(tree.isGlobal(lastOf(treeOf('return "error"')), 'error')).toBe(false);
    expect(tree.isGlobal(lastOf(treeOf('return a.error')), 'error')).toBe(false);
  });
});

describe('a local variable', () => {
  const declared = (source: string) => {
    const tree = treeOf(source);
    const bindings = new Set(tree.all('Name').flatMap((node) => tree.binding(node) ?? []));
    return [...bindings].map(({ name, value, sharesValue, elementOf, assigned, uses }) => ({
      name,
      value: textOf(source, value),
      sharesValue,
      elementOf: textOf(source, elementOf),
      assigned,
      uses: uses.map(({ column }) => column),
    }));
  };
  const local = (name: string, more: object = {}) => ({
    name,
    value: undefined,
    sharesValue: false,
    elementOf: undefined,
    assigned: false,
    uses: [],
    ...more,
  });

  it.each<[source: string, bindings: readonly object[]]>([
    ['local a', [local('a')]],
    ['local a = 1', [local('a', { value: '1' })]],
    ['local a, b = 1, "x"', [local('a', { value: '1' }), local('b', { value: '"x"' })]],
    ['local a, b = 1', [local('a', { value: '1' }), local('b')]],
    ['local a = 1, 2', [local('a', { value: '1' })]],
    ['local a = f()', [local('a', { value: 'f()' })]],
    ['local a = f(), 2', [local('a', { value: 'f()' })]],
    ['local a, b = f()', [local('a', { value: 'f()', sharesValue: true }), local('b')]],
    ['local a, b = f(), g()', [local('a', { value: 'f()' }), local('b', { value: 'g()' })]],
    [
      'local a, b, c = f(), g()',
      [local('a', { value: 'f()' }), local('b', { value: 'g()', sharesValue: true }), local('c')],
    ],
    ['local a, b = t:m()', [local('a', { value: 't:m()', sharesValue: true }), local('b')]],
    ['local a, b = ...', [local('a', { value: '...', sharesValue: true }), local('b')]],
    ['local a, b = (f())', [local('a', { value: '(f())' }), local('b')]],
    ['local a, b = {}', [local('a', { value: '{}' }), local('b')]],
    ['local a = 1 a = 2', [local('a', { value: '1', assigned: true })]],
    ['local a a, b = 2', [local('a', { assigned: true })]],
    ['local a = {} a.b = 1', [local('a', { value: '{}', uses: [14] })]],
    ['local a = {} a[a] = a', [local('a', { value: '{}', uses: [14, 16, 21] })]],
    ['local a = {} function a.f() end', [local('a', { value: '{}', uses: [23] })]],
    ['local a = {} function a:f() end', [local('a', { value: '{}', uses: [23] })]],
    ['local a function a() end', [local('a', { assigned: true })]],
    ['local function f() end', [local('f', { value: '() end' })]],
    ['local function f(a) return a end', [local('f', { value: '(a) return a end' }), local('a', { uses: [28] })]],
    ['for i = 1, 2 do f(i) end', [local('i', { uses: [19] })]],
    ['for i = 1, 2 do i = 3 end', [local('i', { assigned: true })]],
    ['for i, x in ipairs(t) do end', [local('i'), local('x', { elementOf: 't' })]],
    ['for i, x, y in ipairs(t) do end', [local('i'), local('x', { elementOf: 't' }), local('y')]],
    ['for i, x in ipairs(t or {}) do end', [local('i'), local('x', { elementOf: 't or {}' })]],
    ['for i, x in ipairs() do end', [local('i'), local('x')]],
    ['for k, v in pairs(t) do end', [local('k'), local('v')]],
    ['for k, v in next, t do end', [local('k'), local('v')]],
    ['for k, v in a.ipairs(t) do end', [local('k'), local('v')]],
    ['for k, v in other(t) do end', [local('k'), local('v')]],
    ['for k, v in t do end', [local('k'), local('v')]],
    ['for i in ipairs(t) do end', [local('i')]],
    [
      'for i, x in ipairs(t), 1 do x = i end',
      [local('i', { uses: [33] }), local('x', { elementOf: 't', assigned: true })],
    ],
  ])('of %j is %j', (source, bindings) => {
    expect(declared(source)).toEqual(bindings);
  });
});

describe('the path of an expression', () => {
  const pathOf = (source: string) => {
    const tree = treeOf(source);
    const path = tree.pathOf(lastOf(tree));
    expect(tree.pathOf(lastOf(tree))).toBe(path);
    return path;
  };

  it.each<[source: string, path: string | undefined]>([
    ['return obj', 'obj'],
    ['return obj.weight', 'obj.weight'],
    ['return obj["weight"]', 'obj.weight'],
    ['return (obj).data.spec', 'obj.data.spec'],
    ['return ((obj.data)).spec', 'obj.data.spec'],
    ['return obj.matches or {}', 'obj.matches'],
    ['return {} or obj.matches', undefined],
    ['return obj.matches and obj.weight', undefined],
    ['return obj.weight .. ""', undefined],
    ['return obj.matches[1]', 'obj.matches[]'],
    ['return (obj.matches or {})[1].headers', 'obj.matches[].headers'],
    ['return obj.matches[1].headers[2].name', 'obj.matches[].headers[].name'],
    ['return obj.matches[#obj.matches]', 'obj.matches[]'],
    ['return obj.matches[-1]', 'obj.matches[]'],
    ['return obj.matches[1 + 1]', 'obj.matches[]'],
    ['return obj.matches[tonumber("1")]', 'obj.matches[]'],
    ['return obj.matches[i]', undefined],
    ['return obj.matches[not 1]', undefined],
    ['return obj.matches["1" .. "2"]', undefined],
    ['return obj[obj.weight]', undefined],
    ['return obj[true]', undefined],
    ['return ({}).a', undefined],
    ['return f().a', undefined],
    ['return obj:weight()', undefined],
    ['return #obj', undefined],
    ['return 1', undefined],
    ['return nil', undefined],
    ['local o = obj return o.weight', 'obj.weight'],
    ['local o = obj local d = o.data return d.spec', 'obj.data.spec'],
    ['local o = (obj) return o.weight', 'obj.weight'],
    ['local o = obj or {} return o.weight', 'obj.weight'],
    ['local n = 1 return obj.matches[n]', 'obj.matches[]'],
    ['local k = "weight" return obj[k]', undefined],
    ['local o return o.weight', undefined],
    ['local o = obj o = {} return o.weight', undefined],
    ['local o = obj return o.weight, o', 'obj'],
    ['local a, b = obj.data return a', 'obj.data'],
    ['local a, b = obj.data return b', undefined],
    ['local a, b = obj.data, obj.matches return b', 'obj.matches'],
    ['local a = f() return a', undefined],
    ['local encode = json.encode return encode', 'json.encode'],
    ['local function f() end return f', undefined],
    ['local function f(a) return a end return f', undefined],
    ['local json = {} return json.encode', undefined],
  ])('of %j is %j', (source, path) => {
    expect(pathOf(source)).toBe(path);
  });

  it.each<[loop: string, path: string | undefined]>([
    ['for _, m in ipairs(obj.matches) do local r = m end', 'obj.matches[]'],
    ['for _, m in ipairs(obj.matches or {}) do local r = m.headers end', 'obj.matches[].headers'],
    [
      'for _, m in ipairs(obj.matches) do for _, h in ipairs(m.headers) do local r = h.name end end',
      'obj.matches[].headers[].name',
    ],
    ['for i, m in ipairs(obj.matches) do local r = obj.matches[i] end', undefined],
    ['for i, m in ipairs(obj.matches) do local r = i end', undefined],
    ['for _, m in pairs(obj.matches) do local r = m end', undefined],
    ['for _, m in ipairs(f()) do local r = m end', undefined],
    ['for _, m in ipairs() do local r = m end', undefined],
    ['for _, m in ipairs(obj.matches) do m = {} local r = m end', undefined],
    ['for i = 1, 2 do local r = i end', undefined],
  ])('in the loop %j is %j', (loop, path) => {
    const tree = treeOf(loop);
    const [value] = tree.all('Local').at(-1)!.values;
    expect(tree.pathOf(value!)).toBe(path);
  });

  it.each<[source: string, called: string | undefined]>([
    ['return json.encode(a)', 'json.encode'],
    ['return error("a")', 'error'],
    ['local encode = json.encode return encode(a)', 'json.encode'],
    ['local encode = json["encode"] return (encode)(a)', 'json.encode'],
    ['local function encode() end return encode(a)', undefined],
    ['return f()()', undefined],
  ])('of the function of a call in %j is %j', (source, called) => {
    const tree = treeOf(source);
    const call = lastOf(tree);
    expect(call.kind === 'Call' && tree.calledFunction(call)).toBe(called);
  });
});

describe('the value of an expression', () => {
  const valueIn = (source: string) => {
    const tree = treeOf(source);
    return textOf(source, tree.valueOf(lastOf(tree)));
  };

  it.each<[source: string, value: string]>([
    ['return 1', '1'],
    ['return ((1))', '1'],
    ['return obj', 'obj'],
    ['return obj.weight', 'obj.weight'],
    ['return -1', '-1'],
    ['local a = 1 return a', '1'],
    ['local a = (1) local b = (a) return (b)', '1'],
    ['local a = obj.weight return a', 'obj.weight'],
    ['local a return a', 'a'],
    ['local a = 1 a = 2 return a', 'a'],
    ['local a, b = f() return a', 'a'],
    ['local a, b = f() return b', 'b'],
    ['local a = f() return a', 'f()'],
    ['local a, b = 1, "x" return b', '"x"'],
    ['local a = 1 local b = a a = 2 return b', 'a'],
    ['local function f() end return f', '() end'],
    ['for i = 1, 2 do end return i', 'i'],
  ])('in %j is %j', (source, value) => {
    expect(valueIn(source)).toBe(value);
  });
});

describe('the type of an expression', () => {
  it.each<[expression: string, type: string | undefined]>([
    ['1', 'number'],
    ['"a"', 'string'],
    ['("a")', 'string'],
    ['-x', 'number'],
    ['#x', 'number'],
    ['not x', undefined],
    ['x .. y', 'string'],
    ['x + y', 'number'],
    ['x - y', 'number'],
    ['x * y', 'number'],
    ['x / y', 'number'],
    ['x % y', 'number'],
    ['x ^ y', 'number'],
    ['x == y', undefined],
    ['x < y', undefined],
    ['x and y', undefined],
    ['x or y', undefined],
    ['1 or 2', undefined],
    ['tonumber(x)', 'number'],
    ['tostring(x)', 'string'],
    ['string.format("a")', 'string'],
    ['string.len("a")', undefined],
    ['math.floor(1)', 'number'],
    ['math["max"](1)', 'number'],
    ['mathematics.floor(1)', undefined],
    ['math()', undefined],
    ['a.math.floor(1)', undefined],
    ['f(1)', undefined],
    ['f()(1)', undefined],
    ['x:tonumber()', undefined],
    ['x', undefined],
    ['nil', undefined],
    ['true', undefined],
    ['{}', undefined],
  ])('of %j is %j', (expression, type) => {
    const inline = treeOf(`return ${expression}`);
    expect(inline.typeOf(lastOf(inline))).toBe(type);
    const stored = treeOf(`local a = ${expression} return a`);
    expect(stored.typeOf(lastOf(stored))).toBe(type);
    const changed = treeOf(`local a = ${expression} a = 1 return a`);
    expect(changed.typeOf(lastOf(changed))).toBeUndefined();
  });

  it('is that of a library function through a local', () => {
    const tree = treeOf('local number = tonumber return number("1")');
    expect(tree.typeOf(lastOf(tree))).toBe('number');
    const other = treeOf('local function tonumber() end return tonumber("1")');
    expect(other.typeOf(lastOf(other))).toBeUndefined();
  });
});

describe('a chain of locals', () => {
  /** `v0 = <value>`, `v1 = v0`, and so on. */
  const chain = (value: string, count: number, result: string) =>
    treeOf(
      [...Array.from({ length: count }, (_, at) => `local v${at} = ${at ? `v${at - 1}` : value}`), result].join('\n'),
    );
  const last = (count: number) => `v${count - 1}`;

  it('is followed up to 32 steps to a path', () => {
    const path = (count: number) => {
      const tree = chain('obj', count, `return ${last(count)}`);
      return tree.pathOf(lastOf(tree));
    };
    expect([path(31), path(32), path(33), path(40)]).toEqual(['obj', 'obj', undefined, undefined]);
  });

  it('is followed up to 32 steps to the path of a field, of which one is the field', () => {
    const path = (count: number, field: string) => {
      const tree = chain('obj', count, `return ${last(count)}${field}`);
      return tree.pathOf(lastOf(tree));
    };
    expect([path(31, '.weight'), path(32, '.weight')]).toEqual(['obj.weight', undefined]);
    expect([path(30, '.a.b'), path(31, '.a.b')]).toEqual(['obj.a.b', undefined]);
    expect([path(31, '[1]'), path(32, '[1]')]).toEqual(['obj[]', undefined]);
  });

  it('is followed up to 32 steps with parentheses and defaults on the way', () => {
    const path = (count: number, result: string) => {
      const tree = chain('obj', count, `return ${result}`);
      return tree.pathOf(lastOf(tree));
    };
    expect([path(31, '(v30)'), path(32, '(v31)')]).toEqual(['obj', undefined]);
    expect([path(31, 'v30 or {}'), path(32, 'v31 or {}')]).toEqual(['obj', undefined]);
  });

  it('is followed up to 32 steps through a loop', () => {
    const path = (count: number) => {
      const tree = chain('obj', count, `for _, x in ipairs(${last(count)}) do local r = x end`);
      return tree.pathOf(tree.all('Local').at(-1)!.values[0]!);
    };
    expect([path(31), path(32)]).toEqual(['obj[]', undefined]);
  });

  it('is followed up to 33 locals to a value', () => {
    const value = (count: number) => {
      const tree = chain('1', count, `return ${last(count)}`);
      const found = tree.valueOf(lastOf(tree));
      return found.kind === 'Name' ? found.name : found.kind;
    };
    expect([value(32), value(33), value(34), value(40)]).toEqual(['Number', 'Number', 'v0', 'v6']);
  });
});

describe('the tree of a script', () => {
  const source = 'local a = { x = f(1) }\nif a then\n  return a.x\nend';
  const tree = treeOf(source);

  it('has its chunk and tokens', () => {
    const parsed = parseLua(source);
    expect(tree.chunk).toEqual(parsed.chunk);
    expect(tree.tokens).toEqual(parsed.tokens);
  });

  it('has all nodes of a kind in the order of the source', () => {
    expect(tree.all('Name').map(({ name, line }) => `${name} ${line}`)).toEqual(['a 1', 'f 1', 'a 2', 'a 3']);
    expect(tree.all('Table')).toHaveLength(1);
    expect(tree.all('Chunk')).toEqual([tree.chunk]);
    expect(tree.all('While')).toEqual([]);
  });

  it('leads from a node to the ones around it', () => {
    const number = tree.all('Number')[0]!;
    expect(tree.parent(number)).toBe(tree.all('Call')[0]);
    expect(tree.parent(tree.chunk)).toBeUndefined();
    expect([...tree.around(number)].map(({ kind }) => kind)).toEqual([
      'Number',
      'Call',
      'Field',
      'Table',
      'Local',
      'Chunk',
    ]);
    expect([...tree.around(tree.chunk)]).toEqual([tree.chunk]);
  });

  it('has no declaration for a name of another tree', () => {
    const other = treeOf(source).all('Name')[0] as NameExpression;
    expect(tree.binding(other)).toBeUndefined();
    expect(tree.parent(other)).toBeUndefined();
  });
});
