/** Findings of constructs point to the line of the program that makes them. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { App, Chart } from 'cdk8s';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { KruiseRollout, KruiseRolloutStep, KruiseRolloutStrategy, StackCheck } from '../../src/constructs';
import { folderWith } from '../cli/fixture';

const props = {
  workload: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  strategy: KruiseRolloutStrategy.canary({ steps: [KruiseRolloutStep.traffic(20), KruiseRolloutStep.traffic(10)] }),
  trafficRouting: { service: 'web', ingress: 'web' },
};

/** A program of a user, of which line 4 makes the Rollout. */
const PROGRAM = `type Make = new (scope: unknown, id: string, props: unknown) => unknown;

export function main(Rollout: Make, scope: unknown, props: unknown): unknown {
  return new Rollout(scope, 'rollout', props);
}
`;

function compiled(options: ts.CompilerOptions, folder = folderWith({ 'main.ts': PROGRAM })): string {
  const { outputText, sourceMapText } = ts.transpileModule(PROGRAM, {
    fileName: 'main.ts',
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, ...options },
  });
  writeFileSync(join(folder, 'main.js'), outputText);
  if (sourceMapText !== undefined) writeFileSync(join(folder, 'main.js.map'), sourceMapText);
  return join(folder, 'main.js');
}

function sourcesOf(file: string) {
  const chart = new Chart(new App(), 'shop');
  const rollout: KruiseRollout = createRequire(file)(file).main(KruiseRollout, chart, props);
  return rollout.findings().map(({ source }) => source);
}

describe('the place of a construct', () => {
  it.each([
    ['beside the program', { sourceMap: true }],
    ['within the program', { inlineSourceMap: true }],
  ])('is in TypeScript, by the source map %s', (_where, options) => {
    const file = compiled(options);
    const sources = sourcesOf(file);
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) {
      expect(source).toMatchObject({ line: 4, column: 10 });
      expect(source!.file).toMatch(/main\.ts$/);
    }
  });

  it('is in JavaScript without a source map', () => {
    for (const source of sourcesOf(compiled({}))) expect(source!.file).toMatch(/main\.js$/);
  });

  it('is shown relative to the working folder, at synth too', () => {
    const app = new App({ outdir: folderWith({}) });
    new KruiseRollout(new Chart(app, 'shop'), 'rollout', props);
    expect(() => app.synth()).toThrow(`--> ${relative(process.cwd(), __filename)}:`);
  });

  it('is not that of a check of the whole stack, which makes no objects', () => {
    const app = new App();
    new Chart(app, 'shop');
    expect(new StackCheck(app, 'check').findings().filter(({ source }) => source !== undefined)).toEqual([]);
  });
});
