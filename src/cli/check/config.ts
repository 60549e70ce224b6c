import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { ObjectRef, Severity } from '../../core/finding';
import type { Suppression } from '../../core/suppression';
import { toAbsolute, toDisplay } from '../files';
import type { Io } from '../io';
import { UserError } from '../user-error';
import type { VersionTexts } from '../versions';

/**
 * What `rollout-constructs check` does by default, as `rollout-constructs.config.{json,yaml,ts}` says it.
 *
 * @example
 * // rollout-constructs.config.ts
 * import type { CheckConfig } from 'rollout-constructs';
 * const config: CheckConfig = { files: ['deploy'], versions: { kruise: '0.6', istio: '1.24' }, maxWarnings: 0 };
 * export default config;
 */
export interface CheckConfig {
  /**
   * The files and folders that are checked when none are named, from where the configuration file is.
   * @default - files have to be named
   */
  readonly files?: readonly string[];
  /**
   * The releases that the manifests are for.
   * @default - the newest that are known
   */
  readonly versions?: VersionTexts;
  /**
   * The namespace of Kruise Rollouts' controller.
   * @default - that of the install, or 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
  /**
   * Objects that exist in the cluster although they are not in these files.
   * @default - none
   */
  readonly external?: readonly ObjectRef[];
  /**
   * Whether Rollouts are rehearsed.
   * @default true
   */
  readonly rehearsal?: boolean;
  /**
   * Requests that are sent beside those that are derived.
   * @default - none
   */
  readonly probes?: readonly string[];
  /**
   * Rules that weigh more or less than they do by default, by their ids.
   * @default - each as its page says
   */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>;
  /**
   * Findings that are accepted as they are.
   * @default - those that annotations accept
   */
  readonly suppressions?: readonly Omit<Suppression, 'construct'>[];
  /**
   * More warnings than these end with exit code 1.
   * @default - any number of warnings is let through
   */
  readonly maxWarnings?: number;
  /**
   * The file of findings that are known already, from where the configuration file is.
   * @default - none
   */
  readonly baseline?: string;
}

/** A configuration, and the folder that its paths start from. */
export interface LoadedConfig {
  readonly config: CheckConfig;
  readonly folder: string;
  /** As messages call it. */
  readonly name: string;
}

const NAMES = ['json', 'yaml', 'yml', 'ts'].map((end) => `rollout-constructs.config.${end}`);

/** The configuration that an option names, or the one in the folder or above it; undefined when there is none. */
export function loadConfig(io: Pick<Io, 'cwd'>, named: string | undefined): LoadedConfig | undefined {
  const file = named === undefined ? findUpwards(io.cwd) : toAbsolute(io, named);
  if (file === undefined) return undefined;
  const name = toDisplay(io, file);
  const value = readValue(file, name);
  try {
    return { config: checkedConfig(value, name), folder: dirname(file), name };
  } catch (error) {
    if (error instanceof RangeError) throw new UserError(`the configuration "${name}" is nested too deeply`);
    throw error;
  }
}

function findUpwards(folder: string): string | undefined {
  const found = NAMES.map((name) => join(folder, name)).filter((file) => existsSync(file));
  if (found.length > 1)
    throw new UserError(`there are two configurations: "${found[0]}" and "${found[1]}"`, 'keep one');
  if (found.length === 1) return found[0];
  // A project ends where its repository does: what lies above belongs to somebody else.
  if (existsSync(join(folder, '.git')) || dirname(folder) === folder) return undefined;
  return findUpwards(dirname(folder));
}

function readValue(file: string, name: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`cannot read the configuration "${name}": ${(error as Error).message.split(',')[0]}`);
  }
  try {
    if (extname(file) === '.ts') return evaluate(file, text);
    const { parse } = require('yaml') as typeof import('yaml');
    return extname(file) === '.json' ? JSON.parse(text) : parse(text);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`the configuration "${name}" cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** Runs a configuration in TypeScript, with the compiler that the project has anyway. */
function evaluate(file: string, text: string): unknown {
  const requireThere = createRequire(file);
  let ts: typeof import('typescript');
  try {
    ts = requireThere('typescript');
  } catch {
    throw new UserError(
      'a configuration in TypeScript needs the package "typescript" beside it',
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

/** A configuration from wherever it was written down; one that is wrong is a `UserError` that names the field. */
export function checkedConfig(value: unknown, name: string): CheckConfig {
  const { isJsonObject } = require('../../core/json') as typeof import('../../core/json');
  if (value === null || value === undefined) return {};
  const plain = JSON.parse(JSON.stringify(value)) as import('../../core/json').Json;
  if (!isJsonObject(plain)) throw new UserError(`the configuration "${name}" is not an object`);
  const { errorText, fieldText, pruneObject, validateValue } =
    require('../../core/schema') as typeof import('../../core/schema');
  const { didYouMean } = require('../../core/did-you-mean') as typeof import('../../core/did-you-mean');
  const { configSchema } = require('./config-schema') as typeof import('./config-schema');
  const [unknown] = pruneObject(plain, configSchema).unknown.concat(rootKeys(plain));
  if (unknown !== undefined) {
    const field = String(unknown.path.at(-1));
    const meant = didYouMean(field, unknown.known);
    throw new UserError(
      `the configuration "${name}" has an unknown field "${fieldText(unknown.path)}"${meant ? `; did you mean "${meant}"?` : ''}`,
      `there are: ${unknown.known.filter((key) => unknown.path.length > 1 || !ROOT_KEYS.includes(key)).join(', ')}`,
    );
  }
  const [error] = validateValue(plain, configSchema);
  if (error === undefined) return plain as CheckConfig;
  throw new UserError(`the configuration "${name}" is wrong at "${fieldText(error.path)}": ${errorText(error)}`);
}

const ROOT_KEYS = ['apiVersion', 'kind', 'metadata'];

/** The walker takes every object for one of Kubernetes, and lets these pass. */
function rootKeys(value: object) {
  const { configSchema } = require('./config-schema') as typeof import('./config-schema');
  const known = Object.keys(configSchema.properties!);
  return ROOT_KEYS.filter((key) => Object.hasOwn(value, key)).map((key) => ({ path: [key], known }));
}
