import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runLua } from '../../../src/lua';

/** What Go's `math` answers, which is behind the controller's math library. `main.go` writes it. */
interface Answers {
  readonly arguments: readonly string[];
  readonly unary: Readonly<Record<string, readonly string[]>>;
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** A row for each first argument, a column for each second. */
  readonly binary: Readonly<Record<string, readonly (readonly string[])[]>>;
}

const answers: Answers = JSON.parse(readFileSync(join(__dirname, 'answers.json'), 'utf8'));

/** Go computes `exp` in assembly, with another last digit on each kind of processor; these build on it. */
const LAST_DIGIT_VARIES = ['cosh', 'exp', 'pow', 'sinh'];

const SCRIPTS_NAME: Readonly<Record<string, string>> = { '+Inf': '1/0', '-Inf': '-1/0', NaN: '0/0' };

function called(name: string, calls: readonly (readonly string[])[]): string[] {
  const list = calls.map(
    (given) => `tostring(math.${name}(${given.map((one) => SCRIPTS_NAME[one] ?? one).join(', ')}))`,
  );
  const result = runLua(`return {${list.join(', ')}}`, {});
  return result.ok ? JSON.parse(result.json) : [result.error];
}

function expectSame(name: string, found: readonly string[], wanted: readonly string[]): void {
  const shown = (text: string) => {
    const number = Number(text);
    return LAST_DIGIT_VARIES.includes(name) && Number.isFinite(number) ? number.toPrecision(14) : text;
  };
  expect(found.map(shown)).toEqual(wanted.map(shown));
}

describe('the math library computes as Go does', () => {
  test.each(Object.keys(answers.unary))('%s', (name) => {
    expectSame(
      name,
      called(
        name,
        answers.arguments.map((one) => [one]),
      ),
      answers.unary[name]!,
    );
  });

  test.each(Object.keys(answers.binary))('%s', (name) => {
    for (const [row, one] of answers.first.entries()) {
      expectSame(
        name,
        called(
          name,
          answers.second.map((other) => [one, other]),
        ),
        answers.binary[name]![row]!,
      );
    }
  });
});

describe('numbers in parts', () => {
  test.each([
    ['math.frexp(8)', '[0.5,4]'],
    ['math.frexp(-0.3)', '[-0.6,-1]'],
    ['math.frexp(0)', '[0,0]'],
    ['math.frexp(5e-324)', '[0.5,-1073]'],
    ['math.ldexp(0.75, 3)', '[6]'],
    ['math.ldexp(1, -1074)', '[5e-324]'],
    ['math.ldexp(1, -1075)', '[0]'],
    ['math.ldexp(5e-324, 2000)', '[5.67251933470834e+278]'],
    ['math.modf(-3.25)', '[-3,-0.25]'],
    ['math.modf(5)', '[5,0]'],
    ['math.mod(7, -3)', '[-2]'],
    ['math.max(1, 5, 3), math.min(4, 2, 8)', '[5,2]'],
    ['math.deg(math.pi), math.rad(180) == math.pi', '[180,true]'],
  ])('%s', (call, json) => {
    const result = runLua(`return {${call}}`, {});
    expect(result.ok ? result.json : result.error).toBe(json);
  });
});
