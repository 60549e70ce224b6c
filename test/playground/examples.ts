import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '..', '..', 'src', 'playground', 'examples');

/** The examples of the page, by name. */
export const examples: readonly { readonly name: string; readonly text: string }[] = readdirSync(FOLDER)
  .sort()
  .map((file) => ({ name: file.replace(/\.yaml$/, ''), text: readFileSync(join(FOLDER, file), 'utf8') }));
