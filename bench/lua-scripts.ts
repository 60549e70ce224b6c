import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { LuaData, LuaScript } from '../src/lua';
import { root } from './harness';

const { compileLua } = require('../lib/lua') as typeof import('../src/lua');
const { readScriptLibrary } = require('../lib/files/scripts/library') as typeof import('../src/files/scripts/library');
const { playSteps } =
  require('../lib/kruise/scripts/case-runner') as typeof import('../src/kruise/scripts/case-runner');
const { readTestdata } = require('../lib/kruise/scripts/testdata') as typeof import('../src/kruise/scripts/testdata');
const { KruiseRolloutVersion } = require('../lib/kruise/version') as typeof import('../src/kruise/version');

/** A script of the library with the inputs that its testdata lead to. */
export interface Subject {
  readonly file: string;
  readonly source: string;
  readonly objs: readonly LuaData[];
  readonly script: LuaScript;
}

let read: readonly Subject[] | undefined;

/** Every script that the library ships and every built-in script of the controller. */
export function subjects(): readonly Subject[] {
  read ??= ['lua_configuration', 'lua_configuration/builtin'].flatMap((folder) =>
    readScriptLibrary(join(root, folder)).scripts.map(subjectOf),
  );
  return read;
}

type LibraryScript = ReturnType<typeof readScriptLibrary>['scripts'][number];

function subjectOf({ file, source, target, testdata }: LibraryScript): Subject {
  const script = compileLua(source);
  const objs = testdata.flatMap((each) => {
    const read = readTestdata(readFileSync(each, 'utf8'), each, target).testdata;
    if (read === undefined) return [];
    const played = playSteps(read, { target, script, scriptFile: file, version: KruiseRolloutVersion.LATEST });
    return 'fault' in played ? [] : played.steps.flatMap(({ obj }) => (obj === undefined ? [] : [obj]));
  }) as unknown as LuaData[];
  // A script that refuses its input has not done its work.
  return { file: relative(root, file), source, objs: objs.filter((obj) => script.run(obj).ok), script };
}
