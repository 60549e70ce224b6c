/**
 * Writes the scripts of lua_configuration as data, for where no file can be read. `npm run schemas` writes the file, and a test
 * fails if it is stale.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';

const ROOT = resolve(__dirname, '..');
const FOLDER = 'lua_configuration';

export const PACKAGED_FILE = join(ROOT, 'src/kruise/scripts/packaged.json');

/** The text of the file. Testdata is for tests only, so that its names are enough. */
export function packagedScripts(): string {
  const names = readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: 'utf8' })
    .map((name) => `${FOLDER}/${name.split(sep).join('/')}`)
    .filter((name) => /\.(lua|ya?ml)$/.test(name))
    .sort();
  const entries = names.map((name) => [name, name.endsWith('.lua') ? readFileSync(join(ROOT, name), 'utf8') : null]);
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 1)}\n`;
}

if (require.main === module) writeFileSync(PACKAGED_FILE, packagedScripts());
