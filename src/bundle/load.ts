/**
 * Loads a program that is one file, without compiling it: beside the file is what V8 made of it when the package was built.
 * V8 checks its own release and flags and the length of the text; the digest stands for every byte of both files.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { runInThisContext, Script } from 'node:vm';

const DIGEST_LENGTH = 32;

const loaded = new Map<string, unknown>();

/** What a program exports. It runs once. */
export function load<Exports>(file: string): Exports {
  if (!loaded.has(file)) loaded.set(file, fromCode(file) ?? require(file));
  return loaded.get(file) as Exports;
}

/**
 * Keeps what V8 makes of a program while somebody uses it: functions that run are compiled, all others are not. It serves
 * the release of Node that runs this.
 */
export async function keepCode<Exports>(file: string, use: (exports: Exports) => Promise<void>): Promise<void> {
  const program = readFileSync(file);
  const script = scriptOf(file, program);
  await use(run<Exports>(script, file));
  const code = script.createCachedData();
  writeFileSync(codeFileOf(file), Buffer.concat([digestOf(program, code), code]));
}

/** Undefined where there is no code for this process, or other code than what was made of the file. */
function fromCode(file: string): unknown {
  const kept = isMainContext() ? readIfThere(codeFileOf(file)) : undefined;
  if (kept === undefined) return undefined;
  const program = readFileSync(file);
  const code = kept.subarray(DIGEST_LENGTH);
  if (!digestOf(program, code).equals(kept.subarray(0, DIGEST_LENGTH))) return undefined;
  return run(scriptOf(file, program, code), file);
}

/** Jest runs tests in a context of its own, where a script of this one meets other classes: another Array, another Error. */
function isMainContext(): boolean {
  return runInThisContext('globalThis') === globalThis;
}

/** Another release of V8 or another processor has another file. */
function codeFileOf(file: string): string {
  return `${file}.${process.versions.v8}-${process.arch}.code`;
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function digestOf(program: Buffer, code: Buffer): Buffer {
  return createHash('sha256').update(`${program.length}\n`).update(program).update(code).digest();
}

/**
 * The text has only ASCII characters, so that it need not be decoded, and no `import()`, which code cannot have. V8 keeps the
 * name of the script with its code, so it is the same in every folder: stack traces do not name the machine that built it.
 */
function scriptOf(file: string, program: Buffer, cachedData?: Buffer): Script {
  const filename = `rollout-constructs/${basename(file)}`;
  return new Script(Module.wrap(program.toString('latin1')), { filename, ...(cachedData && { cachedData }) });
}

function run<Exports>(script: Script, file: string): Exports {
  const module = { exports: {} as Exports };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return module.exports;
}
