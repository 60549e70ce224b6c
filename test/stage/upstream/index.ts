/** `npm run stage -- upstream`: plays the stacks of upstream's own end-to-end tests, and says which are as rehearsed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moduleFolder } from '../build';
import { playAll } from '../play-all';
import { programNamed } from '../programs';
import { argoStacks } from './argo-stacks';
import { Constants } from './constants';
import { judged, neverHealthy } from './judge';
import { kruiseStacks } from './kruise-stacks';
import { labsOfStack, type UpstreamLab } from './labs';
import { type Result, writeResults } from './result';
import type { UpstreamStack } from './stack';
import { reasonNotPlayed } from './unserved';

/** The stacks of a release's tests, from the archive of its Go module. */
export function stacksOf(program: string): UpstreamStack[] {
  const built = programNamed(program);
  const module = moduleFolder(built);
  if (!program.startsWith('kruise@')) return argoStacks(module);
  return kruiseStacks(module, new Constants(join(__dirname, '../programs', built.folder)));
}

/** Plays the stacks of these names, or all; writes what came of them, and prints it and what is new in it. */
export async function playUpstream(program: string, wanted: readonly string[]): Promise<number> {
  const all = stacksOf(program);
  const isWanted = ({ stack }: Pick<Result, 'stack'>) => wanted.length === 0 || wanted.includes(stack);
  const stacks = all.map((stack, index) => ({ stack, index })).filter(({ stack }) => isWanted({ stack: stack.name }));
  if (stacks.length === 0)
    throw new Error(`there is no stack ${wanted.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}`);
  const results: Result[] = [];
  const labs: UpstreamLab[] = [];
  for (const { stack, index } of stacks) {
    const reason = reasonNotPlayed(stack);
    if (reason === undefined) labs.push(...labsOfStack(stack, program.split('@')[0]!, index));
    else results.push({ release: program, stack: stack.name, verdict: 'not rehearsed', reason });
  }
  const told = (result: Result) => {
    results.push(result);
    return { text: result.verdict };
  };
  // Of what differs, the lab and its recording are kept outside of the repository.
  const kept = join(tmpdir(), 'upstream', program);
  mkdirSync(kept, { recursive: true });
  await playAll(
    program,
    labs,
    (_file, recording, lab) => {
      const result = judged(lab as UpstreamLab, recording);
      if (result.verdict === 'differs')
        writeFileSync(join(kept, `${lab.name}.json`), JSON.stringify({ lab, recording }));
      return told(result);
    },
    (lab, error) => told(neverHealthy(lab as UpstreamLab, program, error)),
  );
  const isReplaced = (result: Result) => result.release === program && isWanted(result);
  const changes = writeResults(results, isReplaced);
  for (const result of results) process.stdout.write(`${lineFor(result)}\n`);
  process.stderr.write(changes.length === 0 ? 'the results are the same\n' : `${changes.join('\n')}\n`);
  return results.some(({ verdict, reason }) => verdict === 'differs' && reason === undefined) ? 1 : 0;
}

function lineFor({ stack, story, verdict, where, reason, errors }: Result): string {
  const more = [where, reason, errors && `check reports ${errors.join(', ')}`].filter((each) => each !== undefined);
  return `${stack}${story === undefined ? '' : `, ${story}`}: ${verdict}${more.length > 0 ? ` (${more.join('; ')})` : ''}`;
}
