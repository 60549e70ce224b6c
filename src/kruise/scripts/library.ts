import { basename, join, resolve } from 'node:path';
import { KruiseRolloutVersion } from '../version';
import { FolderReader, ScriptLibraryError } from './folder-reader';

export { ScriptLibraryError } from './folder-reader';

/** What a script routes: the canary Ingresses of a class, or the objects of a kind named in `customNetworkRefs`. */
export type ScriptTarget =
  | {
      readonly provider: 'ingress';
      /** `trafficRoutings[].ingress.classType`, `nginx` where that is empty. */
      readonly classType: string;
    }
  | {
      readonly provider: 'custom';
      /** The `apiVersion` of the object up to the slash: `networking.istio.io`. */
      readonly group: string;
      /** `VirtualService` */
      readonly kind: string;
    };

/** A script, wherever it comes from. */
export interface RoutingScript {
  readonly target: ScriptTarget;
  /** As at the end of the ConfigMap's key: `ingress.aws-alb`, `HTTPProxy.projectcontour.io`. */
  readonly name: string;
  readonly file: string;
  readonly source: string;
  /** Files with its cases; absent for a script that stands alone and has no place for any. */
  readonly testdata?: readonly string[];
}

/** One script of a library. */
export interface LibraryScript extends RoutingScript {
  /** Its cases, sorted by file name. */
  readonly testdata: readonly string[];
}

/** The scripts of one folder. */
export interface ScriptLibrary {
  readonly folder: string;
  /** Ingress scripts first, then custom ones, each sorted by name. */
  readonly scripts: readonly LibraryScript[];
  /** Lua files which lie where no script is looked for, a misspelt `trafficRouting.lua` for example. */
  readonly unused: readonly string[];
  /** The script for an Ingress class or a kind. A target that no file could be named after has none. */
  find(target: ScriptTarget): LibraryScript | undefined;
}

const INGRESS_FOLDER = 'trafficrouting_ingress';
const CUSTOM_FILE = 'trafficRouting.lua';
const TESTDATA_FOLDER = 'testdata';

/** The package's own folder of scripts: three levels up, both from `src/kruise/scripts` and from `lib/kruise/scripts`. */
export const PACKAGED_FOLDER = resolve(__dirname, '..', '..', '..', 'lua_configuration');

/** What a script is called in the keys of the ConfigMap: `ingress.nginx`, `VirtualService.networking.istio.io`. */
export function scriptName(target: ScriptTarget): string {
  return target.provider === 'ingress' ? `ingress.${target.classType}` : `${target.kind}.${target.group}`;
}

/**
 * Reads a folder of scripts in upstream's layout; a fork's `lua_configuration` is read as it is:
 *
 *     trafficrouting_ingress/<classType>.lua           testdata/<classType>/<case>.yaml beside it
 *     <group>/<Kind>/trafficRouting.lua                testdata/<case>.yaml beside it
 *
 * @throws ScriptLibraryError if there is no such folder, it holds no script, or a link leads out of it.
 *
 * @example
 * for (const script of readScriptLibrary('lua_configuration').scripts) {
 *   console.log(script.name, script.testdata.length);
 * }
 */
export function readScriptLibrary(folder: string): ScriptLibrary {
  const reader = new FolderReader(folder);
  const scripts = [...ingressScripts(reader), ...customScripts(reader)].sort(byProviderAndName);
  if (scripts.length === 0) throw new ScriptLibraryError(noScript(reader));
  const used = new Set(scripts.map((script) => script.file));
  const unused = luaFiles(reader).filter((file) => !used.has(file));
  return libraryOf(reader.folder, scripts, unused);
}

/** Makes a library of scripts that were read before. */
export function libraryOf(
  folder: string,
  scripts: readonly LibraryScript[],
  unused: readonly string[] = [],
): ScriptLibrary {
  const byTarget = new Map(scripts.map((script) => [identity(script.target), script]));
  return { folder, scripts, unused, find: (target) => byTarget.get(identity(target)) };
}

/** Unlike its name, never the same for two targets: an Ingress class may be called as a kind and its group are. */
function identity(target: ScriptTarget): string {
  return JSON.stringify(target.provider === 'ingress' ? [target.classType] : [target.group, target.kind]);
}

let packaged: ScriptLibrary | undefined;

/** The scripts that this package ships for use in a ConfigMap. Read once. */
export function packagedScripts(): ScriptLibrary {
  packaged ??= readScriptLibrary(PACKAGED_FOLDER);
  return packaged;
}

/** Scripts of an older controller that differ from those of the newest, and how its facts tell which it has. */
const OLDER_BUILTINS: readonly {
  readonly folder: string;
  readonly appliesTo: (version: KruiseRolloutVersion) => boolean;
}[] = [
  // The guards against a match without headers came with the matches that need none: path and query parameters.
  { folder: 'before-0.6', appliesTo: (version) => !version.facts.pathAndQueryMatches },
  // Release 0.4 gave ingress scripts the requestHeaderModifier, and aliyun-alb its order.
  { folder: 'before-0.4', appliesTo: (version) => !version.facts.ingressRequestHeaderModifier },
];

const builtins = new WeakMap<KruiseRolloutVersion, ScriptLibrary>();

/**
 * Models of the scripts inside the image of a controller: they behave as those do, for predictions. Read once.
 *
 * @throws ScriptLibraryError if the facts of the version name a built-in script of which there is no model.
 */
export function builtinScripts(version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST): ScriptLibrary {
  const known = builtins.get(version);
  if (known) return known;
  const library = readBuiltins(version);
  builtins.set(version, library);
  return library;
}

function readBuiltins(version: KruiseRolloutVersion): ScriptLibrary {
  const folder = join(PACKAGED_FOLDER, 'builtin');
  const older = OLDER_BUILTINS.filter(({ appliesTo }) => appliesTo(version)).map((entry) => join(folder, entry.folder));
  const models = [folder, ...older].flatMap((path) => readScriptLibrary(path).scripts);
  const byName = new Map(models.map((script) => [script.name, script]));
  const { builtinIngressScripts, builtinCustomScripts } = version.facts;
  const names = [...builtinIngressScripts.map((classType) => `ingress.${classType}`), ...builtinCustomScripts];
  const scripts = names.map((name) => byName.get(name) ?? noModel(name, version));
  return libraryOf(folder, scripts.sort(byProviderAndName));
}

function noModel(name: string, version: KruiseRolloutVersion): never {
  throw new ScriptLibraryError(
    `there is no model of the script "${name}" that the facts of Kruise Rollouts ${version} call built-in: ` +
      'take it out of the facts and give the script in the ConfigMap',
  );
}

function ingressScripts(reader: FolderReader): LibraryScript[] {
  return reader.files(['.lua'], INGRESS_FOLDER).map((file) => {
    const classType = basename(file, '.lua');
    const testdata = reader.files(['.yaml', '.yml'], INGRESS_FOLDER, TESTDATA_FOLDER, classType);
    return scriptOf(reader, { provider: 'ingress', classType }, file, testdata);
  });
}

function customScripts(reader: FolderReader): LibraryScript[] {
  return groupsAndKinds(reader).flatMap(([group, kind]) => {
    const file = reader.files(['.lua'], group, kind).find((path) => basename(path) === CUSTOM_FILE);
    if (file === undefined) return [];
    const testdata = reader.files(['.yaml', '.yml'], group, kind, TESTDATA_FOLDER);
    return [scriptOf(reader, { provider: 'custom', group, kind }, file, testdata)];
  });
}

function scriptOf(
  reader: FolderReader,
  target: ScriptTarget,
  file: string,
  testdata: readonly string[],
): LibraryScript {
  return { target, name: scriptName(target), file, source: reader.read(file), testdata };
}

function groupsAndKinds(reader: FolderReader): [group: string, kind: string][] {
  return reader
    .folders()
    .filter((group) => group !== INGRESS_FOLDER)
    .flatMap((group) => reader.folders(group).map((kind): [string, string] => [group, kind]));
}

/** Every Lua file at a depth where somebody may expect it to be a script. */
function luaFiles(reader: FolderReader): string[] {
  const groups = reader.folders().filter((group) => group !== INGRESS_FOLDER);
  return [
    ...reader.files(['.lua']),
    ...groups.flatMap((group) => reader.files(['.lua'], group)),
    ...groupsAndKinds(reader).flatMap(([group, kind]) => reader.files(['.lua'], group, kind)),
  ];
}

function byProviderAndName(a: LibraryScript, b: LibraryScript): number {
  if (a.target.provider !== b.target.provider) return a.target.provider === 'ingress' ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

function noScript(reader: FolderReader): string {
  const nested = 'lua_configuration';
  const hint = reader.has(nested) ? `; did you mean "${join(reader.named, nested)}"?` : '';
  return (
    `no Lua script in "${reader.named}": expected ${INGRESS_FOLDER}/<classType>.lua ` +
    `or <group>/<Kind>/${CUSTOM_FILE} below it${hint}`
  );
}
