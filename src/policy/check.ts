import { checkStack, type StackCheckOptions } from '../check';
import { pulumiRules } from '../check/pulumi-rules';
import { type Finding, identityOf, type ObjectRef } from '../core/finding';
import { Manifest } from '../core/manifest';
import { formatPath } from '../core/path';
import { suppressionRules } from '../core/rules';
import { World } from '../core/world';
import { stringifiedIn } from '../pulumi/stringified';
import type { Declared, StackObject } from './objects';
import { cannotAffectRouting, withoutUnknowns, withTexts } from './unknowns';

const UNUSED = suppressionRules['suppression-unused'].id;

/** A finding, and the resource that it is about; undefined where it is about the stack as a whole. */
export interface PolicyFinding {
  readonly finding: Finding;
  readonly urn: string | undefined;
}

/** The findings of the objects of one resource that do not depend on other objects. */
export function checkAlone({ objects }: Declared, options: StackCheckOptions): PolicyFinding[] {
  return objects
    .filter(isKnown)
    .flatMap((object) => foundWhateverIsUnknown([object], { ...options, rehearsal: false }));
}

/** The findings of all objects of a stack, one cluster at a time; Rollouts are rehearsed. */
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
    found.every((each) => each.some((other) => identityOf(other.finding) === identityOf(finding)));
  const stated = ({ finding, urn }: PolicyFinding) => finding.rule === UNUSED && urn === undefined;
  const all = found.flat().filter((each) => !stated(each) || isUnusedEverywhere(each));
  return [...new Map(all.map((each) => [`${each.urn} ${identityOf(each.finding)}`, each])).values()];
}

function checkCluster(objects: readonly StackObject[], options: StackCheckOptions): PolicyFinding[] {
  // Whether requests go where they should may depend on any of these values.
  return objects.every(isKnown) ? foundWhateverIsUnknown(objects, options) : [];
}

/** Whether everything is known that matters elsewhere. */
function isKnown({ object, unknown }: StackObject): boolean {
  return unknown.every((path) => cannotAffectRouting(object, path));
}

/** The findings that do not depend on unknown values: those with a text in place of each, and also without the field. */
function foundWhateverIsUnknown(objects: readonly StackObject[], options: StackCheckOptions): PolicyFinding[] {
  const found = foundIn(manifestsOf(objects, withTexts), options);
  if (objects.every(({ unknown }) => unknown.length === 0)) return found;
  const also = foundIn(manifestsOf(objects, withoutUnknowns), options);
  const keys = new Set(also.map(({ finding }) => identityOf(finding)));
  return found.filter(({ finding }) => keys.has(identityOf(finding)) && !isOfUnknownList(finding, objects));
}

/** Whether a finding is about a list with an item that is not known: what the list lacks may be that item. */
function isOfUnknownList({ object, path }: Finding, objects: readonly StackObject[]): boolean {
  return objects.some((each) => {
    const isMeant = isSameObject(Manifest.of(each.object as object).ref, object);
    const lists = each.unknown.filter((place) => typeof place.at(-1) === 'number').map((place) => place.slice(0, -1));
    return isMeant && lists.some((list) => formatPath(list) === path);
  });
}

function isSameObject(a: ObjectRef, b: ObjectRef | undefined): boolean {
  return a.kind === b?.kind && a.name === b.name && a.namespace === b.namespace;
}

function manifestsOf(objects: readonly StackObject[], filled: (object: unknown) => unknown): Manifest[] {
  return objects.map(({ object, urn, unknown }) =>
    Manifest.of((unknown.length === 0 ? object : filled(object)) as object, { construct: urn }),
  );
}

function foundIn(manifests: readonly Manifest[], options: StackCheckOptions): PolicyFinding[] {
  const world = World.of(manifests);
  const { findings } = checkStack(world, { ...options, earlier: manifests.flatMap(stringified) });
  return findings.map(({ construct, ...finding }) => {
    // A suppression in code belongs to no resource.
    const object = finding.rule === UNUSED ? undefined : finding.object;
    return { finding, urn: construct ?? (object && world.get(object)?.construct) };
  });
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
