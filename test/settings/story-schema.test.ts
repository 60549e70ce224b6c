/** The schema that editors have for stories, held against what the command reads. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { committedStorySchema, storySchemaText } from '../../scripts/write-config-schema';
import { asList, asObject, asText, type JsonObject } from '../../src/core/json';
import { STORY_DEEDS } from '../../src/release';
import { readStory } from '../../src/settings/story';
import { storySchema } from '../../src/settings/story-schema';

const actions = asObject(asObject(asObject(asObject(storySchema.properties).actions).items)).anyOf;
const kinds = asList(actions).map(asObject);
const objects = kinds.filter(({ type }) => type === 'object');

/** Any value that a schema allows. */
function valueFor(schema: JsonObject): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...asList(schema.anyOf).map((each) => valueFor(asObject(each))));
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'integer') return fc.nat({ max: 1000 });
  if (schema.type === 'string') return fc.string({ minLength: 1, maxLength: 8 });
  const properties = Object.entries(asObject(schema.properties)).map(([name, each]) => [
    name,
    valueFor(asObject(each)),
  ]);
  const required = asList(schema.required).map(asText);
  return fc.record(Object.fromEntries(properties) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: required });
}

const complaint = (story: unknown): string => {
  try {
    readStory(story, 'mine');
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('story.schema.json', () => {
  it('is what the library has', () => {
    expect(committedStorySchema()).toBe(storySchemaText());
  });

  it('allows only what the command reads', () => {
    const stories = fc.array(fc.oneof(...kinds.map(valueFor)), { minLength: 1, maxLength: 4 });
    const property = fc.property(stories, (some) => {
      expect(complaint({ name: 'mine', actions: some })).toBe('');
    });
    fc.assert(property);
  });

  it('forbids what the command refuses', () => {
    for (const schema of objects) {
      const [key] = Object.keys(asObject(schema.properties));
      expect(schema.additionalProperties).toBe(false);
      expect(complaint({ name: 'mine', actions: [{ [key!]: [] }] })).not.toBe('');
      expect(complaint({ name: 'mine', actions: [{ [key!]: 1, other: 1 }] })).not.toBe('');
    }
    expect(complaint({ name: 'mine', actions: [] })).not.toBe('');
    expect(complaint({ name: 'mine', actions: ['finish'], more: 1 })).not.toBe('');
  });

  it('has every action', () => {
    expect(kinds.flatMap((each) => (each.const === undefined ? [] : [each.const]))).toEqual(STORY_DEEDS);
    const known = kinds.length - STORY_DEEDS.length;
    expect(objects).toHaveLength(known);
    expect(objects.map(({ required }) => asList(required)[0])).toEqual([
      'release',
      'until',
      'watch',
      'jump',
      'scale',
      'patch',
      'analysis',
      'loadBalancer',
    ]);
  });
});
