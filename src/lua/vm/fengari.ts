import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { Token } from '../syntax/token';
import { limits, luaMachine, scannerTable, strings, TokenFeed, tokenFeed } from './fengari-modules';
import { PATCHES, type SourcePatch } from './fengari-patches';

/** What is taken from fengari: its parser and code generator. Everything that runs scripts is this library's own. */
const TAKEN = ['defs', 'lcode', 'lfunc', 'ljstype', 'llimits', 'lobject', 'lopcodes', 'lparser', 'luaconf'] as const;

/** A constant of a compiled function, as fengari keeps it. */
export interface FengariConstant {
  readonly type: number;
  readonly value: null | boolean | number | { readonly text: string };
}

/** One instruction of fengari's virtual machine. */
export interface FengariInstruction {
  readonly opcode: number;
  readonly A: number;
  readonly B: number;
  readonly C: number;
  readonly Ax: number;
  readonly Bx: number;
  readonly sBx: number;
}

/** A function as fengari's code generator leaves it. */
export interface FengariPrototype {
  readonly k: readonly FengariConstant[];
  readonly p: readonly FengariPrototype[];
  readonly code: readonly FengariInstruction[];
  readonly lineinfo: readonly number[];
  readonly upvalues: readonly { readonly instack: boolean; readonly idx: number; readonly name: { text: string } }[];
  readonly numparams: number;
  readonly is_vararg: boolean;
  readonly maxstacksize: number;
  readonly linedefined: number;
  /** Names of called expressions by instruction; see `PATCHES`. */
  readonly callnames?: Readonly<Record<number, { readonly text: string }>>;
  /** True when a vararg function has the local `arg`; see `PATCHES`. */
  readonly hasArg?: boolean;
}

/** The parts of fengari's compiler that this library calls. */
export interface FengariCompiler {
  /** Compiles the tokens of a script that is known to parse. */
  compile(tokens: readonly Token[]): FengariPrototype;
  /** Names of the instructions; an opcode is an index. */
  readonly opcodes: readonly string[];
}

/**
 * Loads fengari's compiler as a private copy: its files are read and compiled here, apart from Node's module cache, so that
 * what this library changes is not seen by anybody else who uses fengari in the process.
 */
export function loadFengari(): FengariCompiler {
  const folder = dirname(createRequire(__filename).resolve('fengari/package.json'));
  const loaded = new Map<string, Record<string, unknown>>(Object.entries(replacements()));
  const load = (name: string): Record<string, unknown> => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    if (!(TAKEN as readonly string[]).includes(name))
      throw new Error(`fengari's ${name} is not part of the private copy`);
    const file = join(folder, 'src', `${name}.js`);
    const module = { exports: {} as Record<string, unknown> };
    loaded.set(name, module.exports);
    const source = patched(name, readFileSync(file, 'utf8'));
    // `process` is withheld: fengari would read FENGARICONF, which is for those who run scripts with it.
    const run = compileFunction(source, ['module', 'exports', 'require', 'process'], { filename: file });
    run(module, module.exports, (path: string) => (path === 'os' ? NO_HOST : load(moduleName(path))), NO_PROCESS);
    return module.exports;
  };
  Object.assign(load('llimits'), limits);
  // biome-ignore lint/suspicious/noExplicitAny: fengari has no types
  const parser = load('lparser') as any;
  // biome-ignore lint/suspicious/noExplicitAny: fengari has no types
  const objects = load('lobject') as any;
  objects.luaO_pushfstring = luaMachine.pushfstring;
  // biome-ignore lint/suspicious/noExplicitAny: fengari has no types
  const opcodes = (load('lopcodes') as any).OpCodes as string[];
  return {
    opcodes,
    compile(tokens) {
      const state = luaMachine.newState();
      const feed = new TokenFeed(tokens);
      return parser.luaY_parser(state, feed, null, new parser.Dyndata(), null, 0).p;
    },
  };
}

const NO_HOST = { platform: () => 'linux' };
const NO_PROCESS = { env: {} };

/** Modules that fengari's compiler asks for and that are written anew here. */
function replacements(): Record<string, Record<string, unknown>> {
  return {
    llex: tokenFeed,
    lstring: strings,
    ltable: scannerTable,
    lvm: luaMachine.lvm,
    ldo: luaMachine.ldo,
    ltm: {},
    ldebug: {},
    lstate: {},
  };
}

function moduleName(path: string): string {
  return path.replace(/^\.\//, '').replace(/\.js$/, '');
}

function patched(name: string, source: string): string {
  return (PATCHES[name] ?? []).reduce((text, patch) => apply(name, text, patch), source);
}

function apply(name: string, source: string, { find, replace }: SourcePatch): string {
  const parts = source.split(find);
  if (parts.length !== 2)
    throw new Error(`fengari's ${name} is not the 0.1.5 that this library is written for: ${find}`);
  return parts.join(replace);
}
