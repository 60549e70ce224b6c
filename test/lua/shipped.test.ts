/** Scripts that the build of the package has compiled: what it ships is what the compiler makes of them. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packaged from '../../src/kruise/scripts/packaged.json';
import { loadLua } from '../../src/lua/load';

const ROOT = join(__dirname, '..', '..');
const SHIPPED = 'lib/lua/shipped.js';
const scripts = Object.entries(packaged as Record<string, string | null>).filter(
  (entry): entry is [string, string] => entry[1] !== null,
);

describe.runIf(existsSync(join(ROOT, SHIPPED)))('the compiled scripts of the package', () => {
  const built = () => createRequire(__filename)(join(ROOT, SHIPPED)) as typeof import('../../src/lua/shipped');

  it.each(scripts)('has %s as the compiler makes it', (_name, source) => {
    expect(built().shippedPrototype(source)).toEqual(loadLua(source).prototype);
  });

  it('has no other script, be it of the same length', () => {
    const [[, source]] = scripts;
    expect(built().shippedPrototype(source.replace('a', 'b'))).toBeUndefined();
    expect(built().shippedPrototype(`${source}\n`)).toBeUndefined();
  });
});
