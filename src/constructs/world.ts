import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Manifest } from '../core/manifest';
import type { World } from '../core/world';

// Loaded at the first use, because most of what loads this library needs only a part of it.
const worldModule = () => require('../core/world') as typeof import('../core/world');
const manifestModule = () => require('../core/manifest') as typeof import('../core/manifest');

/** The World of one synth, and who has asked for it. */
interface Synth {
  readonly world: World;
  readonly asked: Set<IConstruct>;
}

const synths = new WeakMap<IConstruct, Synth>();

/**
 * All objects of the app that a construct belongs to, whichever chart they are in. Each knows the path of its construct.
 *
 * Built once per synth: a synth validates every construct once, so a construct that asks again has come to the next
 * synth, and the app may have changed since.
 *
 * @param asker The construct that is being validated.
 */
export function worldOf(asker: IConstruct): World {
  const { root } = asker.node;
  const current = synths.get(root);
  if (current !== undefined && !current.asked.has(asker)) {
    current.asked.add(asker);
    return current.world;
  }
  const world = readWorld(root);
  synths.set(root, { world, asked: new Set([asker]) });
  return world;
}

/** All objects of an app as they are now. */
export function readWorld(root: IConstruct): World {
  const objects = root.node.findAll().filter((construct) => ApiObject.isApiObject(construct)) as ApiObject[];
  return worldModule().World.of(objects.flatMap(manifestOf));
}

function manifestOf(object: ApiObject): Manifest[] {
  let json: unknown;
  try {
    json = object.toJson();
  } catch {
    // It cannot be written at all, and its own synth says why.
    return [];
  }
  return [manifestModule().Manifest.of(json as object, { construct: object.node.path })];
}
