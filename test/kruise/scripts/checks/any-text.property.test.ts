import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkScript } from '../../../../src/kruise/scripts/checks';
import type { ScriptTarget } from '../../../../src/kruise/scripts/library';
import { scriptRules } from '../../../../src/kruise/scripts/rules';
import { demo, traefikService } from './check';

const options = { seed: 20251126, numRuns: 150 };
const examples = Object.values(scriptRules)
  .filter(({ id, failing }) => failing.language === 'lua' && !id.endsWith('-limit'))
  .flatMap(({ failing, corrected }) => [failing.text, corrected.text]);
const targets: readonly ScriptTarget[] = [demo, traefikService, { provider: 'ingress', classType: 'aws-alb' }];
const anyTarget = fc.constantFrom(...targets);

function wellFormed(source: string, target: ScriptTarget): void {
  const findings = checkScript({ source, target });
  const lines = source.split('\n').length;
  for (const { message, fix, because, source: place } of findings) {
    expect(message).not.toMatch(/undefined|\[object/);
    expect(fix).not.toBe('');
    expect(because).not.toBe('');
    expect(place!.line).toBeGreaterThan(0);
    expect(place!.line).toBeLessThanOrEqual(lines);
    expect(place!.column).toBeGreaterThan(0);
  }
  expect(checkScript({ source, target })).toEqual(findings);
}

const words = (
  'obj annotations matches headers weight data spec local function if then else end for in do while return nil true ' +
  'ipairs pairs json encode x y = == ~= .. . , ( ) { } [ ] "a" 1 2 # + - * / % and or not : ; \n'
).split(' ');

describe('any text', () => {
  it('is checked without an exception, with deterministic findings', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), anyTarget, wellFormed), options);
  });

  it('of words of Lua', () => {
    const source = fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((list) => list.join(' '));
    fc.assert(
      fc.property(
        source.filter((text) => !/while|for/.test(text)),
        anyTarget,
        wellFormed,
      ),
      options,
    );
  });

  it('of scripts without one of their lines', () => {
    const damaged = fc.tuple(fc.constantFrom(...examples), fc.nat()).map(([text, at]) => {
      const lines = text.split('\n');
      lines.splice(at % lines.length, 1);
      return lines.join('\n');
    });
    fc.assert(fc.property(damaged, anyTarget, wellFormed), { ...options, numRuns: 60 });
  });

  it.each([
    ['nested blocks', `${'do '.repeat(150)}return obj${' end'.repeat(150)}`],
    ['nested tables', `return ${'{'.repeat(150)}${'}'.repeat(150)}`],
    ['a long chain', `return { a = "a"${' .. "a"'.repeat(5000)} }`],
    ['far too many blocks', `${'do '.repeat(100_000)}`],
    [
      'a chain of locals',
      `${Array.from({ length: 150 }, (_, i) => `local v${i} = ${i ? `v${i - 1}` : 'obj'}`).join('\n')}\nreturn v149.annotations`,
    ],
    [
      'functions that call each other',
      'local a, b\nlocal function c() return b() end\na = function() b() end\nb = function() a() end\na()',
    ],
    ['a local function that calls itself', 'local function f() f() end\nf()'],
    ['a zero byte', 'return "\0"'],
    ['a byte order mark', '\uFEFFreturn obj.annotations'],
    ['Windows lines', 'local a = obj.annotations or {}\r\na.w = obj.weight\r\nreturn a\r\n'],
    ['half a surrogate pair', 'return "\ud800"'],
  ])('%s', (_, source) => {
    for (const target of targets) wellFormed(source, target);
  });
});
