/** Plays many labs, and writes their recordings or holds them against those that are there. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KubernetesObject } from './cluster/api';
import { applyAll } from './cluster/apply';
import { addRequests, requestsFile, requestsIn } from './cluster/requests';
import { differenceBetween, differencesOf } from './compare';
import { controllerNamed } from './controllers';
import { VERIFIES } from './controllers/argo';
import { forbiddenLines } from './controllers/controller';
import { MODELS } from './models';
import { insteadOf, ownInstall } from './own-install';
import { type Lab, playLab } from './play';
import type { Play, Recording } from './recording';
import { startStage } from './stage';
import { addTimes, timesFile } from './times';

/** The labs of these names, or all. Throws an error for a name that no lab has. */
export function labsNamed(labs: readonly Lab[], wanted: readonly string[]): readonly Lab[] {
  const unknown = wanted.filter((name) => !labs.some((lab) => lab.name === name));
  if (unknown.length > 0) {
    throw new Error(`there is no lab ${unknown.join(', ')}; there are ${labs.map(({ name }) => name).join(', ')}`);
  }
  return wanted.length === 0 ? labs : labs.filter(({ name }) => wanted.includes(name));
}

/** The labs that a release can play and never did. */
export function labsWithoutRecording(labs: readonly Lab[], controller: string, release: string): readonly Lab[] {
  return labs.filter(({ name }) => !existsSync(recordingOf(controller, release, name)));
}

function recordingOf(controller: string, release: string, lab: string): string {
  return join(__dirname, 'recordings', controller, release, `${lab}.json`);
}

/** More labs at once slow each other down: pods and controllers share two cores. */
const AT_ONCE = 40;

/** What happens to a new recording: what to say of it, and whether it is wrong. */
export type Keep = (
  file: string,
  recording: Recording,
  lab: Lab,
  objects: readonly KubernetesObject[],
) => { readonly text: string; readonly isWrong?: boolean };

/** What happens to a lab that cannot be played. */
export type Broken = (lab: Lab, error: Error) => ReturnType<Keep>;

const isWrong: Broken = (_lab, { message }) => ({ text: message, isWrong: true });

/** Plays labs; those with a load balancer on a stage whose controller verifies in AWS. */
export async function playAll(
  program: string,
  labs: readonly Lab[],
  keep: Keep,
  broken: Broken = isWrong,
): Promise<number> {
  const verified = labs.filter(({ loadBalancer }) => loadBalancer !== undefined);
  const others = labs.filter(({ loadBalancer }) => loadBalancer === undefined);
  const stages = [
    [program, others],
    [`${program}+${VERIFIES}`, verified],
  ] as const;
  const failed: string[] = [];
  for (const [stage, some] of stages) {
    if (some.length > 0) await playOn(stage, some, keep, broken).catch((error: Error) => failed.push(error.message));
  }
  if (failed.length > 0) throw new Error(failed.join('\n'));
  return 0;
}

/** Plays labs on a stage of their own, as many at once as the machine bears. */
async function playOn(program: string, labs: readonly Lab[], keep: Keep, broken: Broken): Promise<void> {
  const [name = '', release = ''] = program.split(/[@+]/);
  const controller = controllerNamed(name);
  const stage = await startStage(
    program,
    labs.flatMap(({ manifests }) => manifests),
  );
  const failed: string[] = [];
  const plays = new Map<string, Play>();
  let played = 0;
  const playWaiting = async (waiting: Lab[]) => {
    for (let lab = waiting.shift(); lab !== undefined; lab = waiting.shift()) {
      const play = await playLab(stage.plane.api, lab, controller, release).catch((error: Error) => error);
      const { text, isWrong } =
        play instanceof Error
          ? broken(lab, play)
          : keep(recordingOf(name, release, lab.name), play.recording, lab, play.objects);
      if (!(play instanceof Error)) plays.set(lab.name, play);
      if (isWrong) failed.push(`${lab.name}: ${text}`);
      played += 1;
      const end = 'recording' in play && play.recording.hangs ? ', hangs' : '';
      process.stderr.write(`[${played}/${labs.length}] ${lab.name}${end}: ${isWrong ? 'differs' : text}\n`);
    }
  };
  const install = MODELS[name]!.install(release);
  for (const { own, together } of byInstall(labs, install)) {
    await applyAll(stage.plane.api, own);
    await Promise.all(Array.from({ length: AT_ONCE }, () => playWaiting(together)));
    await applyAll(
      stage.plane.api,
      own.map((object) => insteadOf(object, install)!),
    );
  }
  if (keep === write) {
    addRequests(requestsFile(name, release), requestsIn(stage.folder));
    addTimes(timesFile(name, release), plays);
  }
  failed.push(...forbiddenLines(stage.controller.process));
  await stage.stop(failed.length > 0);
  if (failed.length > 0) throw new Error(`${failed.join('\n')}\nlogs are in ${stage.folder}`);
  process.stderr.write(`${played} labs of ${program} played\n`);
}

/** Labs that can be played at once, since they need the same install. */
function byInstall(labs: readonly Lab[], install: readonly KubernetesObject[]) {
  const groups = new Map<string, { own: readonly KubernetesObject[]; together: Lab[] }>();
  for (const lab of labs) {
    const own = ownInstall(lab, install);
    const key = JSON.stringify(own);
    groups.set(key, { own, together: [...(groups.get(key)?.together ?? []), lab] });
  }
  return groups.values();
}

/** Writes the recording, and says what is new in it. */
export function write(file: string, recording: Recording): ReturnType<Keep> {
  const before = known(file);
  mkdirSync(dirname(file), { recursive: true });
  // The day of a recording is that of the first play that was so.
  if (before !== undefined && lines({ ...recording, recorded: before.recorded }) === lines(before))
    return { text: 'the same' };
  writeFileSync(file, lines(recording));
  if (before === undefined) return { text: 'new' };
  return { text: differenceBetween(before, recording) ?? 'the same' };
}

/** Holds the recording against the one that is there. */
export function verify(file: string, recording: Recording): ReturnType<Keep> {
  const before = known(file);
  if (before === undefined) return { text: 'there is no recording to hold it against', isWrong: true };
  const difference = differenceBetween(before, recording);
  return difference === undefined ? { text: 'the same' } : { text: difference, isWrong: true };
}

/** Holds the recording against the rehearsal of its lab, and keeps both where they differ. */
export function hold(folder: string): Keep {
  return (_file, recording, lab) => {
    const found = differencesOf(lab, recording, MODELS[recording.controller]!);
    if (found.length === 0) return { text: 'as rehearsed' };
    mkdirSync(folder, { recursive: true });
    const kept = join(folder, `${lab.name}.json`);
    writeFileSync(kept, `${JSON.stringify({ lab, recording })}\n`);
    return { text: `${found.map(({ about }) => about).join(', ')} differ: ${kept}`, isWrong: true };
  };
}

function known(file: string): Recording | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** An event a line, so that a change of a recording is a change of few lines. */
function lines({ events, ...rest }: Recording): string {
  const head = JSON.stringify(rest).slice(0, -1);
  return `${head},"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`;
}
