/** Reports of a synth: the files that ROLLOUT_CONSTRUCTS_REPORT names, also where the synth fails. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LuaRoutingConfigMap, LuaScripts, StackCheck } from '../../src/constructs';
import { objectsOf } from '../rehearsal/stack';

/** An app whose first step is for one user. ingress-nginx accepts no `@` in the name. */
function appOf(user: string, outdir: string): App {
  const app = new App({ outdir });
  const chart = new Chart(app, 'shop');
  const stack = objectsOf({
    steps: [
      { replicas: '20%', matches: [{ headers: [{ type: 'Exact', name: 'x-user', value: user }] }] },
      { traffic: '100%', replicas: '100%' },
    ],
    annotations: {},
    ingressClassName: 'nginx',
    port: { number: 80 },
    route: { ingress: { name: 'web', classType: 'nginx' } },
  });
  // biome-ignore lint/suspicious/noExplicitAny: plain objects of every kind
  for (const [index, object] of stack.entries()) new ApiObject(chart, `object-${index}`, object as any);
  new StackCheck(app, 'check');
  return app;
}

describe('ROLLOUT_CONSTRUCTS_REPORT', () => {
  let folder: string;
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'report-file-'));
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const reportTo = (...names: string[]) =>
    vi.stubEnv('ROLLOUT_CONSTRUCTS_REPORT', names.map((name) => join(folder, name)).join(', '));

  it('gets the findings and the rehearsals of a synth that fails', () => {
    reportTo('a/findings.sarif', 'findings.json', 'junit.xml', 'findings.md', 'rehearsal.html');
    expect(() => appOf('alice@example.com', join(folder, 'dist')).synth()).toThrow('rehearsal-canary-gets-nothing');

    const rules = JSON.parse(read('a/findings.sarif')).runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId);
    expect(rules).toContain('rehearsal-canary-gets-nothing');
    expect(JSON.parse(read('findings.json')).findings.map(({ rule }: { rule: string }) => rule)).toEqual(rules);
    expect(read('junit.xml')).toContain('rehearsal-canary-gets-nothing');
    expect(read('findings.md')).toContain('rehearsal\\-canary\\-gets\\-nothing');
    expect(read('rehearsal.html')).toContain('steps[0]');
    expect(existsSync(join(folder, 'dist', 'shop.k8s.yaml'))).toBe(false);
  });

  it('gets those of a synth that passes, the same each time', () => {
    reportTo('findings.json', 'rehearsal.html');
    const synth = () => {
      appOf('alice', join(folder, 'dist')).synth();
      return [read('findings.json'), read('rehearsal.html')];
    };
    const first = synth();
    expect(JSON.parse(first[0]!).findings.filter(({ severity }: { severity: string }) => severity === 'error')).toEqual(
      [],
    );
    expect(synth()).toEqual(first);
  });

  it('has the findings of scripts too, with and without a check of the stack', () => {
    mkdirSync(join(folder, 'lua/trafficrouting_ingress'), { recursive: true });
    writeFileSync(join(folder, 'lua/trafficrouting_ingress/mine.lua'), 'return nothing.at.all\n');
    reportTo('findings.json');
    const app = new App({ outdir: join(folder, 'dist') });
    new LuaRoutingConfigMap(new Chart(app, 'platform'), 'scripts', {
      scripts: [LuaScripts.fromFolder(join(folder, 'lua'))],
    });
    expect(() => app.synth()).toThrow('lua-');
    const found = (): { construct?: string; rule: string }[] => JSON.parse(read('findings.json')).findings;
    expect(found().some(({ construct, rule }) => construct === 'platform/scripts' && rule.startsWith('lua-'))).toBe(
      true,
    );

    const both = appOf('alice@example.com', join(folder, 'dist'));
    new LuaRoutingConfigMap(new Chart(both, 'platform'), 'scripts', {
      scripts: [LuaScripts.fromFolder(join(folder, 'lua'))],
    });
    expect(() => both.synth()).toThrow('rehearsal-canary-gets-nothing');
    expect(found().some(({ construct, rule }) => construct === 'platform/scripts' && rule.startsWith('lua-'))).toBe(
      true,
    );
    expect(found().map(({ rule }) => rule)).toContain('rehearsal-canary-gets-nothing');
  });

  it('comes without a stack of cdk8s, and leaves the stacks of others', async () => {
    let error: Error | undefined;
    try {
      appOf('alice@example.com', join(folder, 'dist')).synth();
    } catch (caught) {
      error = caught as Error;
    }
    expect(error!.message).toContain('rehearsal-canary-gets-nothing');
    expect(error!.stack).not.toMatch(/^ +at /m);
    await Promise.resolve();
    expect(new Error('another').stack).toMatch(/^ +at /m);
  });

  it('is not written where nobody asks', () => {
    appOf('alice', join(folder, 'dist')).synth();
    expect(readdirSync(folder)).toEqual(['dist']);
  });

  it('has an ending that names its format', () => {
    reportTo('findings.txt');
    expect(() => appOf('alice', join(folder, 'dist')).synth()).toThrow(
      'the ending of a report is one of .json, .sarif, .xml, .md, .html',
    );
  });
});
