import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of this library, from src/cli and from lib/cli alike. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')).version;
}
