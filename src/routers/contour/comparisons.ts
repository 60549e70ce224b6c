/** How conditions on headers and query parameters compare values. */
import { type Json, ownValue } from '../../core';
import { compileRegex } from '../../core/regex';
import { nameOf } from '../values';

/** A comparison of a condition. */
export interface Comparison {
  readonly words: string;
  readonly test: (value: string) => boolean;
  readonly negated: boolean;
  /** The header must not be there. */
  readonly isAbsence?: boolean;
  /** The case of letters does not matter. */
  readonly ignoreCase?: boolean;
  /** Its type, its value, and what is not negated before what is. */
  readonly rank: readonly [type: number, value: string, negated: number];
}

/** The types of comparisons, in the order of their precedence. */
const TYPE_ORDER: readonly string[] = ['exact', 'regex', 'prefix', 'suffix', 'contains', 'present'];

/** Of several comparisons in a condition on a header, Contour takes the first of these. */
const OF_HEADERS = ['present', 'notpresent', 'contains', 'notcontains', 'exact', 'notexact', 'regex'] as const;
const OF_PARAMETERS = ['exact', 'prefix', 'suffix', 'regex', 'contains', 'present'] as const;

type Field = (typeof OF_HEADERS)[number] | (typeof OF_PARAMETERS)[number];

/** The comparison of a condition on a header; none if it has none. */
export function comparisonOfHeader(condition: Json): readonly Comparison[] {
  return OF_HEADERS.flatMap((field) => comparison(condition, field) ?? []).slice(0, 1);
}

/** The comparisons of a condition on a query parameter; Contour takes one, and refuses more. */
export function comparisonsOfParameter(condition: Json): readonly Comparison[] {
  return OF_PARAMETERS.flatMap((field) => comparison(condition, field) ?? []);
}

function comparison(condition: Json, field: Field): Comparison | undefined {
  const negated = field.startsWith('not');
  const type = field.replace('not', '');
  const typeRank = TYPE_ORDER.indexOf(type);
  if (type === 'present') {
    if (ownValue(condition, field) !== true) return undefined;
    const words = negated ? 'is not there' : 'is there';
    return { words, test: () => true, negated, isAbsence: negated, rank: [typeRank, '', Number(negated)] };
  }
  const wanted = nameOf(ownValue(condition, field));
  if (wanted === undefined) return undefined;
  if (type === 'regex') {
    const test = compileRegex(wanted, { whole: true });
    const rank = [typeRank, wanted, 0] as const;
    return { words: `matches ${wanted}`, test: (value) => test?.(value) ?? false, negated, rank };
  }
  const ignoreCase = ownValue(condition, 'ignoreCase') === true;
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const { words, test } = TESTS[field as keyof typeof TESTS];
  return {
    words: `${words} "${wanted}"`,
    test: (value) => test(fold(value), fold(wanted)),
    negated,
    ignoreCase,
    rank: [typeRank, wanted, Number(negated)],
  };
}

const isEqual = (value: string, wanted: string) => value === wanted;
const contains = (value: string, wanted: string) => value.includes(wanted);

const TESTS = {
  exact: { words: 'is', test: isEqual },
  notexact: { words: 'is not', test: isEqual },
  contains: { words: 'contains', test: contains },
  notcontains: { words: 'does not contain', test: contains },
  prefix: { words: 'begins with', test: (value: string, wanted: string) => value.startsWith(wanted) },
  suffix: { words: 'ends with', test: (value: string, wanted: string) => value.endsWith(wanted) },
} as const;
