import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Manifest } from '../../src/core';
import { Neighbours } from '../../src/rehearsal/neighbours';

const object = (name: string) =>
  Manifest.of({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name, namespace: 'shop' } });
const namesOf = (manifests: readonly Manifest[]) => [...new Set(manifests.map(({ name }) => name))].sort();

/** Objects by name with their paths; what they say besides is their name without its number, so that none stands for another. */
function neighbours(objects: Readonly<Record<string, readonly string[] | undefined>>): Neighbours {
  const all = new Neighbours();
  for (const [name, paths] of Object.entries(objects)) {
    all.add(object(name), paths && { paths, besides: name.replace(/\d+$/, '') });
  }
  return all;
}

/** Five that say the same come first, and four of them stand for the rest. */
const CROWD = Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`x${index}`, [`/crowd${index}`]]));
const CROWD_NAMES = ['x1', 'x2', 'x3', 'x4'];

describe('the objects near a path', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['with the path itself', ['/cart'], ['x6']],
    ['with the beginning of it', ['/cart/1'], ['x6']],
    ['with a path that begins with it', ['/ca'], ['x6']],
    ['with each of several', ['/cart', '/shop'], ['x6', 'x7']],
    ['none with another path', ['/other'], []],
    ['none that sorts before or after it', ['/d'], []],
  ])('are those %s', (_, paths, names) => {
    const all = neighbours({ ...CROWD, x6: ['/cart'], x7: ['/shop', '/z'] });
    expect(namesOf(all.near(paths))).toEqual([...CROWD_NAMES, ...names]);
    expect(namesOf(all.all)).toEqual(['x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7']);
  });

  it('are also those that take requests anywhere, and a few for each that says something else', () => {
    const all = neighbours({ ...CROWD, anywhere: undefined, y1: ['/y'], y2: ['/y'] });
    expect(namesOf(all.near(['/other']))).toEqual(['anywhere', ...CROWD_NAMES, 'y1', 'y2']);
    expect(namesOf(all.near([]))).toEqual(['anywhere', ...CROWD_NAMES, 'y1', 'y2']);
  });

  it('are found again after one is added', () => {
    const all = neighbours({ ...CROWD, x6: ['/a', '/b'], x7: ['/a'] });
    expect(namesOf(all.near(['/a']))).toEqual([...CROWD_NAMES, 'x6', 'x7']);
    expect(namesOf(all.near(['/b']))).toEqual([...CROWD_NAMES, 'x6']);
  });

  it('are all with a path that begins with it or that it begins with, and no other', () => {
    const path = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 4 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 8 }), path, (paths, asked) => {
        const own = Object.fromEntries(paths.map((each, index) => [`x${index + 6}`, [each]]));
        const expected = paths.flatMap((each, index) =>
          each.startsWith(asked) || (asked.startsWith(each) && asked !== each) ? [`x${index + 6}`] : [],
        );
        expect(namesOf(neighbours({ ...CROWD, ...own }).near([asked]))).toEqual([...CROWD_NAMES, ...expected].sort());
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});
