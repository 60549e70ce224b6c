import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Manifest } from '../core/manifest';
import type { World } from '../core/world';
import { stackOf } from './stack';
import { isLaterPassOfSynth } from './synth-pass';

// Loaded at the first use, because most of what loads this library needs only a part of it.
const worldModule = () => require('../core/world') as typeof import('../core/world');
const manifestModule = () => require('../core/manifest') as typeof import('../core/manifest');

/** The World of one validation of an app, and who has asked for it. */
interface Pass {
  readonly world: World;
  asked: Set<IConstruct>;
}

const passes = new WeakMap<IConstruct, Pass>();

/**
 * All objects of the stack that a construct belongs to, whichever chart they are in. Each knows the path of its construct.
 *
 * Built once per synth: a validation asks every construct once, so a construct that asks again has come to the next
 * validation, and the app may have changed since, unless it is one of those that a single synth makes.
 *
 * @param asker The construct that is being validated.
 */
export function worldOf(asker: IConstruct): World {
  const stack = stackOf(asker);
  const current = passes.get(stack);
  if (current !== undefined && (!current.asked.has(asker) || isLaterPassOfSynth())) {
    if (current.asked.has(asker)) current.asked = new Set();
    current.asked.add(asker);
    return current.world;
  }
  const world = readWorld(stack);
  passes.set(stack, { world, asked: new Set([asker]) });
  return world;
}

/** All objects below a construct as they are now. */
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
