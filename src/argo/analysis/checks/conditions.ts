/** Conditions of metrics, as far as the controller cannot compile them. */

/** What `result` is in a condition. */
export type ResultShape =
  /** A list of numbers: Prometheus, unless its query is one number. */
  | 'list'
  /** A list of series, each with a list `Values`: CloudWatch. */
  | 'series'
  | 'unknown';

/** Why the controller cannot compile a condition. */
export interface ConditionMistake {
  readonly text: string;
  readonly fix: string;
}

const COMPARES = '(?:[<>]=?|==|!=)';
const OTHER = '(?!\\s*(?:\\[|nil\\b))';
const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** What is wrong with a condition; undefined if nothing is, or if nothing is known. */
export function conditionMistake(condition: string, shape: ResultShape): ConditionMistake | undefined {
  // Texts and arguments can hold anything.
  const bare = condition.replace(/\{\{.*?\}\}/g, '0').replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/g, '""');
  return bracketMistake(bare) ?? assignment(bare) ?? shapeMistake(bare, shape);
}

function bracketMistake(bare: string): ConditionMistake | undefined {
  const open: string[] = [];
  for (const character of bare) {
    if ('([{'.includes(character)) open.push(character);
    else if (character in PAIRS && open.pop() !== PAIRS[character]) return unbalanced(character);
  }
  return open.length === 0 ? undefined : unbalanced(open.at(-1)!);
}

function unbalanced(bracket: string): ConditionMistake {
  return { text: `"${bracket}" has no partner`, fix: 'open and close brackets in pairs' };
}

function assignment(bare: string): ConditionMistake | undefined {
  if (/\blet\s/.test(bare)) return undefined;
  const found = /(?<![=!<>])=(?!=)(>?)/.exec(bare);
  if (found === null) return undefined;
  return found[1] === '>'
    ? { text: '"=>" is no operator', fix: 'write >=' }
    : { text: '"=" is no operator', fix: 'compare with ==' };
}

function shapeMistake(bare: string, shape: ResultShape): ConditionMistake | undefined {
  if (shape === 'unknown') return undefined;
  const value = shape === 'list' ? 'result[0]' : 'result[0].Values[0]';
  const fix = `compare the first value: ${value}`;
  const what = shape === 'list' ? 'a list of numbers' : 'a list of series';
  if (isCompared(bare, '\\bresult')) return { text: `"result" is ${what}, and is compared with one value`, fix };
  if (shape === 'list') return undefined;
  if (/\]\s*\.values\b/.test(bare)) return { text: '"values" is no field of a series', fix: 'write Values' };
  if (isCompared(bare, '\\bresult\\s*\\[\\s*\\d+\\s*\\]'))
    return { text: '"result[0]" is a series, and is compared with one value', fix };
  return isCompared(bare, '\\bresult\\s*\\[\\s*\\d+\\s*\\]\\s*\\.Values')
    ? { text: '"result[0].Values" is a list of numbers, and is compared with one value', fix }
    : undefined;
}

function isCompared(bare: string, operand: string): boolean {
  const left = new RegExp(`(?<![.\\w])${operand}\\s*${COMPARES}${OTHER}`);
  const right = new RegExp(`(?<!(?:\\]|nil)\\s*)${COMPARES}\\s*${operand}(?!\\w|\\s*[[.(])`);
  return left.test(bare) || right.test(bare);
}
