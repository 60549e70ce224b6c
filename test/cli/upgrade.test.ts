import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KRUISE } from '../upgrade/stacks';
import { cli, folderWith } from './fixture';

const folder = folderWith({
  'deploy/stack.yaml': KRUISE,
  'known/rollout-constructs.config.yaml': 'files: [../deploy]\nkruiseVersion: "0.5.5"\n',
  'mild/rollout-constructs.config.yaml':
    'files: [../deploy]\nkruiseVersion: "0.5.5"\nrules: {rehearsal-match-ignored: warning}\n',
  'broken.yaml': 'kind: [',
});

describe('rollout-constructs upgrade', () => {
  it('ends with 1 if errors appear, and says what differs', async () => {
    const { code, stdout, stderr } = await cli(['upgrade', '--to', 'kruise=0.6.2'], { cwd: join(folder, 'known') });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain('Kruise Rollouts 0.5.5 → 0.6.2');
    expect(stdout).toContain('error[rehearsal-match-ignored]');
    expect(stdout).toContain('0.5.5: the controller stops at steps[1]');
  });

  it('ends with 0 if no error appears, with the severities of the configuration', async () => {
    const page = join(folder, 'upgrade.html');
    const args = ['upgrade', '--to', 'kruise=0.6.2', '--format', 'html', '--output', page];
    const { code, stdout } = await cli(args, { cwd: join(folder, 'mild') });
    expect(code).toBe(0);
    expect(stdout).toContain('warning[rehearsal-match-ignored]');
    expect(readFileSync(page, 'utf8')).toContain('<h2 id="appears">Findings that appear</h2>');
  });

  it.each([
    [['upgrade', 'deploy'], 'upgrade needs a release to compare with'],
    [['upgrade', 'deploy', '--to', 'kruise=0.6.2'], 'name it: --from kruise=…'],
    [['upgrade', 'deploy', '--from', 'kruise=0.5', '--to', 'kruise=next'], '--to kruise is "next"'],
    [['upgrade', 'deploy', 'broken.yaml', '--from', 'kruise=0.5', '--to', 'kruise=0.6'], 'broken.yaml:1'],
  ])('says what is wrong with %j', async (args, message) => {
    const { code, stdout, stderr } = await cli(args, { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('docs/upgrade.md', () => {
  const text = readFileSync(join(__dirname, '..', '..', 'docs', 'upgrade.md'), 'utf8');

  it('shows a report as it is, and names options that there are', async () => {
    const cwd = folderWith({ 'stack.yaml': KRUISE });
    const args = ['upgrade', 'stack.yaml', '--from', 'kruise=0.5.5', '--to', 'kruise=0.6.2'];
    const { stdout } = await cli(args, { cwd });
    expect(stdout).toContain(/^```text\n([\s\S]*?)^```$/m.exec(text)![1]!);
    const { stdout: help } = await cli(['upgrade', '--help']);
    for (const [option] of text.matchAll(/--[a-z][a-z-]+/g)) expect(help, option).toContain(option);
  });
});
