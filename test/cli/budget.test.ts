/** What a run does with a budget that is too small: it ends, says what it did not look at, and is no success. */
import { describe, expect, it } from 'vitest';
import { checkStack } from '../../src/check';
import { usedMemory } from '../../src/cli/memory';
import { parseManifests, World } from '../../src/core';
import { Budget } from '../../src/core/budget';
import { rehearse } from '../../src/rehearsal';
import { cli, folderWith } from './fixture';
import { filesOfApplications } from './stacks';

const files = filesOfApplications(6);
const world = World.of(Object.entries(files).flatMap(([name, text]) => parseManifests(text, name).manifests));
const rollouts = rehearse(world).length;

/** A budget that is spent when it has been asked so often: as one of time is, without the time. */
class Asked extends Budget {
  constructor(private left: number) {
    super({ seconds: 1, memory: 1, began: 0 });
  }

  override spent(): string | undefined {
    return this.left-- > 0 ? undefined : 'the time of 1 s';
  }
}

const rulesOf = (findings: readonly { rule: string }[]) => findings.map(({ rule }) => rule);

describe('a budget', () => {
  it('changes nothing while it lasts', () => {
    const plain = checkStack(world);
    expect(checkStack(world, { budget: new Asked(1e9) })).toEqual(plain);
    expect(plain.rehearsals).toHaveLength(rollouts);
  });

  it('names the Rollouts that were not rehearsed, also one that it ends within', () => {
    for (const asked of [0, 3, 12]) {
      const played = rehearse(world, { budget: new Asked(asked) });
      expect(played).toHaveLength(rollouts);
      const left = played.filter(({ findings }) => rulesOf(findings).includes('rehearsal-budget-spent'));
      expect(left.length).toBeGreaterThan(asked === 0 ? rollouts - 1 : 0);
      expect(left.every(({ moments, requests }) => moments.length === 0 && requests.length === 0)).toBe(true);
      expect(left[0]!.findings[0]!.message).toMatch(/^the Rollout ".*" was not rehearsed: the time of 1 s is spent$/);
    }
  });

  it('names the checks that were not run', () => {
    const { findings } = checkStack(world, { rehearsal: false, budget: new Asked(2) });
    const spent = findings.filter(({ rule }) => rule === 'budget-spent');
    expect(spent.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^the time of 1 s is spent; not checked: names of APIs, .*KtEnv$/),
    ]);
  });

  it('knows time and memory', () => {
    const now = Date.now();
    const far = Number.POSITIVE_INFINITY;
    expect(new Budget({ seconds: 1, memory: far, began: now - 2000 }, usedMemory).spent()).toBe('the time of 1 s');
    const small = new Budget({ seconds: far, memory: 1024 ** 2, began: now }, usedMemory);
    const held = Array.from({ length: 2_000_000 }, (_, index) => ({ index }));
    expect(small.spent()).toBe('the memory of 1 MB');
    expect(held).toHaveLength(2_000_000);
    expect(new Budget({ seconds: far, memory: 64 * 1024 ** 3, began: now }, usedMemory).spent()).toBeUndefined();
  });
});

describe('--budget', () => {
  const cwd = folderWith(files);

  it.each(['check', 'rehearse'])('ends %s with 2, and says what was not read', async (command) => {
    const { code, stdout, stderr } = await cli([command, 'deploy', '--budget', '0.001s', '--no-color'], { cwd });
    expect(`${stdout}${stderr}`).toMatch(/the time of 0\.001 s is spent; not read: \S+ and \d+ more files/);
    expect(code).toBe(2);
  });

  it('is large enough for everybody by default, and none for those who say so', async () => {
    const [plain, none, more] = await Promise.all(
      [[], ['--budget', 'none'], ['--budget', '10m,4GB']].map((args) => cli(['check', 'deploy', ...args], { cwd })),
    );
    expect(none).toEqual(plain);
    expect(more).toEqual(plain);
    expect(plain!.code).toBe(1);
  });

  it.each(['', '60', '0s', '1 year', '-1s', '1s;1GB'])('refuses %j', async (text) => {
    const { code, stderr } = await cli(['check', 'deploy', `--budget=${text}`], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`--budget is "${text}"`);
  });
});
