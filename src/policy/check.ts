import { checkStack, type StackCheckOptions } from '../check';
import { pulumiRules } from '../check/pulumi-rules';
import type { Finding } from '../core/finding';
import { Manifest } from '../core/manifest';
import { World } from '../core/world';
import { stringifiedIn } from '../pulumi/stringified';
import { type Declared, refOf, type StackObject } from './objects';
import { isAside, isIdentity, withoutUnknowns, withTexts } from './unknowns';

/** A finding, and the resource that it is about; undefined where it is about the stack as a whole. */
export interface PolicyFinding {
  readonly finding: Finding;
  readonly urn: string | undefined;
}

/** What is wrong with the objects of one resource, whatever else there is. */
export function checkAlone({ objects }: Declared, options: StackCheckOptions): PolicyFinding[] {
  return objects.flatMap((object) => {
    const variants = object.unknown.length === 0 ? [asTexts([object])] : [asTexts([object]), asAbsent([object])];
    return foundInEach(variants, { ...options, rehearsal: false });
  });
}

/** What is wrong with all objects of a stack, of each cluster by itself; its Rollouts are rehearsed. */
export function checkTogether({ objects, patched }: Declared, options: StackCheckOptions): PolicyFinding[] {
  const clusters = [...new Set(objects.map(({ cluster }) => cluster))];
  const found = clusters.map((cluster) => {
    const external = patched.filter((each) => each.cluster === cluster).map(({ ref }) => ref);
    return checkCluster(
      objects.filter((each) => each.cluster === cluster),
      { ...options, external: [...(options.external ?? []), ...external] },
    );
  });
  // A suppression in code may be for one cluster of several.
  const isUnusedEverywhere = ({ finding }: PolicyFinding) =>
    found.every((each) => each.some((other) => keyOf(other.finding) === keyOf(finding)));
  const stated = ({ finding, urn }: PolicyFinding) => finding.rule === 'suppression-unused' && urn === undefined;
  const all = found.flat().filter((each) => !stated(each) || isUnusedEverywhere(each));
  return [...new Map(all.map((each) => [`${each.urn} ${keyOf(each.finding)}`, each])).values()];
}

function checkCluster(objects: readonly StackObject[], options: StackCheckOptions): PolicyFinding[] {
  if (objects.every(({ unknown }) => unknown.length === 0)) return foundInEach([asTexts(objects)], options);
  // An object of an unknown name may be the very one that another seems to miss.
  if (objects.some(({ unknown }) => unknown.some(isIdentity))) return [];
  const known = objects.filter(({ unknown }) => unknown.every(isAside));
  const external = objects.filter((each) => !known.includes(each)).map(({ object }) => refOf(object));
  const outside = { manifests: asTexts(known).manifests, external };
  return foundInEach([asTexts(objects), asAbsent(objects), outside], options);
}

/** Objects as one of several ways to stand for what is unknown has them. */
interface Variant {
  readonly manifests: readonly Manifest[];
  /** Objects that are there, and of which nothing else is said. */
  readonly external: NonNullable<StackCheckOptions['external']>;
}

function asTexts(objects: readonly StackObject[]): Variant {
  const manifests = objects.map(({ object, urn, unknown }, index) =>
    Manifest.of((unknown.length === 0 ? object : withTexts(object, String(index))) as object, { construct: urn }),
  );
  return { manifests, external: [] };
}

function asAbsent(objects: readonly StackObject[]): Variant {
  const manifests = objects.map(({ object, urn, unknown }) =>
    Manifest.of((unknown.length === 0 ? object : withoutUnknowns(object)) as object, { construct: urn }),
  );
  return { manifests, external: [] };
}

/** What holds in every variant does not depend on what is unknown. */
function foundInEach(variants: readonly Variant[], options: StackCheckOptions): PolicyFinding[] {
  const [first, ...others] = variants.map((variant) => foundIn(variant, options));
  const keys = others.map((found) => new Set(found.map(({ finding }) => keyOf(finding))));
  return first!.filter(({ finding }) => keys.every((each) => each.has(keyOf(finding))));
}

function foundIn({ manifests, external }: Variant, options: StackCheckOptions): PolicyFinding[] {
  const world = World.of(manifests);
  const { findings } = checkStack(world, {
    ...options,
    earlier: manifests.flatMap(stringified),
    external: [...(options.external ?? []), ...external],
  });
  return findings.map(({ construct, ...finding }) => ({
    finding,
    urn: construct ?? (finding.object && world.get(finding.object)?.construct),
  }));
}

/** Outputs that were written into texts, in any field of the object. */
function stringified(manifest: Manifest): Finding[] {
  return stringifiedIn(manifest.object).map((path) =>
    manifest.finding(pulumiRules['pulumi-output-in-text'], {
      message: `${path} holds the text of a warning instead of a value`,
      path,
    }),
  );
}

function keyOf(finding: Finding): string {
  return JSON.stringify(finding);
}
