import { ApiObject, type App } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { World } from '../core/world';

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

/** The Worlds of an app's stacks in its present synth; undefined between two synths. */
const synths = new WeakMap<IConstruct, Map<IConstruct, World> | undefined>();

/**
 * Makes a synth of an app read the objects once. cdk8s validates the whole app again for every chart, so that the cost would be
 * the number of charts times the number of objects.
 */
export function readOncePerSynth(root: IConstruct): void {
  if (synths.has(root) || !isApp(root)) return;
  synths.set(root, undefined);
  const { synth, synthYaml } = root;
  const within = <T>(run: () => T): T => {
    synths.set(root, new Map());
    try {
      return run();
    } finally {
      synths.set(root, undefined);
    }
  };
  root.synth = () => within(() => synth.call(root));
  root.synthYaml = () => within(() => synthYaml.call(root));
}

// A test may have no App, and an app another copy of cdk8s.
function isApp(root: IConstruct): root is App {
  return 'synth' in root && 'synthYaml' in root;
}

/**
 * All objects of a stack, for one construct that validates itself. A validation of an app asks each construct once, so
 * the objects are read again only when a construct asks a second time.
 */
export function worldOfValidation(stack: IConstruct, asker: IConstruct): World {
  const ofSynth = synths.get(stack.node.root);
  const known = ofSynth?.get(stack);
  if (known !== undefined) return known;
  const world = worldNow(stack, asker);
  ofSynth?.set(stack, world);
  return world;
}

function worldNow(stack: IConstruct, asker: IConstruct): World {
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
