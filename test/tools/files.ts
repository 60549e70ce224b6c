import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const ROOT = join(__dirname, '..', '..');

/** A file of the repository. */
export function text(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** A YAML or JSON file of the repository. */
// biome-ignore lint/suspicious/noExplicitAny: the tests say what is in it
export function data(file: string): any {
  return parse(text(file));
}
