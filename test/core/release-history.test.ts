import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsOf, type Histories } from '../../src/core/release-history';

const HISTORY: Histories<{ readonly colour: string; readonly isNew: boolean }> = {
  colour: [
    { from: '1.2.0', is: 'red', source: 'colour.go' },
    { from: '1.10.0', is: 'blue', source: 'colour.go' },
    { from: '1.10.4', is: 'green', source: 'colour.go' },
  ],
  isNew: [{ from: '1.2.0', is: false, source: 'new.go' }],
};

describe('the facts of a release', () => {
  it.each([
    [[1, 0, 0], 'red'],
    [[1, 2, 0], 'red'],
    [[1, 9, 9], 'red'],
    [[1, 10, 0], 'blue'],
    [[1, 10, 3], 'blue'],
    [[1, 10, 4], 'green'],
    [[2, 0, 0], 'green'],
  ] as const)('%j has the colour %s', (number, colour) => {
    expect(factsOf(HISTORY, number)).toEqual({ colour, isNew: false });
  });
});

/** Where version numbers are compared: to find the facts of a release, a known release near a number, and the newer of two. */
const COMPARES = ['core/release-history.ts', 'core/version-number.ts', 'settings/cluster.ts', 'upgrade/facts.ts'];

it('only these files compare version numbers: everything else asks for facts', () => {
  const src = join(__dirname, '../../src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const comparing = files.filter((name) =>
    /compareVersionNumbers|\bisAtLeast\b|\.version\s*[<>]=?|\bfacts\.api\s*[!=]==/.test(
      readFileSync(join(src, name), 'utf8'),
    ),
  );
  expect(comparing.sort()).toEqual(COMPARES);
});
