import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rehearsalRules } from '../../src/rehearsal';
import { cli, folderWith } from './fixture';

const DOCS = join(__dirname, '..', '..', 'docs');
const TEXT = readFileSync(join(DOCS, 'rehearsal.md'), 'utf8');

describe('docs/rehearsal.md', () => {
  it('names options that there are', async () => {
    const { stdout: help } = await cli(['rehearse', '--help']);
    const options = [...TEXT.matchAll(/ (--[a-z][a-z-]+)/g)].map(([, option]) => option!);
    expect(options.length).toBeGreaterThan(0);
    for (const option of options) expect(help, option).toContain(option);
  });

  it('shows a command that writes the report', async () => {
    const rule = rehearsalRules['rehearsal-canary-gets-nothing'];
    const cwd = folderWith({ 'deploy/stack.yaml': rule.failing.text });
    const [, command] = /^rollout-constructs (.* --output rehearsal\.html)$/m.exec(TEXT)!;
    const { code, stdout } = await cli(command!.split(' '), { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain(rule.id);
    const page = readFileSync(join(cwd, 'rehearsal.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain(`>${rule.id}</a>`);
    expect(page).toContain('deploy/stack.yaml:');
  });

  it('shows pictures that are there and small', () => {
    const pictures = [...TEXT.matchAll(/!\[[^\]]*(?:\[\d\][^\]]*)*\]\(([^)]+)\)/g)].map(([, path]) => path!);
    expect(pictures).toHaveLength(5);
    for (const picture of pictures) expect(statSync(join(DOCS, picture)).size, picture).toBeLessThan(250_000);
  });
});
