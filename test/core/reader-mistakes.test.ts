import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseManifests } from '../../src/core';

/** The first mistake as the YAML library itself tells it, with all others behind it. */
function firstError(text: string): { readonly message: string; readonly offset: number } | undefined {
  const documents = parseAllDocuments(text, { schema: 'failsafe', prettyErrors: false, uniqueKeys: false });
  const [error] = [...documents].flatMap(({ errors }) => errors);
  return error && { message: error.message.slice(1), offset: error.pos[0] };
}

describe('a text of nothing but mistakes', () => {
  it('is told by its first one, whatever it is', () => {
    let told = 0;
    const junk = fc.array(fc.constantFrom(',', ']', '}', '[', '{', '&a ', '!t ', '"', "'", '*b', 'x', ': ', ' ', '@'), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(junk, (parts) => {
        const text = parts.join('');
        const error = firstError(text);
        const { findings } = parseManifests(text, 'x.yaml');
        const syntax = findings.filter(
          ({ rule, message }) => rule === 'yaml-invalid' && message.startsWith('not YAML'),
        );
        if (error === undefined || syntax.length === 0) return;
        told++;
        expect(syntax).toHaveLength(1);
        expect(syntax[0]!.message.slice('not YAML: x'.length)).toBe(error.message);
        expect(syntax[0]!.source).toEqual({ file: 'x.yaml', line: 1, column: error.offset + 1 });
      }),
      { seed: 8, numRuns: 2000 },
    );
    expect(told).toBeGreaterThan(500);
  });

  it.each([['['.concat(',')], ['}'], ['[]'], ['! ']])('is told the same of many of %j as of two', (part) => {
    const messages = (count: number) =>
      parseManifests(part.repeat(count), 'x.yaml').findings.map(({ message }) => message);
    expect(messages(50)).toEqual(messages(3));
    expect(messages(50)).toHaveLength(1);
  });
});
