/** Assigns public names to pages. */
import type { Api, Entry } from './model';

/** A page of the reference: a construct with its own types, or types that several constructs share. */
export interface Page {
  /** The path relative to docs/reference: `constructs/alb-canary-ingress.md`. */
  readonly path: string;
  readonly title: string;
  readonly api: Api;
  /** The subject of the page first, then the types that it uses. */
  readonly entries: readonly Entry[];
}

/** The folder of the pages of an entry point: `constructs`, `pulumi`. */
function folderOf({ entryPoint }: Api): string {
  return entryPoint.name.includes('/') ? entryPoint.name.split('/')[1]! : 'constructs';
}

/** All pages of an entry point: one for each construct and component, one for each class that several use, and the rest. */
export function pagesOf(api: Api): Page[] {
  const folder = folderOf(api);
  const components = api.entries.filter(({ isComponent }) => isComponent);
  if (components.length === 0) {
    return [{ path: `${folder}.md`, title: api.entryPoint.name, api, entries: api.entries }];
  }
  const pageOf = ([owner, own]: readonly [Entry, readonly Entry[]]): Page => ({
    path: `${folder}/${kebab(owner.name)}.md`,
    title: owner.name,
    api,
    entries: [owner, ...[...own].sort((a, b) => rank(owner, a) - rank(owner, b))],
  });
  const byComponent = owned(components, api, api.entries, []);
  const left = without(api.entries, byComponent);
  const byClass = owned(
    left.filter(({ kind }) => kind === 'class'),
    api,
    left,
    components,
  );
  const rest = without(left, byClass);
  const common = { path: `${folder}/common.md`, title: 'What several have in common', api, entries: rest };
  return [...[...byComponent, ...byClass].map(pageOf), ...(rest.length > 0 ? [common] : [])];
}

/** Each owner with its props and with the names that only it uses. Others may use them through the owner. */
function owned(
  owners: readonly Entry[],
  api: Api,
  among: readonly Entry[],
  others: readonly Entry[],
): [Entry, Entry[]][] {
  const reached = new Map([...owners, ...others].map((one) => [one, reachedFrom(one, api)]));
  const uses = (user: Entry, entry: Entry) => reached.get(user)!.has(entry.name);
  const ownerOf = (entry: Entry) => {
    const users = owners.filter((owner) => uses(owner, entry));
    const own = users.find((owner) => isPropsOf(owner, entry));
    if (own !== undefined || users.length !== 1) return own;
    return others.every((other) => !uses(other, entry) || uses(other, users[0]!)) ? users[0] : undefined;
  };
  const open = among.filter((entry) => !owners.includes(entry));
  return owners.map((owner) => [owner, open.filter((entry) => ownerOf(entry) === owner)]);
}

function without(entries: readonly Entry[], placed: readonly (readonly [Entry, readonly Entry[]])[]): Entry[] {
  const gone = new Set(placed.flatMap(([owner, own]) => [owner, ...own]));
  return entries.filter((entry) => !gone.has(entry));
}

function isPropsOf(owner: Entry, { name }: Entry): boolean {
  return name === `${owner.name}Props` || name === `${owner.name}Args`;
}

/** Sorts props first, then classes, then the rest by name. */
function rank(owner: Entry, entry: Entry): number {
  if (isPropsOf(owner, entry)) return 0;
  return entry.kind === 'class' ? 1 : 2;
}

/** The public names that a user of a component needs. */
function reachedFrom(component: Entry, api: Api): ReadonlySet<string> {
  const byName = new Map(api.entries.map((entry) => [entry.name, entry]));
  const reached = new Set<string>();
  const queue = [...component.mentions];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const entry = byName.get(name);
    if (entry === undefined || entry.isComponent || reached.has(name)) continue;
    reached.add(name);
    queue.push(...entry.mentions);
  }
  return reached;
}

export function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}
