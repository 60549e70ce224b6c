import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProgressLine } from '../../src/cli/progress';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a progress line writes on a terminal, or elsewhere. */
async function written(isTerminal: boolean, play: (line: ProgressLine) => Promise<void>): Promise<string> {
  let text = '';
  const { Writable } = await import('node:stream');
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const isTTY = { stdin: false, stdout: false, stderr: isTerminal };
  const io = { stdin: process.stdin, stdout: stderr, stderr, env: {}, cwd: '/', isTTY, onInterrupt: () => () => {} };
  await play(new ProgressLine(io));
  return text;
}

async function longRun(line: ProgressLine): Promise<void> {
  await line.show('early');
  vi.advanceTimersByTime(2100);
  await line.show('first');
  vi.advanceTimersByTime(50);
  await line.show('too often');
  vi.advanceTimersByTime(100);
  await line.show('second');
  await line.end();
}

describe('a line of progress', () => {
  it('comes with time, not too often, and goes in the end', async () => {
    expect(await written(true, longRun)).toBe('\r\u001b[Kfirst\r\u001b[Ksecond\r\u001b[K');
  });

  it('is for terminals', async () => {
    expect(await written(false, longRun)).toBe('');
  });

  it('leaves nothing behind where the run was short', async () => {
    const short = async (line: ProgressLine) => {
      await line.show('early');
      await line.end();
    };
    expect(await written(true, short)).toBe('');
  });
});
