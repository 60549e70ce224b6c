import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatPath, groupOf } from '../../src/core';
import { admitRollout } from '../../src/kruise/admission';
import type { Judged } from '../stage/judge/judge';
import { mutated } from '../stage/judge/mutate';
import { readVectorFiles, type SeedOfFile } from '../stage/judge/vectors';
import { refusalsIn } from './refusals';

const FOLDER = join(__dirname, '..', 'vectors', 'api');

/** The groups whose kinds this library knows whole. */
const OWN = ['argoproj.io', 'env.alibaba.com', 'rollouts.kruise.io'];

interface Case {
  readonly file: string;
  readonly kind: string;
  readonly server: 'accepted' | 'refused';
  readonly message: string;
}

function cases(): Case[] {
  const lines = readFileSync(join(FOLDER, 'index.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Case);
}

/** A mutant in words, for a failing test. */
function told({ stack, object }: SeedOfFile, { mutation, apply, create }: Judged): string {
  const refusal = [apply, create].find((answer) => typeof answer === 'object');
  const said = refusal === undefined ? 'accepted' : `${refusal.reason} ${refusal.message}`;
  return `${stack} ${object.kind} ${formatPath(mutation.path)}: ${mutation.change} (${said})`;
}

function isRefused({ apply, create }: Judged): boolean {
  return apply !== 'accepted' || create !== 'accepted';
}

const files = readVectorFiles();

describe('check says what a real API server says', () => {
  const own = [...files].filter(([, seeds]) => OWN.includes(groupOf(String(seeds[0]!.object.apiVersion))));

  it.each(own)('to every mutant of %s', (_, seeds) => {
    const wrong = seeds.flatMap((seed) =>
      seed.mutants.flatMap((mutant) => {
        const refusals = refusalsIn(JSON.stringify(mutated(seed.object, mutant.mutation)));
        if (isRefused(mutant) === refusals.length > 0) return [];
        return [`${told(seed, mutant)}; check: ${refusals.map(({ message }) => message).join(', ') || 'nothing'}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('to every case of kinds that it knows whole', () => {
    const known = cases().filter(({ file, kind }) => !file.startsWith('u-') && OWN.includes(groupOf(kind)));
    expect(known.length).toBeGreaterThan(20);
    const wrong = known.filter(({ file, server }) => {
      const refusals = refusalsIn(readFileSync(join(FOLDER, file), 'utf8'));
      return (server === 'refused') !== refusals.length > 0;
    });
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });
});

describe('the admission of Kruise says what its webhook says to an update', () => {
  const rollouts = [...files.values()].flat().filter(({ live }) => live !== undefined);

  it.each(['idle', 'inRelease'] as const)('of every mutant of a Rollout that is %s', (state) => {
    let asked = 0;
    const wrong = rollouts.flatMap(({ object, live, mutants, ...seed }) =>
      mutants.flatMap((mutant) => {
        const answer = state === 'idle' ? mutant.update : mutant.updateInRelease;
        if (answer === undefined) return [];
        asked += 1;
        const { allowed } = admitRollout(mutated(object, mutant.mutation), { old: live![state] });
        return allowed === (answer === 'accepted') ? [] : [told({ object, live, mutants, ...seed }, mutant)];
      }),
    );
    expect(asked).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
  });
});
