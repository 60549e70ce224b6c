import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { WorldCut } from '../../check';
import type { Manifest } from '../../core';
import { toPortable } from '../../core/reader/portable';
import { CODE_FOLDER } from '../../files/package';
import { type Answer, type Job, type PartResult, type PlainRehearseOptions, rehearsePart, takeNext } from './job';

/** The parts to rehearse, and the number of threads. */
export interface PartsRequest {
  readonly parts: WorldCut['parts'];
  readonly options: PlainRehearseOptions;
  /** Threads, this one included. */
  readonly jobs: number;
  /**
   * What this thread does before it starts to rehearse.
   * @default - nothing
   */
  readonly first?: () => void;
  /** Called with the number of Rollouts that have been rehearsed. */
  readonly onProgress?: (rollouts: number) => Promise<void>;
}

const WORKER = join(CODE_FOLDER, 'cli', 'parallel', 'worker.js');

/**
 * Rehearses the parts of a World, several at a time. The results are in the order of the parts. Only built code has
 * several threads.
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
      // Let messages of other threads and Ctrl-C in.
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
    // Avoid an unhandled rejection before the caller awaits it.
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
