import { describe, expect, it } from 'vitest';
import type { Rehearsal } from '../../src/core/rehearsal-result';
import { objectsOf } from '../rehearsal/stack';
import { cli, folderWith } from './fixture';

const pause = {};
const STACK = objectsOf({
  steps: [
    { traffic: '20%', replicas: '20%', pause },
    { traffic: '50%', replicas: '50%', pause },
  ],
  annotations: {},
  ingressClassName: 'nginx',
  port: { number: 80 },
  route: { ingress: { name: 'web', classType: 'nginx' } },
})
  .map((object) => JSON.stringify(object))
  .join('\n---\n');

const MINE = `
name: third in the middle
actions:
  - release: v2
  - until: { step: 1 }
  - release: v3
  - until: { step: 2 }
  - release: v1
`;

function rehearse(args: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const cwd = folderWith({ 'stack.yaml': STACK, ...files });
  return cli(['rehearse', 'stack.yaml', ...args], { cwd });
}

describe('rehearse with stories', () => {
  it('has every story in JSON, the straight road first', async () => {
    const { stdout, code } = await rehearse(['--stories', 'all', '--format', 'json']);
    const [{ stories, moments }] = (JSON.parse(stdout) as { rehearsals: [Rehearsal] }).rehearsals;
    expect(code).toBe(0);
    expect(stories!.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['straight', 'roll-back@0', 'roll-back@1', 'third-revision@1', 'delete@0', 'never-ready']),
    );
    expect(stories![0]!.name).toBe('straight');
    const straight = moments.filter(({ phase }) => phase !== 'abort');
    expect(stories![0]!.moments.map(({ title }) => title)).toEqual(straight.map(({ title }) => title));
    for (const { end } of stories!) expect(['released', 'rolled back', 'stuck', 'refused']).toContain(end);
  });

  it('has none in JSON where none is asked for', async () => {
    const { stdout } = await rehearse(['--format', 'json']);
    expect(JSON.parse(stdout).rehearsals[0]).not.toHaveProperty('stories');
  });

  it('shows a line for every story', async () => {
    const { stdout } = await rehearse(['--stories', 'all', '--no-color']);
    expect(stdout).toMatch(/^ {2}roll-back@1 +rolled back$/m);
    expect(stdout).toMatch(/^ {2}delete@0 +released; at end: .*: 100% of GET https:.* reach the new version$/m);
  });

  it('shows a story of a file as a table, with what was done and the pods', async () => {
    const { stdout, code } = await rehearse(['--story', 'mine.yaml', '--no-color'], { 'mine.yaml': MINE });
    expect(code).toBe(0);
    expect(stdout).toContain('▸ release v3\n');
    expect(stdout).toMatch(/^ {2}steps\[1\]: 50% .* web: 10 v1, web-canary: 5 v3$/m);
    expect(stdout).toMatch(/^ {2}third in the middle +rolled back/m);
  });

  it('reads stories from the configuration, whose files are relative to it', async () => {
    const { stdout } = await rehearse(['--format', 'json'], {
      'rollout-constructs.config.yaml': 'stories: [roll-back@1, stories/mine.yaml]\n',
      'stories/mine.yaml': MINE,
    });
    const names = JSON.parse(stdout).rehearsals[0].stories.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['straight', 'roll-back@1', 'third in the middle']);
  });

  it.each([
    [
      'an unknown name',
      ['--story', 'rol-back'],
      {},
      '--story is "rol-back", and there is no such story; did you mean "roll-back"?',
    ],
    ['a step that is none', ['--story', 'roll-back@x'], {}, '--story is "roll-back@x", and there is no such story'],
    ['a file that is missing', ['--story', 'no.yaml'], {}, 'cannot read the story "no.yaml": ENOENT'],
    ['a file that is no YAML', ['--story', 'a.yaml'], { 'a.yaml': 'name: [' }, 'the story "a.yaml" cannot be read'],
    [
      'a file without a name',
      ['--story', 'a.yaml'],
      { 'a.yaml': 'actions: [finish]' },
      'the story "a.yaml" is wrong: name is missing',
    ],
    [
      'an unknown action',
      ['--story', 'a.yaml'],
      { 'a.yaml': 'name: a\nactions: [{ release: v2 }, aprove]' },
      'the story "a.yaml" is wrong: actions[1] is "aprove"',
    ],
    [
      'a wrong value',
      ['--story', 'a.yaml'],
      { 'a.yaml': 'name: a\nactions: [{ scale: many }]' },
      'the story "a.yaml" is wrong: actions[0].scale is "many"',
    ],
  ] as const)('says what is wrong with %s', async (_what, args, files, message) => {
    const { stderr, code } = await rehearse(args, files);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
