import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { checkStack } from '../../src/check';
import { StackCheck } from '../../src/constructs';
import { type Finding, parseManifests, World } from '../../src/core';
import { examine, LiveCluster } from '../../src/doctor';
import { checkTogether } from '../../src/policy/check';
import { readOptions } from '../../src/policy/options';
import { checkedTogether } from '../../src/pulumi/watch';
import { json } from '../../src/report/json';
import { readProperties } from '../../src/validation/properties';
import { checkedManifests } from '../../src/validation/validate';
import { BIN } from '../cli/built';
import { cli, folderWith } from '../cli/fixture';
import { STACKS } from './stacks';

const worldOf = (yaml: string) => World.of(parseManifests(yaml, 'stack.yaml').manifests);

/** The only fields in which entry points may differ: what one shell alone can know. */
const OF_ONE_SHELL = ['source', 'construct'] as const;

/** The findings as the JSON report writes them, without these fields, one line each. */
function comparable(findings: readonly Finding[]): string[] {
  const report = JSON.parse(json(findings, { color: false, ascii: false })) as { findings: Finding[] };
  const lines = report.findings.map((finding) => {
    const shown: Record<string, unknown> = { ...finding };
    for (const field of OF_ONE_SHELL) delete shown[field];
    const { source, ...related } = finding.related ?? {};
    return JSON.stringify({ ...shown, ...(finding.related && { related }) });
  });
  return lines.sort();
}

const library = (yaml: string) => checkStack(worldOf(yaml)).findings;

function stackCheck(yaml: string): readonly Finding[] {
  const app = new App();
  const chart = new Chart(app, 'stack', { disableResourceNameHashes: true });
  for (const [index, { object }] of parseManifests(yaml, 'stack.yaml').manifests.entries()) {
    new ApiObject(chart, `object-${index}`, object as never);
  }
  return new StackCheck(app, 'Check').findings();
}

function policy(yaml: string): readonly Finding[] {
  const objects = parseManifests(yaml, 'stack.yaml').manifests.map(({ object }, index) => ({
    urn: `urn:pulumi:${index}`,
    cluster: '',
    object,
    unknown: [],
  }));
  return checkTogether({ objects, patched: [] }, readOptions({})).map(({ finding }) => finding);
}

describe.each(Object.entries(STACKS))('%s', (_name, yaml) => {
  const expected = comparable(library(yaml));

  test('has the same findings in a StackCheck, as policies, in Pulumi and on the command line', async () => {
    expect(comparable(stackCheck(yaml))).toEqual(expected);
    expect(comparable(policy(yaml))).toEqual(expected);
    const { stdout } = await cli(['check', '-', '--format', 'json', '--no-config', '--no-cache'], { stdin: yaml });
    expect(comparable(JSON.parse(stdout).findings)).toEqual(expected);
  });

  test('has the same findings in a program of Pulumi, which may have more resources than it names', () => {
    const isGuess = ({ rule, severity }: Finding) => rule === 'kruise-reference-missing' && severity !== 'note';
    const [found, all] = [checkedTogether(worldOf(yaml), []), library(yaml)];
    expect(comparable(found.filter((one) => !all.some(isGuess) || one.rule !== 'kruise-reference-missing'))).toEqual(
      comparable(all.filter((one) => !isGuess(one))),
    );
  });

  test('has the same errors and warnings in the plugin for cdk8s-cli', () => {
    const folder = folderWith({ 'stack.yaml': yaml });
    const { findings } = checkedManifests([join(folder, 'stack.yaml')], readProperties({ config: false }, folder));
    expect(comparable(findings)).toEqual(comparable(library(yaml).filter(({ severity }) => severity !== 'note')));
  });

  // What a dump does not hold may exist in the cluster all the same.
  test.runIf(library(yaml).every(({ absent }) => absent === undefined))('has the same findings in a dump', () => {
    const { manifests } = parseManifests(yaml, 'stack.yaml');
    expect(comparable(examine(new LiveCluster({ from: 'stack.yaml', manifests })).stack.findings)).toEqual(expected);
  });
});

test('the command line in a process of its own finds the same', () => {
  const yaml = STACKS['blueGreen with an install of Kruise 0.5']!;
  const { stdout } = spawnSync(process.execPath, [BIN, 'check', '-', '--format', 'json', '--no-config', '--no-cache'], {
    input: yaml,
    encoding: 'utf8',
    cwd: join(__dirname, '..', '..'),
  });
  expect(comparable(JSON.parse(stdout).findings)).toEqual(comparable(library(yaml)));
}, 60_000);
