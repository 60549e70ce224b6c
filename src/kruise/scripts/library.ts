import { baseName, joinedPath } from '../../core/file-name';
import { lazy } from '../../core/lazy';
import { remembered } from '../../core/remembered';
import { KruiseRolloutVersion } from '../version';
import { PackagedFolder } from './packaged-folder';
import { type ScriptFolder, ScriptLibraryError } from './script-folder';

export { ScriptLibraryError } from './script-folder';

/** What a script routes: the canary Ingresses of a class, or objects of a kind in `customNetworkRefs`. */
export type ScriptTarget =
  | {
      readonly provider: 'ingress';
      /** `trafficRoutings[].ingress.classType`, or `nginx` if that is empty. */
      readonly classType: string;
    }
  | {
      readonly provider: 'custom';
      /** The API group of the object: `networking.istio.io`. */
      readonly group: string;
      /** `VirtualService` */
      readonly kind: string;
    };

/** A routing script from any source. */
export interface RoutingScript {
  readonly target: ScriptTarget;
  /** The end of the ConfigMap key: `ingress.aws-alb`, `HTTPProxy.projectcontour.io`. */
  readonly name: string;
  readonly file: string;
  readonly source: string;
  /** The testdata files; absent for a script outside a library. */
  readonly testdata?: readonly string[];
}

/** Routing scripts that are given together: a `LuaScripts`. */
export interface ScriptSet {
  /** The scripts, in the order given. */
  readonly scripts: readonly RoutingScript[];
}

/** One script of a library. */
export interface LibraryScript extends RoutingScript {
  /** The testdata files, sorted by name. */
  readonly testdata: readonly string[];
}

/** The scripts of one folder. */
export interface ScriptLibrary {
  readonly folder: string;
  /** Ingress scripts first, then custom ones, each sorted by name. */
  readonly scripts: readonly LibraryScript[];
  /** Lua files at a path where no script is expected, for example a misspelt `trafficRouting.lua`. */
  readonly unused: readonly string[];
  /** The script for an Ingress class or a kind; undefined if the library has none. */
  find(target: ScriptTarget): LibraryScript | undefined;
}

const INGRESS_FOLDER = 'trafficrouting_ingress';
const CUSTOM_FILE = 'trafficRouting.lua';
const TESTDATA_FOLDER = 'testdata';

/** The name of a script in the ConfigMap's keys: `ingress.nginx`, `VirtualService.networking.istio.io`. */
export function scriptName(target: ScriptTarget): string {
  return target.provider === 'ingress' ? `ingress.${target.classType}` : `${target.kind}.${target.group}`;
}

/**
 * The scripts of a folder in upstream's layout, such as the `lua_configuration` of a fork:
 *
 *     trafficrouting_ingress/<classType>.lua           testdata/<classType>/<case>.yaml next to it
 *     <group>/<Kind>/trafficRouting.lua                testdata/<case>.yaml next to it
 *
 * @throws ScriptLibraryError if the folder has no script.
 */
export function libraryIn(reader: ScriptFolder): ScriptLibrary {
  const scripts = [...ingressScripts(reader), ...customScripts(reader)].sort(byProviderAndName);
  if (scripts.length === 0) throw new ScriptLibraryError(noScript(reader));
  const used = new Set(scripts.map((script) => script.file));
  const unused = luaFiles(reader).filter((file) => !used.has(file));
  return libraryOf(reader.folder, scripts, unused);
}

/** Creates a library from scripts. */
export function libraryOf(
  folder: string,
  scripts: readonly LibraryScript[],
  unused: readonly string[] = [],
): ScriptLibrary {
  const byTarget = new Map(scripts.map((script) => [identity(script.target), script]));
  return { folder, scripts, unused, find: (target) => byTarget.get(identity(target)) };
}

/** A unique key of a target. The name is not unique: an Ingress class may have the name of a kind and its group. */
function identity(target: ScriptTarget): string {
  return JSON.stringify(target.provider === 'ingress' ? [target.classType] : [target.group, target.kind]);
}

/** The scripts that this package ships for use in a ConfigMap, as they are built into it. */
export const packagedScripts = lazy(() => libraryIn(new PackagedFolder()));

/** Built-in scripts of older controllers that differ from the latest, and the versions that have them. */
const OLDER_BUILTINS: readonly {
  readonly folder: string;
  readonly appliesTo: (version: KruiseRolloutVersion) => boolean;
}[] = [
  // Release 0.6 added matches without headers (path and query parameters), and the scripts' guards for them.
  { folder: 'before-0.6', appliesTo: (version) => !version.facts.pathAndQueryMatches },
  // Release 0.4 added requestHeaderModifier to ingress scripts, and the order to aliyun-alb.
  { folder: 'before-0.4', appliesTo: (version) => !version.facts.ingressRequestHeaderModifier },
];

/**
 * Models of the scripts in the controller's image, to predict what the controller does. Reads them once.
 *
 * @throws ScriptLibraryError if the facts of the version name a built-in script that has no model.
 */
export function builtinScripts(version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST): ScriptLibrary {
  return readBuiltins(version);
}

const readBuiltins = remembered((version: KruiseRolloutVersion): ScriptLibrary => {
  const folder = 'lua_configuration/builtin';
  const older = OLDER_BUILTINS.filter(({ appliesTo }) => appliesTo(version)).map(
    (entry) => `${folder}/${entry.folder}`,
  );
  const models = [folder, ...older].flatMap((path) => libraryIn(new PackagedFolder(path)).scripts);
  const byName = new Map(models.map((script) => [script.name, script]));
  const { builtinIngressScripts, builtinCustomScripts } = version.facts;
  const names = [...builtinIngressScripts.map((classType) => `ingress.${classType}`), ...builtinCustomScripts];
  const scripts = names.map((name) => byName.get(name) ?? noModel(name, version));
  return libraryOf(folder, scripts.sort(byProviderAndName));
});

function noModel(name: string, version: KruiseRolloutVersion): never {
  throw new ScriptLibraryError(
    `the facts of Kruise Rollouts ${version} list the built-in script "${name}", which has no model: ` +
      'remove it from the facts, and add the script to the ConfigMap',
  );
}

function ingressScripts(reader: ScriptFolder): LibraryScript[] {
  return reader.files(['.lua'], INGRESS_FOLDER).map((file) => {
    const classType = baseName(file, '.lua');
    const testdata = reader.files(['.yaml', '.yml'], INGRESS_FOLDER, TESTDATA_FOLDER, classType);
    return scriptOf(reader, { provider: 'ingress', classType }, file, testdata);
  });
}

function customScripts(reader: ScriptFolder): LibraryScript[] {
  return groupsAndKinds(reader).flatMap(([group, kind]) => {
    const file = reader.files(['.lua'], group, kind).find((path) => baseName(path) === CUSTOM_FILE);
    if (file === undefined) return [];
    const testdata = reader.files(['.yaml', '.yml'], group, kind, TESTDATA_FOLDER);
    return [scriptOf(reader, { provider: 'custom', group, kind }, file, testdata)];
  });
}

function scriptOf(
  reader: ScriptFolder,
  target: ScriptTarget,
  file: string,
  testdata: readonly string[],
): LibraryScript {
  return { target, name: scriptName(target), file, source: reader.read(file), testdata };
}

function groupsAndKinds(reader: ScriptFolder): [group: string, kind: string][] {
  return reader
    .folders()
    .filter((group) => group !== INGRESS_FOLDER)
    .flatMap((group) => reader.folders(group).map((kind): [string, string] => [group, kind]));
}

/** Every Lua file at a depth where a user may expect a script. */
function luaFiles(reader: ScriptFolder): string[] {
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

function noScript(reader: ScriptFolder): string {
  const nested = 'lua_configuration';
  const hint = reader.has(nested) ? `; did you mean "${joinedPath(reader.named, nested)}"?` : '';
  return (
    `no Lua script in "${reader.named}": expected ${INGRESS_FOLDER}/<classType>.lua ` +
    `or <group>/<Kind>/${CUSTOM_FILE} below it${hint}`
  );
}
