/** The file that a thread runs: it takes parts of a job and posts the result of each. */
import { parentPort, workerData } from 'node:worker_threads';
import { World } from '../../core';
import { fromPortable } from '../../core/reader/portable';
import { type Answer, type Job, rehearsePart, takeNext } from './job';

const { manifests: portable, defaultNamespace, parts, options, taken } = workerData as Job;
const manifests = fromPortable(portable);
for (let part = takeNext(taken); part < parts.length; part = takeNext(taken)) {
  const world = World.of(
    parts[part]!.map((index) => manifests[index]!),
    { defaultNamespace },
  );
  const answer: Answer = { part, result: rehearsePart(world, options) };
  parentPort!.postMessage(answer);
}
