import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ktenvRules } from '../../src/ktenv/rules';
import { cli, folderWith } from './fixture';

const GOOD = ktenvRules['ktenv-default-subset-missing'].corrected.text;
const BAD = ktenvRules['ktenv-default-subset-missing'].failing.text;

const run = (text: string, ...args: string[]) => cli(['env', 'preview', '-', ...args], { stdin: text });

describe('env preview', () => {
  it('shows who answers', async () => {
    const { code, stdout } = await run(GOOD);
    expect(stdout).toContain('web:80   web-dev (default)  web-dev (exact)  web-dev-proj1 (exact)');
    expect(code).toBe(0);
  });

  it('tells what is wrong after the table, and fails', async () => {
    const { code, stdout } = await run(BAD);
    expect(stdout).toContain('error[ktenv-default-subset-missing]');
    expect(code).toBe(1);
  });

  it('takes environments and the release of Istio', async () => {
    const { code, stdout } = await run(GOOD, '--environment', 'dev.proj1.mine', '--istio-version', '1.24');
    expect(stdout).toContain('ktenv-environment-unknown');
    expect(code).toBe(1);
    const wrong = await run(GOOD, '--istio-version', 'new');
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('the Istio version "new" is not a version'),
    ]);
  });

  it('writes JSON, and a page into a file', async () => {
    const { stdout } = await run(GOOD, '--format', 'json');
    const { environments, findings } = JSON.parse(stdout);
    expect(environments[0].rows[0].cells[0]).toMatchObject({ reason: 'default', workloads: ['web-dev'] });
    expect(findings).toEqual([]);
    const cwd = folderWith({ 'app.yaml': GOOD });
    const ended = await cli(['env', 'preview', 'app.yaml', '--format', 'html', '--output', 'page.html'], { cwd });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('web:80');
    expect(readFileSync(join(cwd, 'page.html'), 'utf8')).toMatch(/^<!doctype html>/);
  });

  it('writes Markdown whose table no value can end', async () => {
    const { stdout } = await run(BAD, '--format', 'markdown');
    const [, table, findings] = /^## Environments\n\n([\s\S]+?)\n\n(### [\s\S]+)$/.exec(stdout)!;
    for (const line of table!.split('\n')) expect(line).toMatch(/^( {4}|$)/);
    expect(findings).toContain('error');
  });

  it('writes what is wrong into the page too', async () => {
    const { code, stdout } = await run(BAD, '--format', 'html');
    expect(stdout).toContain('Findings');
    expect(stdout).toContain('ktenv-default-subset-missing');
    expect(code).toBe(1);
  });

  it('knows what the VirtualEnvironment says that requests will name', async () => {
    const { failing } = ktenvRules['ktenv-environment-unknown'];
    const { code, stdout } = await run(failing.text);
    expect(stdout).toContain('dev.proj1.f1');
    expect(stdout).toContain('error[ktenv-environment-unknown]');
    expect(code).toBe(1);
  });

  it('shows what gets no answer as the code that clients get', async () => {
    const { stdout } = await run(BAD);
    expect(stdout).toMatch(/^ {2}web:80 {3}503 /m);
    expect(stdout).toContain('web:80, no header: no DestinationRule for');
  });

  it('says so where there is nothing to preview', async () => {
    const { code, stderr } = await run('{ apiVersion: v1, kind: Service, metadata: { name: web } }');
    expect(code).toBe(2);
    expect(stderr).toContain('there is no VirtualEnvironment in these manifests');
  });
});
