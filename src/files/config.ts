import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import { type CheckConfig, checkedConfig, checkedFacts } from '../settings/config';
import type { SettingsSource } from '../settings/settings';
import { UserError } from '../settings/user-error';
import type { OwnerFiles } from './owner';
import { toAbsolute, toDisplay, type WorkingFolder } from './paths';

/** A configuration, and the folder that its paths start from. */
export interface LoadedConfig {
  readonly config: CheckConfig;
  readonly folder: string;
  /** As messages call it. */
  readonly name: string;
  readonly text: string;
  /** The files of the owner, if only those count. */
  readonly owner?: OwnerFiles;
}

const NAMES = ['json', 'yaml', 'yml', 'ts'].map((end) => `rollout-constructs.config.${end}`);

/**
 * The configuration that an option names, or the nearest one in the working folder and above; undefined if there is none.
 * @param owner the files of the owner, if only those count
 */
export function loadConfig(io: WorkingFolder, named: string | undefined, owner?: OwnerFiles): LoadedConfig | undefined {
  const has = (file: string) => (owner?.holds(file) ? owner.text(file) !== undefined : existsSync(file));
  const file = named === undefined ? findUpwards(io.cwd, has) : toAbsolute(io, named);
  if (file === undefined) return undefined;
  const name = toDisplay(io, file);
  const text = textOf(file, name, owner);
  if (owner !== undefined && extname(file) === '.ts') {
    throw new UserError(
      `the configuration "${name}" is a program, which --trust owner does not run`,
      'write it in YAML or JSON',
    );
  }
  const value = parsedConfig(file, name, text);
  try {
    return { config: checkedConfig(value, name), folder: dirname(file), name, text, ...(owner && { owner }) };
  } catch (error) {
    if (error instanceof RangeError) throw new UserError(`the configuration "${name}" is nested too deeply`);
    throw error;
  }
}

/** The configuration as a source of settings. */
export function sourceOf(loaded: LoadedConfig | undefined, cwd: string): SettingsSource {
  if (loaded === undefined) return { config: {}, folder: cwd, place: (field) => field };
  const { config, folder, name, text } = loaded;
  const lines = text.split('\n');
  return {
    config,
    folder,
    place: (field) => `${field} of "${name}"`,
    lineOf: (word) => ({
      file: name,
      line: Math.max(1, lines.findIndex((line) => line.includes(word)) + 1),
      column: 1,
    }),
  };
}

/** A source of settings, and after it the facts of the cluster that it names: what it states itself comes first. */
export function withFacts(source: SettingsSource, owner?: OwnerFiles): SettingsSource[] {
  const { config, folder = process.cwd(), place } = source;
  if (config.cluster === undefined) return [source];
  const file = resolve(folder, config.cluster);
  if (owner?.holds(file) ? owner.text(file) === undefined : !existsSync(file)) {
    throw new UserError(
      `${place('cluster')} is "${config.cluster}", and there is no such file`,
      'write one with rollout-constructs cluster pull',
    );
  }
  return [source, factsSource(file, config.cluster, owner)];
}

/** The facts of a cluster in a file. */
export function factsSource(file: string, name: string, owner?: OwnerFiles): SettingsSource {
  const config = checkedFacts(parsedConfig(file, name, textOf(file, name, owner)), name);
  return { config, folder: dirname(file), place: (field) => `${field} of "${name}"` };
}

function findUpwards(folder: string, has: (file: string) => boolean): string | undefined {
  const found = NAMES.map((name) => join(folder, name)).filter(has);
  if (found.length > 1)
    throw new UserError(`there are two configurations: "${found[0]}" and "${found[1]}"`, 'keep one');
  if (found.length === 1) return found[0];
  // Stop at the root of the repository: a configuration above it belongs to another project.
  if (existsSync(join(folder, '.git')) || dirname(folder) === folder) return undefined;
  return findUpwards(dirname(folder), has);
}

/** The text of the file, or of the one that its owner has. */
function textOf(file: string, name: string, owner: OwnerFiles | undefined): string {
  if (owner?.holds(file)) {
    const text = owner.text(file);
    if (text !== undefined) return text;
    throw new UserError(
      `"${name}" is not in "${owner.base}", and --trust owner takes nothing else of this checkout`,
      'have it merged first, or name a file outside of the checkout',
    );
  }
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`cannot read the configuration "${name}": ${(error as Error).message.split(',')[0]}`);
  }
}

function parsedConfig(file: string, name: string, text: string): unknown {
  try {
    if (extname(file) === '.ts') return evaluate(file, text);
    const { parse } = require('yaml') as typeof import('yaml');
    return extname(file) === '.json' ? JSON.parse(text) : parse(text);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`the configuration "${name}" cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** Runs a configuration in TypeScript with the compiler of the user's project. */
function evaluate(file: string, text: string): unknown {
  const requireThere = createRequire(file);
  let ts: typeof import('typescript');
  try {
    ts = requireThere('typescript');
  } catch {
    throw new UserError(
      'a configuration in TypeScript needs the package "typescript"',
      'npm install --save-dev typescript, or write rollout-constructs.config.json',
    );
  }
  const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
  const { outputText } = ts.transpileModule(text, { fileName: file, compilerOptions: options });
  const module = { exports: {} as Record<string, unknown> };
  new Function('module', 'exports', 'require', '__filename', '__dirname', outputText)(
    module,
    module.exports,
    requireThere,
    file,
    dirname(file),
  );
  return module.exports.default ?? module.exports;
}
