/** `npm run stage`: builds the programs, starts them, plays labs and keeps what was seen. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build';
import { gatewayCrds } from './cluster/crds';
import { isInside, runInside } from './cluster/network';
import { controllerNamed } from './controllers';
import { forbiddenLines } from './controllers/controller';
import { judge } from './judge/judge';
import { allSeeds } from './judge/seeds';
import { writeVectors } from './judge/vectors';
import { labsOf } from './labs';
import { playLab } from './play';
import { PROGRAMS, programNamed } from './programs';
import type { Recording } from './recording';
import { startStage } from './stage';

async function main([command, ...args]: string[]): Promise<number> {
  switch (command) {
    case 'build':
      build(args.length > 0 ? args.map(programNamed) : PROGRAMS, (line) => process.stderr.write(`${line}\n`));
      return 0;
    case 'play':
      if (isInside()) return playAll(args[0] ?? '', args.slice(1));
      gatewayCrds();
      return runInside();
    case 'judge':
      if (isInside()) return judgeAll();
      gatewayCrds();
      return runInside();
    default:
      process.stderr.write('usage: npm run stage -- build [PROGRAM...]\n');
      return 2;
  }
}

/** The release of Kruise whose webhooks judge. */
const JUDGE = 'kruise@0.6.2';

async function judgeAll(): Promise<number> {
  const seeds = allSeeds();
  const stage = await startStage(JUDGE);
  writeVectors(await judge(stage.plane.api, seeds, (line) => process.stderr.write(`${line}\n`)));
  await stage.stop();
  return 0;
}

/** More labs at once slow each other down: pods and controllers share two cores. */
const AT_ONCE = 40;

async function playAll(program: string, wanted: readonly string[]): Promise<number> {
  const [name = '', release = ''] = program.split('@');
  const controller = controllerNamed(name);
  const labs = labsOf(name, release).filter((lab) => wanted.length === 0 || wanted.includes(lab.name));
  const stage = await startStage(program);
  const target = join(__dirname, 'recordings', name, release);
  mkdirSync(target, { recursive: true });
  const waiting = [...labs];
  const failed: string[] = [];
  const playWaiting = async () => {
    for (let lab = waiting.shift(); lab !== undefined; lab = waiting.shift()) {
      try {
        const recording = await playLab(stage.plane.api, lab, controller, release);
        writeFileSync(join(target, `${lab.name}.json`), lines(recording));
        const end = recording.hangs ? ', hangs' : '';
        process.stderr.write(`[${labs.length - waiting.length}/${labs.length}] ${lab.name}${end}\n`);
      } catch (error) {
        failed.push(`${lab.name}: ${(error as Error).message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, playWaiting));
  failed.push(...forbiddenLines(stage.controller.process));
  if (failed.length > 0) throw new Error(`${failed.join('\n')}\nlogs are in ${stage.folder}`);
  await stage.stop();
  return 0;
}

/** An event a line, so that a change of a recording is a change of few lines. */
function lines({ events, ...rest }: Recording): string {
  const head = JSON.stringify(rest).slice(0, -1);
  return `${head},"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`;
}

main(process.argv.slice(2)).then(
  // Ends whatever still runs: the first process of the namespaces takes all others with it.
  (code) => process.exit(code),
  (error: Error) => {
    process.stderr.write(`error: ${error.message}\n`);
    process.exit(1);
  },
);
