import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands';
import { cli, start } from './fixture';

describe('the command line', () => {
  it('prints a short help and fails without a command', async () => {
    const { code, stdout, stderr } = await cli([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('usage: rollout-constructs <command>');
    expect(stderr).toMatch(/^ {2}lua run +\S/m);
  });

  it.each([['--help'], ['-h'], ['help']])('%s prints the help', async (option) => {
    const { code, stdout } = await cli([option]);
    expect(code).toBe(0);
    expect(stdout).toContain('usage: rollout-constructs <command>');
  });

  it('prints the version of the package', async () => {
    const { version } = require('../../package.json');
    expect(await cli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each(commands.map((command) => [command.name, command]))(
    '%s is in the list by its own name',
    async (name, listed) => {
      const { default: command } = await listed.load();
      expect(command.name).toBe(name);
      expect((await cli(['help', ...name.split(' ')])).stdout).toBe(`${listed.summary}\n\n${command.usage.trim()}\n`);
    },
  );

  it.each([
    ['lua', '--help'],
    ['help', 'lua'],
  ])('lists the commands of a group for %s %s', async (...args) => {
    const { code, stdout } = await cli(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}lua run {2}Run Lua scripts.*\n$/);
  });

  it('suggests the command that was meant', async () => {
    const { code, stderr } = await cli(['lua', 'rnu']);
    expect(code).toBe(2);
    expect(stderr).toBe('rollout-constructs: no command "lua rnu"\n  did you mean "rollout-constructs lua run"?\n');
  });

  it('suggests the option that was meant', async () => {
    const { code, stderr } = await cli(['lua', 'run', '--kruise-vrsion', '0.5']);
    expect(code).toBe(2);
    expect(stderr).toContain('lua run has no option --kruise-vrsion; did you mean --kruise-version?');
  });

  it('names the values that an option takes', async () => {
    const { code, stderr } = await cli(['lua', 'run', '--kruise-version', '0.9']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^rollout-constructs: --kruise-version is "0\.9"\n {2}it must be one of: 0\.3, 0\.4, 0\.5, 0\.6, 0\.3\.0, .*0\.6\.2\n$/,
    );
  });

  it('refuses an option without its value', async () => {
    const { code, stderr } = await cli(['lua', 'run', '--kruise-version']);
    expect(code).toBe(2);
    expect(stderr).toContain('--kruise-version');
    expect(stderr.split('\n').length).toBeLessThan(4);
  });

  it('exits with the code of main as a process', async () => {
    const ended = await start(['no-such-command']).ended;
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('no command "no-such-command"');
  });
});
