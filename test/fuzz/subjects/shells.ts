/** One verdict on the same manifests through every shell: the command line, the plugin of cdk8s-cli, policies of Pulumi. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Io } from '../../../src/cli/io';
import { main } from '../../../src/cli/main';
import { type Finding, parseManifests } from '../../../src/core';
import { checkTogether } from '../../../src/policy/check';
import { readOptions } from '../../../src/policy/options';
import { readProperties } from '../../../src/validation/properties';
import { checkedManifests } from '../../../src/validation/validate';
import { manifests } from './manifests';
import type { Subject } from './subject';

const FILE = 'stack.yaml';

export const shells: Subject = {
  make: (seed) => manifests.make(seed),
  ...(manifests.smaller && { smaller: manifests.smaller }),
  fault: async (text) => {
    const folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-fuzz-'));
    try {
      writeFileSync(join(folder, FILE), text);
      const asked = await commandLine(folder);
      if (asked.code > 2) return `the command line ends with ${asked.code}: ${asked.said.slice(0, 200)}`;
      const expected = errorsOf(asked.findings);
      const others = { plugin: errorsOf(plugin(join(folder, FILE))), policy: errorsOf(policy(text) ?? asked.findings) };
      for (const [name, errors] of Object.entries(others)) {
        const more = errors.find((error) => !expected.includes(error));
        if (more !== undefined) return `only the ${name} has ${more}`;
        const less = expected.find((error) => !errors.includes(error));
        if (less !== undefined) return `the ${name} has no ${less}`;
      }
      return undefined;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function commandLine(cwd: string) {
  const stdout = collected();
  const stderr = collected();
  const stdin = new PassThrough();
  stdin.end();
  const io: Io = {
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: {},
    cwd,
    isTTY: { stdin: false, stdout: false, stderr: false },
    onInterrupt: () => () => {},
  };
  const code = await main(['check', FILE, '--format', 'json', '--budget', '600s,4GB', '--no-cache'], io);
  const findings: readonly Finding[] = code > 2 || stdout.text() === '' ? [] : JSON.parse(stdout.text()).findings;
  return { code, findings, said: stderr.text() };
}

function collected() {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk) => {
    text += String(chunk);
  });
  return { stream, text: () => text };
}

function plugin(file: string): readonly Finding[] {
  return checkedManifests([file], readProperties({ config: false }, process.cwd())).findings;
}

/** Undefined where the reader refuses an object: a program has no such resource. */
function policy(text: string): readonly Finding[] | undefined {
  const { manifests: read, findings } = parseManifests(text, FILE);
  if (findings.some(({ severity }) => severity === 'error')) return undefined;
  const objects = read.map(({ object }, index) => ({ urn: `urn:${index}`, cluster: '', object, unknown: [] }));
  return checkTogether({ objects, patched: [] }, readOptions({})).map(({ finding }) => finding);
}

function errorsOf(findings: readonly Finding[]): string[] {
  const errors = findings.filter(({ severity }) => severity === 'error');
  return [
    ...new Set(errors.map(({ rule, object }) => `${rule} of ${object?.kind} ${object?.namespace}/${object?.name}`)),
  ];
}
