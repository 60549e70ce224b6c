/** Reports of a synth: the files that ROLLOUT_CONSTRUCTS_REPORT names, also where the synth fails. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkStack } from '../../src/check';
import {
  KruiseRollout,
  KruiseRolloutStrategy,
  LuaRoutingConfigMap,
  LuaScripts,
  StackCheck,
} from '../../src/constructs';
import { World } from '../../src/core';
import { readManifests } from '../../src/files/manifests';
import { BIN } from '../cli/built';
import { objectsOf } from '../rehearsal/stack';

const ROOT = join(__dirname, '../..');

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

  const ALL = ['annotations.txt', 'findings.json', 'findings.md', 'findings.sarif', 'findings.xml', 'rehearsal.html'];

  it.each(['reports', 'reports/'])(
    'as the folder "%s" has every format, and the manifests that nobody else writes',
    (name) => {
      reportTo(name);
      expect(() => appOf('alice@example.com', join(folder, 'dist')).synth()).toThrow('rehearsal-canary-gets-nothing');
      expect(readdirSync(join(folder, 'reports')).sort()).toEqual([...ALL, 'rejected']);
      expect(read('reports/rehearsal.html')).toContain('steps[0]');
      expect(JSON.parse(read('reports/findings.sarif')).runs[0].results.length).toBeGreaterThan(0);
      // They are what a synth would have written, and have the same findings.
      expect(readdirSync(join(folder, 'reports/rejected'))).toEqual(['shop.k8s.yaml']);
      const { manifests } = readManifests([join(folder, 'reports/rejected')]);
      const world = World.of(manifests);
      const rules = checkStack(world).findings.map(({ rule }) => rule);
      expect(rules).toContain('rehearsal-canary-gets-nothing');
      vi.unstubAllEnvs();
      const passing = appOf('alice', join(folder, 'dist'));
      passing.synth();
      const written = readManifests([join(folder, 'dist')]).manifests.map(({ ref }) => ref);
      expect(manifests.map(({ ref }) => ref)).toEqual(written);
    },
  );

  it('has no manifests of an earlier run once they pass', () => {
    reportTo('reports');
    expect(() => appOf('alice@example.com', join(folder, 'dist')).synth()).toThrow();
    writeFileSync(join(folder, 'reports/rejected/notes.txt'), 'mine');
    appOf('alice', join(folder, 'dist')).synth();
    expect(readdirSync(join(folder, 'reports/rejected'))).toEqual(['notes.txt']);
    rmSync(join(folder, 'reports/rejected/notes.txt'));
    expect(() => appOf('alice@example.com', join(folder, 'dist')).synth()).toThrow();
    appOf('alice', join(folder, 'dist')).synth();
    expect(readdirSync(join(folder, 'reports')).sort()).toEqual(ALL);
  });

  it('points its annotations to the line that makes the construct', () => {
    reportTo('reports/');
    const app = new App({ outdir: join(folder, 'dist') });
    const chart = new Chart(app, 'shop');
    for (const id of ['first', 'second'])
      new KruiseRollout(chart, id, {
        workload: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        strategy: KruiseRolloutStrategy.canary({ steps: [{ replicas: '20%' }] }),
      });
    expect(() => app.synth()).toThrow();
    const annotations = read('reports/annotations.txt').split('\n');
    expect(annotations[0]).toMatch(/^::error file=test\/constructs\/report-file\.test\.ts,line=\d+,/);
  });

  it('is asked for by a StackCheck, for its own stack only', () => {
    const app = new App({ outdir: join(folder, 'dist') });
    for (const cluster of ['prod', 'test']) {
      const chart = new Chart(app, cluster);
      new ApiObject(chart, 'rollout', {
        apiVersion: 'rollouts.kruise.io/v1beta1',
        kind: 'Rollout',
        metadata: { name: cluster },
        spec: {},
        // biome-ignore lint/suspicious/noExplicitAny: a Rollout without what it needs
      } as any);
      new StackCheck(chart, 'check', { report: join(folder, cluster) });
    }
    expect(() => app.synth()).toThrow();
    for (const cluster of ['prod', 'test']) {
      const { findings } = JSON.parse(read(`${cluster}/findings.json`));
      expect(new Set(findings.map(({ object }: { object: { name: string } }) => object.name))).toEqual(
        new Set([cluster]),
      );
      expect(readdirSync(join(folder, cluster, 'rejected'))).toEqual([`${cluster}.k8s.yaml`]);
    }
    expect(() => new StackCheck(new App(), 'check', { report: 'a.txt' })).toThrow('check: report names "a.txt"');
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

  it('is written by the real cdk8s-cli, which writes nothing else', async () => {
    const packages = join(ROOT, 'node_modules');
    writeFileSync(
      join(folder, 'main.js'),
      `const { App, Chart } = require(${JSON.stringify(join(packages, 'cdk8s'))});
const { KruiseRollout, KruiseRolloutStrategy } = require(${JSON.stringify(join(BIN, '../../lib/constructs'))});
const app = new App();
const chart = new Chart(app, 'shop');
for (const id of ['first', 'second'])
  new KruiseRollout(chart, id, {
    workload: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    strategy: KruiseRolloutStrategy.canary({ steps: [{ replicas: '20%' }] }),
  });
app.synth();
`,
    );
    writeFileSync(join(folder, 'cdk8s.yaml'), 'language: typescript\napp: node main.js\n');
    const { status } = spawnSync(
      process.execPath,
      [join(packages, 'cdk8s-cli/bin/cdk8s'), 'synth', '--check-upgrade=false'],
      { cwd: folder, env: { ...process.env, CI: '1', ROLLOUT_CONSTRUCTS_REPORT: 'reports' } },
    );
    expect(status).toBe(1);
    expect(existsSync(join(folder, 'dist/shop.k8s.yaml'))).toBe(false);
    // The lines of the constructs, as an editor has them.
    const [first] = read('reports/annotations.txt').split('\n');
    expect(first).toMatch(/^::error file=main\.js,line=6,col=3,title=rollout-workload-taken::/);
    expect(readManifests([join(folder, 'reports/rejected')]).manifests).toHaveLength(2);
  }, 60_000);
});
