import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StructuralSchema } from '../src/core/schema';
import { configSchema } from '../src/settings/config-schema';
import { storySchema } from '../src/settings/story-schema';

/**
 * Writes config.schema.json from the schema that the command validates with, and story.schema.json. Editors use them to
 * complete and check rollout-constructs.config.{json,yaml} and stories. `npm run schemas` writes the files, and a test fails
 * if one is stale.
 */

const FILE = join(__dirname, '..', 'config.schema.json');

/** The text of config.schema.json. */
export function configSchemaText(): string {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...closed(configSchema) };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** The committed file. */
export function committedConfigSchema(): string {
  return readFileSync(FILE, 'utf8');
}

/** Forbids unknown fields, as the command does, so that an editor reports them. */
function closed(schema: StructuralSchema): StructuralSchema {
  const { properties, items, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(items && { items: closed(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: closed(additionalProperties) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, closed(each)])),
      additionalProperties: false,
    }),
  } as StructuralSchema;
}

const STORY_FILE = join(__dirname, '..', 'story.schema.json');

/** The text of story.schema.json, for files of `--story`. */
export function storySchemaText(): string {
  return `${JSON.stringify(storySchema, undefined, 2)}\n`;
}

/** The committed file. */
export function committedStorySchema(): string {
  return readFileSync(STORY_FILE, 'utf8');
}

if (require.main === module) {
  writeFileSync(FILE, configSchemaText());
  writeFileSync(STORY_FILE, storySchemaText());
}
