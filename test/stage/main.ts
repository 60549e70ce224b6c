/** `npm run stage`: builds the programs, plays labs, and asks the API server about mutants. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from './build';
import { applyAll } from './cluster/apply';
import { startControlPlane } from './cluster/control-plane';
import { gatewayCrds } from './cluster/crds';
import { isInside, runInside } from './cluster/network';
import { writeCustomSchemas } from './custom-schemas';
import { gatewayNamed } from './gateways';
import { namedEnvironments, randomEnvironments } from './gateways/cases/environments';
import { namedCases } from './gateways/cases/named';
import { randomCases } from './gateways/cases/random';
import { holdPreviews } from './gateways/environments';
import type { GatewayCase } from './gateways/gateway';
import { holdAnswers } from './gateways/hold';
import { playReleases } from './gateways/releases';
import { recordReloads } from './gateways/reloads';
import { playHangs } from './hanging';
import { judge, judgeNew } from './judge/judge';
import { allSeeds, otherSeeds } from './judge/seeds';
import { writeVectors } from './judge/vectors';
import { labsOf } from './labs';
import { hangsOf } from './labs/hanging';
import { randomLabs } from './labs/random';
import { hold, type Keep, labsNamed, labsWithoutRecording, playAll, verify, write } from './play-all';
import { PROGRAMS, programNamed } from './programs';
import { previewAll } from './pulumi/preview';
import { writeSchemas } from './schemas';
import { startStage } from './stage';
import { playUpstream, stacksOf } from './upstream';
import { checkCorpus } from './upstream/corpus';
import { playWatched } from './watched';
import { noticeAll } from './wrong/notice';

const USAGE = `usage: npm run stage -- build [PROGRAM...]
       npm run stage -- play PROGRAM [LAB...]     plays labs and writes their recordings; --new: those that have none
       npm run stage -- verify PROGRAM [LAB...]   plays labs and holds them against their recordings
                                                  (kruise@0.6.2+RolloutHistory: with a feature gate)
       npm run stage -- hang PROGRAM [LAB...]     plays releases that hang, writes what their namespaces have then,
                                                  and plays the way out
       npm run stage -- watch PROGRAM FOLDER LAB...
                                                  plays labs while "rollout-constructs watch" looks on, with the rights
                                                  that it prints; pages and moments go to the folder. --restarts: while
                                                  the API server is started anew every 25 s
       npm run stage -- explore PROGRAM [SEED [COUNT [NUMBER...]]]
                                                  plays labs at random, and keeps those that are not as rehearsed;
                                                  only those of these numbers
       npm run stage -- upstream PROGRAM [NAME...]
                                                  plays the stacks of upstream's own tests, and writes what came of them
       npm run stage -- corpus PROGRAM            checks those stacks as they stand; an error without a known reason is ours
       npm run stage -- ask GATEWAY [SEED [COUNT]]
       npm run stage -- ask GATEWAY --case NAME   asks a real gateway about routes at random, or about a case of the
                                                  recordings, and prints answers that the router gives differently
       npm run stage -- answers GATEWAY           asks it about the cases of the recordings, and writes its answers
       npm run stage -- reloads                   asks Traefik about routes of equal priority each time that it has read them anew
       npm run stage -- releases GATEWAY          applies each moment of rehearsals, sends each request, writes the shares,
                                                  and prints those that are not as rehearsed
       npm run stage -- environments [SEED [COUNT]]
                                                  asks a sidecar of Istio for every cell of previews of environments:
                                                  those of the recordings, or others at random
       npm run stage -- judge                     asks the API server and the webhooks about mutants of manifests
       npm run stage -- judge-others              the same of kinds that releases only touch
       npm run stage -- schemas                   writes the schemas of Kubernetes' own kinds and of custom ones
       npm run stage -- preview                   runs the Pulumi app of init with Pulumi's engine, as it is and with mistakes
       npm run stage -- wrong                     counts the labs that notice wrong changes to the model
`;

async function main([command, ...args]: string[]): Promise<number> {
  switch (command) {
    case 'build':
      build(args.length > 0 ? args.map(programNamed) : PROGRAMS, (line) => process.stderr.write(`${line}\n`));
      return 0;
    case 'play':
    case 'verify':
      return args[0] === undefined ? usage() : playLabs(args[0], args.slice(1), command === 'play' ? write : verify);
    case 'hang':
      return args[0] === undefined ? usage() : hang(args[0], args.slice(1));
    case 'watch':
      return args[2] === undefined ? usage() : watchLabs(args[0]!, args[1]!, args.slice(2));
    case 'explore':
      return args[0] === undefined ? usage() : explore(args[0], args.slice(1).map(Number));
    case 'upstream':
      return args[0] === undefined ? usage() : upstream(args[0], args.slice(1));
    case 'corpus':
      return args[0] === undefined ? usage() : checkCorpus(stacksOf(args[0]), programNamed(args[0]).name);
    case 'ask':
      if (args[0] === undefined) return usage();
      return args[1] === '--case'
        ? askAgain(args[0], args[2] ?? '')
        : askGateway(args[0], Number(args[1] ?? 1), Number(args[2] ?? 60));
    case 'releases':
      return args[0] === undefined ? usage() : releasesOn(args[0]);
    case 'answers':
      return args[0] === undefined ? usage() : recordAnswers(args[0]);
    case 'reloads':
      return reloads();
    case 'environments':
      return environments(args[0] === undefined ? undefined : Number(args[0]), Number(args[1] ?? 60));
    case 'schemas':
      if (!isInside()) writeCustomSchemas();
      return inside(publishedSchemas);
    case 'preview':
      return previewAll((line) => process.stdout.write(`${line}\n`));
    case 'wrong':
      return noticeAll((line) => process.stdout.write(`${line}\n`));
    case 'judge':
      return inside(judgeAll);
    case 'judge-others':
      return inside(judgeOthers);
    default:
      return usage();
  }
}

function usage(): number {
  process.stderr.write(USAGE);
  return 2;
}

/** Runs something in the network of a stage. */
function inside(run: () => Promise<number>): Promise<number> {
  if (isInside()) return run();
  gatewayCrds();
  return runInside();
}

async function playLabs(program: string, wanted: readonly string[], keep: Keep): Promise<number> {
  const [name = '', release = ''] = programNamed(program.split('+')[0]!).name.split('@');
  const all = labsOf(name, release);
  const labs = wanted.includes('--new') ? labsWithoutRecording(all, name, release) : labsNamed(all, wanted);
  return inside(() => playAll(program, labs, keep));
}

async function hang(program: string, wanted: readonly string[]): Promise<number> {
  const [name = '', release = ''] = programNamed(program).name.split('@');
  const all = hangsOf(name, release);
  const unknown = wanted.filter((each) => !all.some(({ lab }) => lab.name === each));
  if (unknown.length > 0) throw new Error(`no release hangs in the lab ${unknown.join(', ')}`);
  const hangs = wanted.length === 0 ? all : all.filter(({ lab }) => wanted.includes(lab.name));
  const folder = join(__dirname, '..', 'doctor', 'recorded');
  return inside(async () => ((await playHangs(program, hangs, folder)) > 0 ? 1 : 0));
}

async function watchLabs(program: string, folder: string, wanted: readonly string[]): Promise<number> {
  const [name = '', release = ''] = programNamed(program.split('+')[0]!).name.split('@');
  const named = wanted.filter((one) => one !== '--restarts');
  const labs = labsNamed(labsOf(name, release), named);
  const restarts = named.length < wanted.length ? { restartSeconds: 25 } : {};
  return inside(async () => ((await playWatched({ program, labs, folder: resolve(folder), ...restarts })) > 0 ? 1 : 0));
}

async function explore(program: string, [seed = 1, count = 40, ...numbers]: readonly number[]): Promise<number> {
  const [name = '', release = ''] = programNamed(program).name.split('@');
  const folder = join(tmpdir(), 'explored', name, release);
  const labs = randomLabs(name, release, seed, count).filter(
    (_lab, index) => numbers.length === 0 || numbers.includes(index),
  );
  return inside(() => playAll(program, labs, hold(folder)));
}

async function upstream(program: string, wanted: readonly string[]): Promise<number> {
  // Outside of the network, where modules can be fetched.
  if (!isInside()) stacksOf(program);
  return inside(() => playUpstream(program, wanted));
}

async function askGateway(gateway: string, seed: number, count: number): Promise<number> {
  if (!isInside()) gatewayNamed(gateway).prepare();
  const file = join(tmpdir(), 'asked', `${gateway}-${seed}.jsonl`);
  return inside(() => holdAnswers(gateway, randomCases(gateway, seed, count), file));
}

/** The cases whose answers are recorded: those with a name, and some at random that stay the same. */
function recordedCases(gateway: string): GatewayCase[] {
  return [...namedCases(gateway), ...randomCases(gateway, 0, RECORDED)];
}

async function askAgain(gateway: string, name: string): Promise<number> {
  const cases = recordedCases(gateway);
  const wanted = cases.filter((each) => each.case === name);
  if (wanted.length === 0)
    throw new Error(`${gateway} has no case "${name}"; there are ${cases.map((each) => each.case).join(', ')}`);
  if (!isInside()) gatewayNamed(gateway).prepare();
  return inside(() => holdAnswers(gateway, wanted, join(tmpdir(), 'asked', `${gateway}-${name}.jsonl`)));
}

async function recordAnswers(gateway: string): Promise<number> {
  if (!isInside()) gatewayNamed(gateway).prepare();
  const file = join(__dirname, 'gateways', 'recordings', `${gateway}.jsonl`);
  return inside(() => holdAnswers(gateway, recordedCases(gateway), file));
}

async function reloads(): Promise<number> {
  if (!isInside()) gatewayNamed('traefik').prepare();
  return inside(() => recordReloads(join(__dirname, 'gateways', 'reloads', 'traefik.json')));
}

const RECORDED = 30;

async function releasesOn(gateway: string): Promise<number> {
  if (!isInside()) gatewayNamed(gateway).prepare();
  return inside(() => playReleases(gateway, join(__dirname, 'gateways', 'releases', `${gateway}.jsonl`)));
}

async function environments(seed: number | undefined, count: number): Promise<number> {
  if (!isInside()) gatewayNamed('istio').prepare();
  const recorded = join(__dirname, 'gateways', 'environments', 'istio.jsonl');
  return inside(() =>
    seed === undefined
      ? holdPreviews([...namedEnvironments(), ...randomEnvironments(0, RECORDED)], recorded)
      : holdPreviews(randomEnvironments(seed, count), join(tmpdir(), `environments-${seed}.jsonl`)),
  );
}

async function publishedSchemas(): Promise<number> {
  const { api, processes } = await startControlPlane(mkdtempSync(join(tmpdir(), 'stage-')));
  await writeSchemas(api);
  for (const process of [...processes].reverse()) await process.stop();
  return 0;
}

async function judgeOthers(): Promise<number> {
  const { api, processes } = await startControlPlane(mkdtempSync(join(tmpdir(), 'stage-')));
  await applyAll(api, gatewayCrds());
  writeVectors(await judgeNew(api, otherSeeds()));
  for (const process of [...processes].reverse()) await process.stop();
  return 0;
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

main(process.argv.slice(2)).then(
  // Ends whatever still runs: the first process of the namespaces takes all others with it.
  (code) => process.exit(code),
  (error: Error) => {
    process.stderr.write(`error: ${error.message}\n`);
    process.exit(1);
  },
);
