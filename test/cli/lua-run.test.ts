import { describe, expect, it } from 'vitest';
import { cli, start } from './fixture';

const request = (script: string, obj?: unknown) => `${JSON.stringify({ script, obj })}\n`;
const answers = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('lua run', () => {
  it('answers each line in order', async () => {
    const stdin = request('return obj', { b: '1', a: [1, 2] }) + request('return 1 + 1') + request('error("no", 0)');
    const { code, stdout } = await cli(['lua', 'run'], { stdin });
    expect(code).toBe(0);
    expect(answers(stdout)).toEqual([
      { ok: true, type: 'table', json: '{"a":[1,2],"b":"1"}' },
      { ok: true, type: 'number', json: '2' },
      { ok: false, stage: 'run', error: 'no' },
    ]);
  });

  it('behaves as the release that is asked for', async () => {
    const stdin = request('return { a = {} }');
    const run = async (version: string) =>
      answers((await cli(['lua', 'run', '--kruise-version', version], { stdin })).stdout)[0].json;
    expect(await run('0.5')).toBe('{"a":[]}');
    expect(await run('0.6')).toBe('{"a":null}');
  });

  it('answers the good lines around one that it cannot use, and exits with 2', async () => {
    const stdin = `${request('return 1')}\n{"script":\n{"skript":"return 1"}\n[]\n{"script":1}\n${request('return 2')}`;
    const { code, stdout } = await cli(['lua', 'run'], { stdin });
    const [first, ...rest] = answers(stdout);
    expect(code).toBe(2);
    expect(first).toEqual({ ok: true, type: 'number', json: '1' });
    expect(rest.slice(0, 4).map(({ stage, error }) => [stage, error.slice(0, 7)])).toEqual([
      ['input', 'line 3:'],
      ['input', 'line 4:'],
      ['input', 'line 5:'],
      ['input', 'line 6:'],
    ]);
    expect(rest[1].error).toContain('did you mean "script"?');
    expect(rest[4]).toEqual({ ok: true, type: 'number', json: '2' });
  });

  it('survives data that is made to hurt, and answers what comes after it', async () => {
    const deep = (levels: number) => `{"script":"return 1","obj":${'['.repeat(levels)}${']'.repeat(levels)}}\n`;
    const { code, stdout } = await cli(['lua', 'run'], { stdin: deep(100_000) + deep(900) + request('return 2') });
    expect(code).toBe(2);
    expect(answers(stdout)).toEqual([
      { ok: false, stage: 'input', error: 'line 1: "obj" is nested deeper than 1000 levels' },
      { ok: true, type: 'number', json: '1' },
      { ok: true, type: 'number', json: '2' },
    ]);
  });

  it('takes a last line without line feed, and text that holds other line separators', async () => {
    const { code, stdout } = await cli(['lua', 'run'], { stdin: '{"script":"return \\"é\u2028\\""}' });
    expect(code).toBe(0);
    expect(JSON.parse(answers(stdout)[0].json)).toBe('é\u2028');
  });

  it('lets nothing pass from one line to the next', async () => {
    const script = 'leaked = (leaked or 0) + 1 return leaked';
    const { stdout } = await cli(['lua', 'run'], { stdin: request(script) + request(script) });
    expect(answers(stdout).map(({ json }) => json)).toEqual(['1', '1']);
  });

  it('answers while stdin is still open', async () => {
    const { child, ended } = start(['lua', 'run']);
    child.stdin.write(request('return 1'));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdin.end(request('return 2'));
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(answers(stdout).map(({ json }) => json)).toEqual(['1', '2']);
  });

  it('ends quietly when its reader goes away', async () => {
    const { child, ended } = start(['lua', 'run']);
    child.stdin.on('error', () => {});
    child.stdout.once('data', () => child.stdout.destroy());
    const feed = setInterval(() => child.stdin.write(request('return string.rep("x", 10000)')), 5);
    const { code, stderr } = await ended;
    clearInterval(feed);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
