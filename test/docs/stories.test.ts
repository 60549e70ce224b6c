import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readStory } from '../../src/settings/story';

const ROOT = join(__dirname, '..', '..');
const TEXT = readFileSync(join(ROOT, 'docs/stories.md'), 'utf8');

describe('docs/stories.md', () => {
  const named = [...TEXT.matchAll(/`((?:kruise|argo)\/[\d.]+\/[\w-]+)`/g)].map(([, name]) => name!);

  it('names recordings', () => {
    expect(named.length).toBeGreaterThan(20);
  });

  it.each(named)('names %s, which is there', (name) => {
    expect(existsSync(join(ROOT, 'test/stage/recordings', `${name}.json`))).toBe(true);
  });

  it('shows a story that can be read', () => {
    const [, yaml] = /```yaml\n([\s\S]*?)```/.exec(TEXT)!;
    expect(readStory(parse(yaml!), 'the page').actions).toHaveLength(5);
  });
});
