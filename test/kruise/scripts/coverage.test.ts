import { describe, expect, it } from 'vitest';
import { CoverageRecorder, coverageOf } from '../../../src/kruise/scripts/coverage';
import { type LuaData, runLua } from '../../../src/lua';

function covered(source: string, ...objs: LuaData[]) {
  const recorder = new CoverageRecorder();
  for (const obj of objs) runLua(source, obj, { onLine: recorder.onLine });
  return recorder.coverage(source)!;
}

const BRANCHES = `local a = obj.a
-- a comment
if a == 1 then
  a = "one"
elseif a == 2 then

  a = "two"
else
  a = "many"
end
for _, x in ipairs({}) do
  a = x
end
return {
  a = a,
}
`;

describe('coverage', () => {
  it('counts executable lines', () => {
    expect(covered(BRANCHES, { a: 1 })).toEqual({
      lines: 9,
      covered: 5,
      uncovered: [
        { first: 5, last: 9, text: ['elseif a == 2 then', '', '  a = "two"', 'else', '  a = "many"'] },
        { first: 12, last: 12, text: ['  a = x'] },
      ],
    });
  });

  it('adds up over runs', () => {
    const { covered: count, uncovered } = covered(BRANCHES, { a: 1 }, { a: 2 }, { a: 3 });
    expect(count).toBe(8);
    expect(uncovered.map(({ first }) => first)).toEqual([12]);
  });

  it('distinguishes defining a function from calling it', () => {
    const source = 'local function f()\n  return 1\nend\nreturn { a = obj and f() }\n';
    expect(covered(source, false).uncovered).toEqual([{ first: 2, last: 2, text: ['  return 1'] }]);
    expect(covered(source, true).uncovered).toEqual([]);
  });

  it('counts the lines that ran before an error', () => {
    const { covered: count, lines } = covered('local a = 1\nerror("x")\nlocal b = 2\nreturn {}\n', null);
    expect([count, lines]).toEqual([2, 4]);
  });

  it('covers an empty script, and has no result for one that does not parse', () => {
    expect(coverageOf('-- nothing\n', new Set())).toEqual({ lines: 0, covered: 0, uncovered: [] });
    expect(coverageOf('return }', new Set())).toBeUndefined();
  });
});
