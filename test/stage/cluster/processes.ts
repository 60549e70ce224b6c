/** Processes of the stage: each writes a log file, and all end together. */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A process that runs until it is stopped. */
export interface Running {
  readonly name: string;
  readonly log: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** How a process is started. */
export interface StartOptions {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Starts a process whose output goes to `NAME.log` in the folder. */
export function start(name: string, command: string, args: readonly string[], options: StartOptions): Running {
  const log = join(options.folder, `${name}.log`);
  const output = openSync(log, 'a');
  const child = spawn(command, args, {
    cwd: options.cwd ?? options.folder,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', output, output],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.on('error', () => {});
  return {
    name,
    log,
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Waits until a condition holds. Throws with the end of the log when the process ends or the time is over. */
export async function ready(running: Running, isReady: () => Promise<boolean>, seconds = 60): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (running.process.exitCode !== null) break;
    if (await isReady().catch(() => false)) return;
    await sleep(100);
  }
  const why =
    running.process.exitCode === null ? `is not ready after ${seconds} s` : `ended with ${running.process.exitCode}`;
  throw new Error(`${running.name} ${why}; the end of its log:\n${lastLines(running.log, 15)}`);
}

/** The last lines of a log. */
export function lastLines(file: string, count: number): string {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(-count)
    .map((line) => line.slice(0, 300))
    .join('\n');
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
