/** `npm run stage`: builds the programs, starts them, plays labs and keeps what was seen. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build';
import { isInside, runInside } from './cluster/network';
import { playLab, readLab } from './play';
import { PROGRAMS, programNamed } from './programs';
import type { Recording } from './recording';
import { startStage } from './stage';

async function main([command, ...args]: string[]): Promise<number> {
  switch (command) {
    case 'build':
      build(args.length > 0 ? args.map(programNamed) : PROGRAMS, (line) => process.stderr.write(`${line}\n`));
      return 0;
    case 'play':
      return isInside() ? playAll(args[0] ?? '', args.slice(1)) : runInside();
    default:
      process.stderr.write('usage: npm run stage -- build [PROGRAM...]\n');
      return 2;
  }
}

async function playAll(program: string, wanted: readonly string[]): Promise<number> {
  const [controller = '', release = ''] = program.split('@');
  const folder = join(__dirname, 'labs', controller);
  const names = wanted.length > 0 ? wanted : readdirSync(folder).sort();
  const stage = await startStage(program);
  const target = join(__dirname, 'recordings', controller, release);
  mkdirSync(target, { recursive: true });
  try {
    await Promise.all(
      names.map(async (name, index) => {
        const recording = await playLab(stage.plane.api, readLab(folder, name), controller, release, `lab-${index}`);
        writeFileSync(join(target, `${name}.json`), lines(recording));
        process.stderr.write(`${name}: ${recording.events.length} events\n`);
      }),
    );
  } catch (error) {
    process.stderr.write(`logs are in ${stage.folder}\n`);
    throw error;
  }
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
