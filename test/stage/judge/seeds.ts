/** Valid objects: the stacks beside this file, and what the examples of this repository write. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type JsonObject, parseManifests } from '../../../src/core';
import { printedExamples } from '../../printed-examples';
import { type Mutation, sizeOf, someMutationsOf } from './mutate';

/** A valid object, and the mutants of it that are judged. */
export interface Seed {
  /** The namespace in which it lives, which no other stack has. */
  readonly stack: string;
  readonly object: JsonObject;
  readonly mutations: readonly Mutation[];
}

const STACKS = join(__dirname, 'seeds');
const OTHERS = join(__dirname, 'others');

/** Kinds of the examples that have mutants. */
const OF_EXAMPLES = [
  'AnalysisTemplate',
  'Deployment',
  'HTTPRoute',
  'Ingress',
  'Rollout',
  'Service',
  'TrafficRouting',
  'VirtualEnvironment',
  'VirtualService',
];

/** How many mutants an object has, by each of its values. */
const PER_VALUE = { stack: 4.5, example: 0.5 };

/** All seeds, in the order in which they are applied. */
export function allSeeds(): Seed[] {
  return [...stacksIn(STACKS), ...examples()];
}

/** Seeds of kinds that releases only touch. Nothing of them has to run. */
export function otherSeeds(): Seed[] {
  return stacksIn(OTHERS);
}

function stacksIn(folder: string): Seed[] {
  return readdirSync(folder).flatMap((file) => {
    const objects = parseManifests(readFileSync(join(folder, file), 'utf8'), file).manifests.map(
      ({ object }) => object,
    );
    return objects.map((object) => seedOf(`judge-${basename(file, '.yaml')}`, object, PER_VALUE.stack));
  });
}

function examples(): Seed[] {
  return Object.entries(printedExamples()).flatMap(([name, { stdout: text }]) =>
    parseManifests(text, name)
      .manifests.filter(({ kind }) => OF_EXAMPLES.includes(kind))
      .map(({ object }) => seedOf(`judge-${basename(name, '.ts')}`, object, PER_VALUE.example)),
  );
}

function seedOf(stack: string, object: JsonObject, perValue: number): Seed {
  const { namespace, ...metadata } = object.metadata as JsonObject;
  const isClusterWide =
    namespace === undefined || object.kind === 'Namespace' || object.kind === 'ClusterAnalysisTemplate';
  const placed = { ...object, metadata: { ...metadata, ...(!isClusterWide && { namespace: stack }) } };
  const count = Math.ceil(sizeOf(placed) * perValue);
  const name = `${stack} ${object.apiVersion} ${object.kind} ${metadata.name}`;
  return { stack, object: placed, mutations: someMutationsOf(placed, count, name) };
}
