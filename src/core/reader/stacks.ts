/** Which files of one read are for the same cluster: folders of environments hold the same objects, and are no duplicates. */
import { folderName } from '../file-name';
import { groupedBy } from '../grouped';
import type { Manifest } from '../manifest';
import { type Deployment, deploymentsOf } from './deployments';

/** A manifest, and the file that it was read from. */
export interface PlacedManifest {
  readonly manifest: Manifest;
  readonly file: string;
}

/** Files that are deployed together. */
export interface FileStack {
  /** The folders that make the difference: `prod`, `eu/prod`. */
  readonly name: string;
  /** Whether a file belongs to it, alone or with others. */
  has(file: string): boolean;
}

/** Folders whose folders are environments or clusters. */
const PARENTS = new Set(['clusters', 'cluster', 'environments', 'environment', 'envs', 'env', 'overlays', 'stages']);

/** Words that name an environment, alone or in a name such as `prod-eu`. */
const WORDS = new Set([
  ...[
    'dev',
    'develop',
    'development',
    'test',
    'testing',
    'qa',
    'uat',
    'int',
    'integration',
    'sandbox',
    'demo',
    'local',
  ],
  ...['stage', 'staging', 'stg', 'preprod', 'preview', 'nonprod', 'prod', 'production', 'prd', 'live'],
]);

/** With more, the folders are no environments. */
const MOST = 32;

/**
 * The stacks of a read; empty where everything is one stack. Two files are in different stacks only if they declare the same
 * object in folders that differ in one name, and that name is an environment: below a folder such as `overlays` or `clusters`,
 * by words such as `prod`, or because Argo CD or Flux deploy the two folders to different clusters.
 */
export function stacksOf(placed: readonly PlacedManifest[]): FileStack[] {
  const deployments = placed.flatMap(({ manifest, file }) => deploymentsOf(manifest, file));
  const paths = placed.map(({ file }) => foldersOf(file));
  const depthOf = (names: ReadonlySet<string>) =>
    Math.min(...paths.map((path) => path.findIndex((name) => names.has(name))).filter((depth) => depth >= 0));
  const dimensions = dimensionsOf(alternativesOf(placed, deployments)).sort((a, b) => depthOf(a) - depthOf(b));
  if (dimensions.length === 0) return [];
  // Above the folder of all files, names say nothing: a checkout may be below a folder "test".
  const above = sharedFolders(paths);
  const placeOf = (file: string) =>
    dimensions.map((names) =>
      foldersOf(file)
        .slice(above)
        .find((name) => names.has(name)),
    );
  const vectors = [
    ...new Map(placed.map(({ file }) => placeOf(file)).map((one) => [JSON.stringify(one), one])).values(),
  ];
  const whole = vectors.filter((vector): vector is string[] => vector.every((name) => name !== undefined));
  const isEverywhere = vectors.every((vector) => whole.some((stack) => fits(vector, stack)));
  // Without a file for all of its folders, a stack is what its folders have in common with the others.
  const stacks = isEverywhere ? whole : productOf(dimensions.map((names) => [...names].sort()));
  if (stacks.length > MOST) return [];
  return stacks
    .map((vector) => ({
      name: [...new Set(vector)].join('/'),
      has: (file: string) => fits(placeOf(file), vector),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whether a file with these folders belongs to a stack; where it has none, it belongs to all. */
function fits(names: readonly (string | undefined)[], stack: readonly string[]): boolean {
  return names.every((name, index) => name === undefined || name === stack[index]);
}

/** Two names of folders that stand for two environments. */
type Alternatives = readonly [string, string];

function alternativesOf(placed: readonly PlacedManifest[], deployments: readonly Deployment[]): Alternatives[] {
  const found = new Map<string, Alternatives>();
  const named = placed.filter(({ manifest }) => manifest.name !== '');
  for (const same of groupedBy(named, ({ manifest }) => keyOf(manifest)).values()) {
    const files = [...new Set(same.map(({ file }) => file))];
    // The first file differs from every other one; among many, the pairs of the others add nothing.
    for (const file of files) {
      for (const other of files.length > MOST ? files.slice(0, 1) : files) {
        const names = file === other ? undefined : environmentsOf(file, other, deployments);
        if (names !== undefined) found.set(names.join('/'), names);
      }
    }
  }
  return [...found.values()];
}

/** As written: a kustomization may give the object a namespace only later. */
function keyOf({ groupKind, namespace = '', name }: Manifest): string {
  return `${groupKind} ${namespace}/${name}`;
}

/** The two names in which the folders of two files differ, if they are environments. */
function environmentsOf(file: string, other: string, deployments: readonly Deployment[]): Alternatives | undefined {
  const [folders, others] = [foldersOf(file), foldersOf(other)];
  const at = folders.findIndex((name, index) => name !== others[index]);
  const isOne = folders.length === others.length && folders.slice(at + 1).join('/') === others.slice(at + 1).join('/');
  if (at < 0 || !isOne) return undefined;
  const names: Alternatives = [folders[at]!, others[at]!];
  const isKnown =
    PARENTS.has(folders[at - 1]?.toLowerCase() ?? '') ||
    names.every(isEnvironmentName) ||
    areOtherClusters(clustersOf(folders, deployments), clustersOf(others, deployments));
  return isKnown ? names : undefined;
}

function isEnvironmentName(name: string): boolean {
  return name
    .toLowerCase()
    .split(/[-_.]|\d+/)
    .some((word) => WORDS.has(word));
}

function areOtherClusters(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size > 0 && others.size > 0 && [...some].every((cluster) => !others.has(cluster));
}

/** The clusters to which the folders of a file are deployed. The root of the repository may be any folder above. */
function clustersOf(folders: readonly string[], deployments: readonly Deployment[]): ReadonlySet<string> {
  const isBelow = ({ path }: Deployment) => {
    const wanted = path.split('/');
    return folders.some((_, start) =>
      wanted.every(
        (name, index) => name === folders[start + index] || (name === '*' && start + index < folders.length),
      ),
    );
  };
  return new Set(deployments.filter((each) => each.path !== '' && isBelow(each)).map(({ cluster }) => cluster));
}

function foldersOf(file: string): string[] {
  const folder = folderName(file.replaceAll('\\', '/'));
  return folder === '.' ? [] : folder.split('/');
}

/** How many folders all paths begin with. */
function sharedFolders(paths: readonly (readonly string[])[]): number {
  const [first = [], ...others] = paths;
  const end = first.findIndex((name, index) => others.some((path) => path[index] !== name));
  return end < 0 ? first.length : end;
}

/** Names that stand for each other, directly or through others, are one dimension: `dev`, `staging` and `prod`. */
function dimensionsOf(alternatives: readonly Alternatives[]): ReadonlySet<string>[] {
  return alternatives.reduce<ReadonlySet<string>[]>((all, [one, other]) => {
    const isMet = (names: ReadonlySet<string>) => names.has(one) || names.has(other);
    const joined = new Set([...all.filter(isMet).flatMap((names) => [...names]), one, other]);
    return [...all.filter((names) => !isMet(names)), joined];
  }, []);
}

function productOf(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>(
    (all, names) => all.flatMap((vector) => names.map((name) => [...vector, name])),
    [[]],
  );
}
