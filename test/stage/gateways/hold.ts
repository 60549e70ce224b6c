/** Holds the answers of a real gateway against those of its router. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { agree, routerOf } from '../../routers/answers';
import { BACKENDS } from './backends';
import type { AnsweredCase, GatewayCase } from './gateway';
import { answersOf } from './play';

/** Asks, prints what differs, and writes all answers to a file. Gives the exit code. */
export async function holdAnswers(gateway: string, cases: readonly GatewayCase[], file: string): Promise<number> {
  const answered = await answersOf(gateway, cases);
  const differing = answered.flatMap(differencesIn);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, answered.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const total = answered.reduce((sum, { requests }) => sum + requests.length, 0);
  process.stdout.write(differing.map((line) => `${line}\n`).join(''));
  process.stderr.write(
    `${gateway}: ${total} answers, ${differing.length} of them not as the router says; all are in ${file}\n`,
  );
  return differing.length > 0 ? 1 : 0;
}

function differencesIn({ case: name, gateway, objects, requests }: AnsweredCase): string[] {
  const answersTo = routerOf(gateway, [...BACKENDS, ...objects]);
  return requests.flatMap(({ request, real, sent }) => {
    const told = answersTo(request);
    if (told.some((shares) => agree(shares, real, sent))) return [];
    return [`${name}: ${request}: the router says ${JSON.stringify(told)}, and the gateway ${JSON.stringify(real)}`];
  });
}
