import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { WorldCut } from '../../check';
import type { Manifest } from '../../core';
import { toPortable } from '../../core/reader/portable';
import { type Answer, type Job, type PartResult, type PlainRehearseOptions, rehearsePart, takeNext } from './job';

/** What is rehearsed, and by how many. */
export interface PartsRequest {
  readonly parts: WorldCut['parts'];
  readonly options: PlainRehearseOptions;
  /** Threads, this one included. */
  readonly jobs: number;
  /**
   * What this thread does before it rehearses too.
   * @default - it begins at once
   */
  readonly first?: () => void;
  /** Is told how many Rollouts have been rehearsed. */
  readonly onProgress?: (rollouts: number) => Promise<void>;
}

const WORKER = join(__dirname, 'worker.js');

/**
 * Rehearses the parts of a World, several at a time. The results come in the order of the parts, whoever made them.
 * Sources that are run without having been built have one thread only.
 */
export async function rehearseParts(request: PartsRequest): Promise<PartResult[]> {
  const { parts, options, first, onProgress = async () => {} } = request;
  const taken = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const results = new Map<number, PartResult>();
  let rollouts = 0;
  const done = ({ part, result }: Answer) => {
    results.set(part, result);
    rollouts += parts[part]!.rollouts;
  };
  const helpers = existsSync(WORKER) ? Math.min(request.jobs, parts.length) - 1 : 0;
  const threads = helpers > 0 ? started(helpers, jobOf(request, taken), done) : [];
  try {
    first?.();
    for (let part = takeNext(taken); part < parts.length; part = takeNext(taken)) {
      done({ part, result: rehearsePart(parts[part]!.world, options) });
      // Lets in what the others have done meanwhile, and Ctrl-C.
      await setImmediate();
      await onProgress(rollouts);
    }
    await Promise.all(threads.map(({ ended }) => ended));
  } finally {
    for (const { worker } of threads) void worker.terminate();
  }
  return parts.map((_part, index) => results.get(index)!);
}

function started(count: number, job: Job, done: (answer: Answer) => void) {
  return Array.from({ length: count }, () => {
    const worker = new Worker(WORKER, { workerData: job });
    worker.on('message', done);
    const ended = new Promise<void>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', () => resolve());
    });
    // Who waits for it comes later; until then an error is nobody's.
    ended.catch(() => {});
    return { worker, ended };
  });
}

function jobOf({ parts, options }: PartsRequest, taken: SharedArrayBuffer): Job {
  const indexes = new Map<Manifest, number>();
  const manifests: Manifest[] = [];
  const indexOf = (manifest: Manifest) => {
    const known = indexes.get(manifest);
    if (known !== undefined) return known;
    indexes.set(manifest, manifests.length);
    manifests.push(manifest);
    return manifests.length - 1;
  };
  return {
    parts: parts.map(({ world }) => world.manifests.map(indexOf)),
    manifests: toPortable(manifests),
    defaultNamespace: parts[0]?.world.defaultNamespace ?? 'default',
    options,
    taken,
  };
}
