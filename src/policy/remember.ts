import { isDeepStrictEqual } from 'node:util';

/** Memoizes the last call of a function. */
export function lastOf<Question, Answer>(answer: (question: Question) => Answer): (question: Question) => Answer {
  let last: { readonly question: Question; readonly answer: Answer } | undefined;
  return (question) => {
    if (last === undefined || !isDeepStrictEqual(last.question, question)) {
      last = { question, answer: answer(question) };
    }
    return last.answer;
  };
}

/** Memoizes the last call for each key: Pulumi asks about several resources at a time. */
export function lastOfEach<Question, Answer>(
  keyOf: (question: Question) => string,
  answer: (question: Question) => Answer,
): (question: Question) => Answer {
  const each = new Map<string, (question: Question) => Answer>();
  return (question) => {
    const key = keyOf(question);
    const known = each.get(key) ?? lastOf(answer);
    each.set(key, known);
    return known(question);
  };
}
