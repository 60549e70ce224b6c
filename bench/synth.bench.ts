import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { parseAllDocuments } from 'yaml';
import { lazy } from '../src/core/lazy';
import { inFreshProcess, type Measured, root } from './harness';

/**
 * Synthesises every script of the library `runs` times; prints the milliseconds of the last. The scripts are a user's: each has one
 * line more than what the package has proofs of.
 */
const synth = (runs: number): string => `
  const { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } = require('node:fs');
  const { join } = require('node:path');
  const folder = mkdtempSync(join(require('node:os').tmpdir(), 'synth-bench-'));
  process.env.XDG_CACHE_HOME = join(folder, 'cache');
  cpSync('lua_configuration', join(folder, 'lua_configuration'), { recursive: true });
  for (const file of readdirSync(folder, { recursive: true }))
    if (file.endsWith('.lua')) appendFileSync(join(folder, file), '-- changed\\n');
  const { App, Chart } = require('cdk8s');
  const { LuaRoutingConfigMap, LuaScripts } = require('./lib/constructs');
  let milliseconds;
  for (let run = 0; run < ${runs}; run++) {
    const chart = new Chart(new App(), 'chart');
    new LuaRoutingConfigMap(chart, 'LuaScripts', { scripts: [LuaScripts.fromFolder(join(folder, 'lua_configuration'))] });
    const start = performance.now();
    chart.toJson();
    milliseconds = performance.now() - start;
  }
  rmSync(folder, { recursive: true });
  console.log(milliseconds);`;

const EXAMPLES = join(root, 'examples');

/** Processes print nothing but their processor time. */
const TIMED = `
  process.stdout.write = () => true;
  process.once('exit', () => {
    const { user, system } = process.cpuUsage();
    require('node:fs').writeSync(1, String((user + system) / 1000));
  });`;

/** The program of an example, with the built package. */
function programOf(name: string): string {
  const text = readFileSync(join(EXAMPLES, `${name}.ts`), 'utf8');
  const { code } = transformSync(text, { loader: 'ts', format: 'cjs' });
  return code.replaceAll('../src/constructs', 'rollout-constructs').replaceAll('__dirname', JSON.stringify(EXAMPLES));
}

/** A program that writes the same objects without this library. */
function plainProgramOf(name: string): string {
  const printed = execFileSync(process.execPath, ['-e', programOf(name)], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const objects = parseAllDocuments(printed).map((document) => document.toJS());
  const lines = objects.map((object, index) => `new ApiObject(chart, 'object-${index}', ${JSON.stringify(object)});`);
  return `
    const { ApiObject, App, Chart } = require('cdk8s');
    const app = new App();
    const chart = new Chart(app, 'plain', { disableResourceNameHashes: true });
    ${lines.join('\n')}
    console.log(app.synthYaml());`;
}

/** Programs are run from files beside the packages of this project: an argument is not long enough for a CRD. */
function inFile(program: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'synth-bench-'));
  try {
    const file = join(folder, 'program.js');
    writeFileSync(file, `process.env.XDG_CACHE_HOME = ${JSON.stringify(folder)};\n${TIMED}\n${program}`);
    return inFreshProcess(`
      const { createRequire } = require('node:module');
      new Function('require', require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8'))(createRequire(process.cwd() + '/'));`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The whole process of an example, beside one that writes the same objects plainly; both in processor time, and without a cache. */
function firstSynth(name: string): Measured {
  const plain = lazy(() => plainProgramOf(name));
  return {
    name: `first synth: ${name}`,
    ours: { label: 'the example', measure: () => inFile(programOf(name)) },
    alternative: { label: 'the same objects, written plainly', measure: () => inFile(plain()) },
    unit: 'ms',
    goal: { kind: 'cost', than: 2 },
    rounds: 5,
  };
}

const examples = (): string[] =>
  readdirSync(EXAMPLES)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length));

/** Proofs are kept by content: what the second synth of the same scripts costs beside the first. */
export function synthBenchmarks(): Measured[] {
  return [
    ...examples().map(firstSynth),
    {
      name: 'synth: all scripts of a user again',
      ours: { label: 'second synth in a process', measure: () => inFreshProcess(synth(2)) },
      alternative: { label: 'first synth in a process', measure: () => inFreshProcess(synth(1)) },
      unit: 'ms',
      goal: { kind: 'faster', than: 30 },
      rounds: 3,
    },
  ];
}
