/**
 * Writes what each fact by release says, from its doc comment, so that `rollout-constructs upgrade` can say it without a
 * compiler. `npm run schemas` writes the file, and a test fails if it is stale.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CONTROLLERS, docsOf } from './write-releases-page';

export const FACT_TEXTS_FILE = resolve(__dirname, '..', 'src/upgrade/fact-texts.json');

/** The text of the file. */
export function factTexts(): string {
  const texts = CONTROLLERS.map(({ name, file, type }) => [name, Object.fromEntries(docsOf(file, type))]);
  return `${JSON.stringify(Object.fromEntries(texts), undefined, 1)}\n`;
}

if (require.main === module) writeFileSync(FACT_TEXTS_FILE, factTexts());
