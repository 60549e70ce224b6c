import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli, type Ended } from './fixture';

const DOCS = join(__dirname, '..', '..', 'docs');

/** The text of a document. */
export function document(name: string): string {
  return readFileSync(join(DOCS, name), 'utf8');
}

/** The code blocks of a language, in their order. */
export function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, code]) =>
    name === language ? [code!] : [],
  );
}

/** Runs a line of a document in a folder, in this process: `rollout-constructs …`, or what another command writes before it. */
export async function runLine(line: string, cwd: string, path = ''): Promise<Ended> {
  const [, before, own] = /^(?:(.*) \| )?(?:npx )?rollout-constructs (.*)$/.exec(line) ?? [];
  if (own === undefined) throw new Error(`not a command of ours: ${line}`);
  const env = { ...process.env, PATH: `${path}:${process.env.PATH}` };
  const piped = before === undefined ? undefined : spawnSync('bash', ['-c', before], { cwd, env, encoding: 'utf8' });
  if (piped !== undefined && piped.status !== 0) throw new Error(`${before}: ${piped.stderr}`);
  return cli(words(own), { cwd, ...(piped && { stdin: piped.stdout }) });
}

function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
}

/** A command that writes a text, whatever it is asked: it stands in for a tool that may not be installed here. */
export function standIn(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, `${name}.txt`), text);
  writeFileSync(join(folder, name), `#!/bin/sh\ncat '${join(folder, `${name}.txt`)}'\n`);
  chmodSync(join(folder, name), 0o755);
}
