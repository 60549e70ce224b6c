/** What differs between stacks of one repository and matters for a release: other steps, other routes, other releases. */

import { groupedBy } from '../core/grouped';
import { asList, asObject, type Json, type JsonObject, sameJson } from '../core/json';
import type { Manifest } from '../core/manifest';
import { type Cluster, describeVersions } from '../settings/cluster';

/** One of several stacks. */
export interface NamedStack {
  /** `prod` */
  readonly name: string;
  readonly manifests: readonly Manifest[];
  readonly cluster: Cluster;
}

const SUBJECTS = new Set(['Rollout.rollouts.kruise.io', 'TrafficRouting.rollouts.kruise.io', 'Rollout.argoproj.io']);

/**
 * One sentence for each difference.
 * @example differencesOf(stacks) // ['Rollout web has other steps: 50%, 100% in staging; 5%, 20%, 100% in prod']
 */
export function differencesOf(stacks: readonly NamedStack[]): string[] {
  const subjects = stacks.flatMap(({ name, manifests }) =>
    manifests.filter(({ groupKind }) => SUBJECTS.has(groupKind)).map((manifest) => ({ name, manifest })),
  );
  // Not by namespace, which may be what differs.
  const byName = groupedBy(subjects, ({ manifest }) => `${manifest.groupKind} ${manifest.name}`);
  const rollouts = [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, same]) => ofSubject(same, stacks));
  return [...ofVersions(stacks), ...rollouts];
}

function ofVersions(stacks: readonly NamedStack[]): string[] {
  const versions = stacks.map(({ name, cluster }) => ({ name, versions: describeVersions(cluster) }));
  const titles = Object.keys(versions[0]?.versions ?? {});
  return titles.flatMap((title) => {
    const values = versions.map((each) => ({ name: each.name, value: each.versions[title]! }));
    return sentence(`${title} has other releases`, values);
  });
}

/** A Rollout in one stack. */
interface Subject {
  readonly name: string;
  readonly manifest: Manifest;
}

function ofSubject(subjects: readonly Subject[], stacks: readonly NamedStack[]): string[] {
  const { kind, name } = subjects[0]!.manifest;
  const here = new Map(subjects.map((each) => [each.name, each.manifest]));
  // Two of one name in one stack have other namespaces; which belongs to which is not known.
  if (here.size < subjects.length || here.size < 2) return [];
  const present = stacks.filter((stack) => here.has(stack.name));
  const parts = present.map((stack) => ({ stack: stack.name, ...partsOf(here.get(stack.name)!) }));
  const of = (what: string, part: 'style' | 'steps' | 'routes') =>
    sentence(
      `${kind} ${name} ${what}`,
      parts.map((each) => ({ name: each.stack, value: each[part] })),
    );
  const style = of('has another strategy', 'style');
  const routes = parts.every(({ routing }) => sameJson(routing, parts[0]!.routing))
    ? []
    : of('has other routes', 'routes');
  return [...style, ...(style.length > 0 ? [] : of('has other steps', 'steps')), ...routes];
}

/** `<what>: <value> in <name and name>; …`; nothing if all are equal. */
function sentence(what: string, values: readonly { readonly name: string; readonly value: string }[]): string[] {
  const names = groupedBy(values, ({ value }) => value);
  if (names.size < 2) return [];
  const texts = [...names].map(([value, same]) => `${value} in ${same.map(({ name }) => name).join(' and ')}`);
  return [`${what}: ${texts.join('; ')}`];
}

function partsOf({ object }: Manifest) {
  const spec = asObject(object.spec);
  const { canary, blueGreen } = asObject(spec.strategy);
  const style = blueGreen === undefined ? 'canary' : 'blue-green';
  const strategy = asObject(canary ?? blueGreen);
  const routing = strategy.trafficRoutings ?? strategy.trafficRouting ?? spec.objectRef ?? null;
  return { style, steps: stepsText(asList(strategy.steps)), routing, routes: routesText(routing) };
}

function stepsText(steps: readonly Json[]): string {
  const texts = steps.flatMap((step) => stepText(asObject(step)) ?? []);
  return texts.length === 0 ? 'no steps' : texts.join(', ');
}

/** A step in a few words; a pause of Argo divides steps, and is none. */
function stepText({ traffic, weight, matches, replicas, setWeight, ...rest }: JsonObject): string | undefined {
  const share = traffic ?? (weight === undefined ? setWeight : weight);
  const percent = typeof share === 'number' ? `${share}%` : share;
  const found = asList(matches).length;
  const texts = [
    ...(percent === undefined ? [] : [String(percent)]),
    ...(found === 0 ? [] : [`${found} match${found === 1 ? '' : 'es'}`]),
  ];
  if (texts.length > 0) return texts.join(' and ');
  if (replicas !== undefined) return `${replicas} replicas`;
  const [other] = Object.keys(rest).filter((key) => key !== 'pause');
  return other;
}

function routesText(routing: Json): string {
  const list = Array.isArray(routing) ? routing : [routing];
  const routers = list.flatMap((each) => {
    const { service: _service, gracePeriodSeconds: _grace, ...kinds } = asObject(each);
    return Object.entries(kinds).map(([kind, value]) => `${kind} ${JSON.stringify(value)}`);
  });
  return routers.length === 0 ? 'none' : routers.join(', ');
}
