import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Io } from '../../src/cli/io';
import { main } from '../../src/cli/main';
import { BIN } from './built';

/** A temporary folder with these files. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly isTTY?: Partial<Io['isTTY']>;
  readonly onInterrupt?: Io['onInterrupt'];
  /** Sees the output while the command runs. */
  readonly onOutput?: (stdout: string) => void;
  /** Sees the messages while the command runs. */
  readonly onError?: (stderr: string) => void;
}

/** Runs the command line in this process, on streams of its own. */
export async function cli(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { isTTY, onInterrupt = () => () => {}, onOutput, onError } = options;
  const stdin = new PassThrough();
  stdin.end(options.stdin ?? '');
  const stdout = collect(onOutput);
  const stderr = collect(onError);
  const io: Io = {
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    isTTY: { stdin: false, stdout: false, stderr: false, ...isTTY },
    onInterrupt,
  };
  const code = await main(args, io);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collect(onOutput?: (text: string) => void) {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
    onOutput?.(text);
  });
  return { stream, text: () => text };
}

/** Starts the command line as it is shipped, as a process of its own. */
export function start(args: readonly string[], options: Pick<RunOptions, 'cwd' | 'env'> = {}) {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: options.cwd ?? process.cwd(),
    env: { ...process.env, CI: '', FORCE_COLOR: '', ...options.env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
  return { child, ended, stdout: () => stdout };
}
