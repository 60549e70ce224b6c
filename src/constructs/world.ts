import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { World } from '../core/world';
import { OncePerSynth } from './once-per-synth';

// Loaded on first use, because most apps need only a part of the library.
const worldModule = () => require('../core/world') as typeof import('../core/world');
const manifestModule = () => require('../core/manifest') as typeof import('../core/manifest');

/** The objects of a stack at one moment. */
interface Snapshot {
  readonly texts: readonly string[];
  readonly world: World;
}

/** The last World of each stack, and the constructs that have validated themselves against it. */
interface Validation {
  readonly world: World;
  readonly asked: Set<IConstruct>;
}

const snapshots = new WeakMap<IConstruct, Snapshot>();
const texts = new WeakMap<World, readonly string[]>();
const validations = new WeakMap<IConstruct, Validation>();

const ofSynth = new OncePerSynth<World>();

/**
 * All objects of a stack, for one construct that validates itself. Outside of a synth, a validation of an app asks each
 * construct once, so the objects are read again only when a construct asks a second time.
 */
export function worldOfValidation(stack: IConstruct, asker: IConstruct): World {
  return ofSynth.of(
    stack,
    () => worldOf(stack),
    () => worldSinceAsked(stack, asker),
  );
}

/** Says that one more construct validates itself, which the last validation did not ask. */
export function addAsker(stack: IConstruct): void {
  validations.delete(stack);
}

function worldSinceAsked(stack: IConstruct, asker: IConstruct): World {
  const current = validations.get(stack);
  if (current !== undefined && !current.asked.has(asker)) {
    current.asked.add(asker);
    return current.world;
  }
  const world = worldOf(stack);
  validations.set(stack, { world, asked: new Set([asker]) });
  return world;
}

/**
 * All objects of a stack as they are now, in all charts, with the paths of their constructs. As long as no object changes,
 * this is the same World, with everything that is cached for it.
 */
export function worldOf(stack: IConstruct): World {
  const objects = objectsOf(stack);
  const now = objects.map(({ path, json }) => `${path}\n${JSON.stringify(json)}`);
  const last = snapshots.get(stack);
  if (last !== undefined && isSame(last.texts, now)) return last.world;
  const { Manifest } = manifestModule();
  const world = worldModule().World.of(objects.map(({ path, json }) => Manifest.of(json, { construct: path })));
  snapshots.set(stack, { texts: now, world });
  texts.set(world, now);
  return world;
}

/** All that a World of a stack is made of: of each object the path of its construct, and the object. */
export function textsOf(world: World): readonly string[] {
  return texts.get(world)!;
}

function objectsOf(stack: IConstruct): { readonly path: string; readonly json: object }[] {
  return stack.node.findAll().flatMap((construct) => {
    if (!ApiObject.isApiObject(construct)) return [];
    try {
      return [{ path: construct.node.path, json: construct.toJson() as object }];
    } catch {
      // The object cannot be written. Its own synth reports why.
      return [];
    }
  });
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}
