/** The files of verdicts: written by `npm run stage -- judge`, read by the tests. test/vectors/api/README.md has their format. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatPath, groupOf, type JsonObject, parsePath } from '../../../src/core';
import type { Answer, Refusal } from './answer';
import type { Judged, JudgedSeed } from './judge';

/** The folder of the files. */
export const VECTORS = join(__dirname, '..', '..', 'vectors', 'api');

/** A seed as a file has it. */
export type SeedOfFile = Pick<JudgedSeed, 'live' | 'mutants'> & { readonly stack: string; readonly object: JsonObject };

/** 0: accepted. null: not asked. A number: the place of the text, counted from 1, at the path of the mutation. */
type Written = number | null | readonly [text: number, field: string];

const FILES: Readonly<Record<string, string>> = {
  'rollouts.kruise.io': 'kruise',
  'argoproj.io': 'argo',
  'env.alibaba.com': 'ktenv',
  'gateway.networking.k8s.io': 'gateways',
  'networking.istio.io': 'gateways',
};

type WrittenMutant = [path: string, change: string, ...answers: Written[]];

/** The file for the kind of a seed; those of which nothing runs have a file of their own. */
function fileOf({ stack, object: { apiVersion } }: Pick<SeedOfFile, 'object' | 'stack'>): string {
  return stack === 'judge-others' ? 'others' : (FILES[groupOf(String(apiVersion))] ?? 'kubernetes');
}

/** Writes all files. */
export function writeVectors(judged: readonly JudgedSeed[]): void {
  for (const file of new Set(judged.map(({ seed }) => fileOf(seed)))) {
    const own = judged.filter(({ seed }) => fileOf(seed) === file);
    writeFileSync(join(VECTORS, `mutants-${file}.jsonl`), linesOf(own));
  }
}

function linesOf(judged: readonly JudgedSeed[]): string {
  const texts = textsOf(judged);
  const lines: unknown[] = [{ texts }];
  for (const { seed, live, mutants } of judged) {
    lines.push({ stack: seed.stack, object: seed.object, ...(live && { live }) });
    for (const { mutation, apply, create, update, updateInRelease } of mutants) {
      const field = formatPath(mutation.path);
      const answers = [apply, create, update, updateInRelease].map((answer) => written(answer, field, texts));
      while (answers.at(-1) === null) answers.pop();
      lines.push([field, mutation.change, ...answers]);
    }
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The texts, those that most answers have first. */
function textsOf(judged: readonly JudgedSeed[]): string[] {
  const answers = judged.flatMap(({ mutants }) =>
    mutants.flatMap((one) => [one.apply, one.create, one.update, one.updateInRelease]),
  );
  const counts = new Map<string, number>();
  for (const answer of answers) {
    if (typeof answer === 'object') counts.set(textOf(answer), (counts.get(textOf(answer)) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([text]) => text);
}

function textOf({ reason, message }: Refusal): string {
  return `${reason} ${message}`;
}

function written(answer: Answer, path: string, texts: readonly string[]): Written {
  if (answer === undefined) return null;
  if (answer === 'accepted') return 0;
  const text = texts.indexOf(textOf(answer)) + 1;
  return answer.field === path ? text : [text, answer.field];
}

/** Every seed of every file, with the answers to its mutants. */
export function readVectorFiles(): ReadonlyMap<string, readonly SeedOfFile[]> {
  const files = readdirSync(VECTORS).filter((name) => /^mutants-\w+\.jsonl$/.test(name));
  return new Map(files.map((name) => [name, read(readFileSync(join(VECTORS, name), 'utf8'))]));
}

function read(text: string): SeedOfFile[] {
  const [{ texts }, ...lines] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const seeds: (SeedOfFile & { readonly mutants: Judged[] })[] = [];
  for (const line of lines) {
    if (!Array.isArray(line)) seeds.push({ ...line, mutants: [] });
    else seeds.at(-1)!.mutants.push(readMutant(line as WrittenMutant, texts));
  }
  return seeds;
}

function readMutant([field, change, ...answers]: WrittenMutant, texts: readonly string[]): Judged {
  const [apply, create, update, updateInRelease] = answers.map((answer) => readAnswer(answer, field, texts));
  return { mutation: { path: parsePath(field), change }, apply, create, update, updateInRelease };
}

function readAnswer(answer: Written, path: string, texts: readonly string[]): Answer {
  if (answer === null) return undefined;
  if (answer === 0) return 'accepted';
  const [index, field] = typeof answer === 'number' ? [answer, path] : answer;
  const text = texts[index - 1]!;
  const space = text.indexOf(' ');
  return { reason: text.slice(0, space), field, message: text.slice(space + 1) };
}
