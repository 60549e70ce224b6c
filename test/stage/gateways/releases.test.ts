/** Rehearsals against real gateways: at each moment, the share of each version for each request. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GATEWAYS } from '.';
import { differencesOf, type PlayedRelease, rehearsedReleases } from './rehearsed';

const FOLDER = join(__dirname, 'releases');
const played = new Map(
  readdirSync(FOLDER).map((file) => {
    const lines = readFileSync(join(FOLDER, file), 'utf8').trim().split('\n');
    return [file.replace('.jsonl', ''), lines.map((line) => JSON.parse(line) as PlayedRelease)] as const;
  }),
);

it('are played on every gateway but nginx, whose canaries are code of ingress-nginx, and Ingresses of Traefik, which share no requests', () => {
  const latest = Object.keys(GATEWAYS).filter((name) => !name.includes('@'));
  expect(['nginx', 'traefik-ing', ...played.keys()].sort()).toEqual(latest.sort());
});

describe.each([...played])('%s', (gateway, answers) => {
  it.each(rehearsedReleases(gateway).map((release) => [release.name, release] as const))('%s', (name, release) => {
    const real = answers.find((each) => each.release === name);
    expect(real?.moments.length, `run "npm run stage -- releases ${gateway}"`).toBe(release.story.moments.length);
    expect(differencesOf(release, real!)).toEqual([]);
  });
});
