/** Asks a real API server, with the webhooks of Kruise, what it says to each mutant. */
import { argoRolloutsCrds } from '../../../src/argo/crds';
import { isJsonObject, type JsonObject } from '../../../src/core';
import { ktenvCrd } from '../../../src/ktenv/crds';
import type { Api, KubernetesObject } from '../cluster/api';
import { applyAll } from '../cluster/apply';
import { sleep } from '../cluster/processes';
import { kruiseRollouts } from '../controllers/kruise-rollouts';
import { type Answer, answerOf, refusal } from './answer';
import { type Mutation, mutated } from './mutate';
import type { Seed } from './seeds';

/** A mutant and the answers to it. */
export interface Judged {
  readonly mutation: Mutation;
  /** Server-side apply of a new object, with force and strict validation of fields. */
  readonly apply: Answer;
  /** Plain creation. */
  readonly create: Answer;
  /** Replacement of the live object; not asked when the mutant is another object. */
  readonly update: Answer;
  /** The same while a release is going on; asked for Rollouts of Kruise. */
  readonly updateInRelease: Answer;
}

/** A seed with the answers to its mutants. */
export interface JudgedSeed {
  readonly seed: Seed;
  /** The live Rollout of Kruise, idle and during a release. */
  readonly live?: { readonly idle: JsonObject; readonly inRelease: JsonObject };
  readonly mutants: readonly Judged[];
}

/** Nothing is in it: an object that is applied here is new. */
const EMPTY = 'judge-new';

/** The stack whose Rollouts release while they are updated. */
const RELEASED = 'judge-kruise';

const AT_ONCE = 16;

/** Asks for all mutants of all seeds. */
export async function judge(api: Api, seeds: readonly Seed[], report: (line: string) => void): Promise<JudgedSeed[]> {
  await prepare(api, seeds);
  const all = seeds.flatMap((seed) => seed.mutations.map((mutation) => ({ seed, mutation })));
  await mustBeAccepted(api, seeds);

  report(`${all.length} mutants are applied and created`);
  const fresh = await inParallel(all, ({ seed, mutation }) => asked(api, mutated(seed.object, mutation), seed.object));

  report('all seeds become live');
  await applyAll(
    api,
    [...new Set(seeds.map(({ stack }) => stack))].map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    })),
  );
  await applyAll(
    api,
    seeds.map(({ object }) => object),
  );
  const released = seeds.filter(isReleased);
  await Promise.all(released.map((seed) => reaches(api, seed, kruiseRollouts.isOver)));
  const idle = await inParallel(seeds, (seed) => liveOf(api, seed));
  report('live objects are updated');
  const updates = await inParallel(all, ({ seed, mutation }) => updated(api, seed, mutation));

  report('Rollouts are updated during a release');
  await Promise.all(released.map((seed) => release(api, seed)));
  const inRelease = await inParallel(seeds, (seed) => liveOf(api, seed));
  const updatesInRelease = await inParallel(all, async ({ seed, mutation }) =>
    isReleased(seed) ? updated(api, seed, mutation) : undefined,
  );

  const judged = all.map(({ seed, mutation }, index) => ({
    seed,
    mutation,
    ...fresh[index]!,
    update: updates[index],
    updateInRelease: updatesInRelease[index],
  }));
  return seeds.map((seed, index) => ({
    seed,
    ...(isReleased(seed) && { live: { idle: idle[index]!, inRelease: inRelease[index]! } }),
    mutants: judged.filter((one) => one.seed === seed),
  }));
}

/** Asks for all mutants of seeds of which nothing runs: each is a new object. */
export async function judgeNew(api: Api, seeds: readonly Seed[]): Promise<JudgedSeed[]> {
  await prepare(api, seeds);
  await mustBeAccepted(api, seeds);
  const all = seeds.flatMap((seed) => seed.mutations.map((mutation) => ({ seed, mutation })));
  const fresh = await inParallel(all, ({ seed, mutation }) => asked(api, mutated(seed.object, mutation), seed.object));
  const judged = all.map((one, index) => ({
    ...one,
    ...fresh[index]!,
    update: undefined,
    updateInRelease: undefined,
  }));
  return seeds.map((seed) => ({ seed, mutants: judged.filter((one) => one.seed === seed) }));
}

async function mustBeAccepted(api: Api, seeds: readonly Seed[]): Promise<void> {
  const refused = (await inParallel(seeds, (seed) => asked(api, seed.object))).flatMap((answers, index) =>
    Object.values(answers).every((answer) => answer === 'accepted')
      ? []
      : [`${nameOf(seeds[index]!)}: ${JSON.stringify(answers)}`],
  );
  if (refused.length > 0) throw new Error(`seeds have to be valid:\n${refused.join('\n')}`);
}

async function prepare(api: Api, seeds: readonly Seed[]): Promise<void> {
  const crds = [...argoRolloutsCrds(), ktenvCrd()] as KubernetesObject[];
  await applyAll(api, [...crds, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: EMPTY } }]);
  for (const { object } of seeds) {
    const { apiVersion, kind } = object as KubernetesObject;
    for (const end = Date.now() + 30_000; !(await api.serves(apiVersion, kind)); await sleep(200)) {
      if (Date.now() > end) throw new Error(`the API server does not serve ${kind} of ${apiVersion}`);
    }
  }
}

function nameOf({ stack, object }: Seed): string {
  const { kind, metadata } = object as KubernetesObject;
  return `${stack} ${kind} ${metadata.name}`;
}

/** The answers to a new object. Its namespace is none of the seed's: there, nothing is. */
async function asked(
  api: Api,
  object: JsonObject,
  seed: JsonObject = object,
): Promise<Pick<Judged, 'apply' | 'create'>> {
  const { apiVersion, kind } = object as KubernetesObject;
  const isPlaced = isJsonObject(seed.metadata) && seed.metadata.namespace !== undefined;
  const placed: KubernetesObject =
    isPlaced && isJsonObject(object.metadata)
      ? { ...object, metadata: { ...object.metadata, namespace: EMPTY } }
      : object;
  if (!(await api.serves(apiVersion, kind))) {
    const refused = refusal('NotServed', '', `no matches for kind "${kind}" in version "${apiVersion}"`);
    return { apply: refused, create: refused };
  }
  const { name } = isJsonObject(object.metadata) ? object.metadata : {};
  const collection = await api.collection(apiVersion, kind, EMPTY);
  return {
    apply: name
      ? await answerOf(() => api.apply(placed, '&dryRun=All'))
      : refusal('NoName', 'metadata.name', 'resource name may not be empty'),
    create: await answerOf(() => api.post(`${collection}?dryRun=All&fieldValidation=Warn`, placed)),
  };
}

/** The answer to an update of the live object. */
async function updated(api: Api, seed: Seed, mutation: Mutation): Promise<Answer> {
  const [first, second] = mutation.path;
  const isOther = first === 'apiVersion' || first === 'kind' || (first === 'metadata' && (second ?? 'name') === 'name');
  if (isOther) return undefined;
  const path = await api.pathOf(seed.object);
  const mutant = mutated(seed.object, mutation) as KubernetesObject;
  for (;;) {
    const { resourceVersion } = (await api.get(path)).metadata;
    const body = { ...mutant, metadata: { ...mutant.metadata, resourceVersion } };
    const answer = await answerOf(() => api.put(`${path}?dryRun=All&fieldValidation=Warn`, body));
    // A controller was faster.
    if (typeof answer !== 'object' || answer.reason !== 'Conflict') return answer;
  }
}

function isReleased({ stack, object }: Seed): boolean {
  return stack === RELEASED && object.kind === 'Rollout';
}

/** The live object, as far as a webhook reads it and as it is at every run. */
async function liveOf(api: Api, { object }: Seed): Promise<JsonObject> {
  const { apiVersion, kind, metadata, spec, status } = await api.get(await api.pathOf(object));
  const { name, namespace, labels, annotations } = metadata;
  return JSON.parse(
    JSON.stringify({
      apiVersion,
      kind,
      metadata: { name, namespace, labels, annotations },
      spec,
      status: { phase: status?.phase },
    }),
  );
}

/** Starts a release: from then on, most fields of the Rollout may not change. */
async function release(api: Api, seed: Seed): Promise<void> {
  const { metadata, spec } = seed.object as KubernetesObject;
  const { apiVersion, kind, name } = spec.workloadRef ?? spec.objectRef.workloadRef;
  const path = await api.pathOf({ apiVersion, kind, metadata: { name, namespace: metadata.namespace } });
  const { template } = (await api.get(path)).spec;
  const [first, ...rest] = template.spec.containers;
  const containers = [{ ...first, image: 'example.com/other:2' }, ...rest];
  await api.patch(path, { spec: { template: { spec: { containers } } } });
  await reaches(api, seed, (rollout) => kruiseRollouts.isAt(rollout, { phase: 'Progressing' }));
}

async function reaches(api: Api, seed: Seed, isThere: (rollout: KubernetesObject) => boolean): Promise<void> {
  const path = await api.pathOf(seed.object);
  for (const end = Date.now() + 180_000; ; await sleep(500)) {
    const rollout = await api.get(path);
    if (isThere(rollout)) return;
    if (Date.now() > end) throw new Error(`${nameOf(seed)} stays at ${JSON.stringify(rollout.status)}`);
  }
}

/** The results in the order of the items; some requests run at once. */
async function inParallel<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const entries = items.entries();
  const work = async () => {
    for (const [index, item] of entries) results[index] = await ask(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
