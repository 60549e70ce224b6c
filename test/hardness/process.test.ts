/** The command line as a process among others: readers that go away, odd file names, foreign locales, signals. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BIN } from '../cli/built';
import { cli, folderWith, start } from '../cli/fixture';
import { library } from '../cli/library';

const INGRESS = JSON.stringify({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'web', annotations: { 'alb.ingress.kubernetes.io/actions.web': '{' } },
  spec: {
    ingressClassName: 'alb',
    rules: [
      {
        http: {
          paths: [
            { path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { name: 'use-annotation' } } } },
          ],
        },
      },
    ],
  },
});

/** Everything that may stand in the name of a file on Linux. */
const NAMES = [
  'a b',
  'ünï',
  '日本',
  'new\nline',
  'tab\t',
  '"quote\'s"',
  '-dash',
  '\u001b[31mred',
  'per%20cent',
  '$HOME',
  'a;b',
  '*',
  '\u202ename',
  '::error::x',
];

describe('file names', () => {
  it.each(['pretty', 'json', 'sarif', 'junit', 'github', 'markdown'])(
    'of any kind are read and told as %s',
    async (format) => {
      const cwd = folderWith(
        Object.fromEntries(
          NAMES.map((name, index) => [`deploy/${name}.yaml`, INGRESS.replaceAll('web', `web-${index}`)]),
        ),
      );
      const { code, stdout, stderr } = await cli(['check', 'deploy', '--no-rehearsal', '--format', format], { cwd });
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
      if (format === 'json') {
        const files = JSON.parse(stdout).findings.map(({ source }: { source?: { file: string } }) => source?.file);
        for (const name of NAMES) expect(files).toContain(join(cwd, 'deploy', `${name}.yaml`));
      }
      const commands = stdout.split('\n').filter((line) => /^\s*::/.test(line));
      if (format === 'github')
        expect(commands.every((line) => /^::(error|warning|notice) file=/.test(line))).toBe(true);
      else expect(commands).toEqual([]);
    },
  );

  it('can be named one by one, also after --', async () => {
    const cwd = folderWith(Object.fromEntries(NAMES.map((name) => [`${name}.yaml`, INGRESS])));
    const { code } = await cli(['check', '--no-rehearsal', '--', ...NAMES.map((name) => `${name}.yaml`)], { cwd });
    expect(code).toBe(1);
  });

  it('that lead nowhere are told in one line without what acts on a terminal', async () => {
    const { code, stderr, stdout } = await cli(['check', '\u001b[2J\n::error::x', '--no-rehearsal']);
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('no such file');
    expect(stdout + stderr).not.toMatch(/\u001b|^\s*::/m);
    const config = await cli(['check', '.', '--config', '\u001b[2J\n::error::x']);
    expect(config.code).toBe(2);
    expect(config.stderr).not.toMatch(/\u001b|^\s*::/m);
  });

  it('may be those of folders', async () => {
    const cwd = folderWith({ 'deploy/folder.yaml/inner.yaml': INGRESS, 'deploy/other.json/x.txt': 'x' });
    const { code, stdout } = await cli(['check', 'deploy', '--no-rehearsal', '--format', 'json'], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).objects).toBe(1);
    for (const option of ['--config', '--baseline', '--output']) {
      const wrong = await cli(['check', 'deploy', '--no-rehearsal', option, 'deploy'], { cwd });
      expect(wrong.code, option).toBe(2);
      expect(wrong.stderr, option).toMatch(/^rollout-constructs: .+\n/);
      expect(wrong.stderr, option).not.toMatch(/internal error| at /);
    }
  });
});

describe('arguments', () => {
  it('may be very many', async () => {
    const cwd = folderWith({ 'a.yaml': INGRESS });
    const { code, stdout } = await cli(
      ['check', '--no-rehearsal', '--format', 'json', ...Array.from({ length: 20_000 }, () => 'a.yaml')],
      { cwd },
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout).objects).toBe(1);
  });

  it.each([
    ['check', '--format', '__proto__'],
    ['check', '--rule', 'constructor'],
    ['check', '--max-warnings', '1e9'],
    ['check', '--shard', '1/0'],
    ['check', '--jobs', '-1'],
    ['check', '--probe', 'GET'],
    ['check', '--probe', 'GET https://[::1'],
    ['check', '--kruise-version', 'toString'],
    ['check', '--istio-version', '\u001b[31m'],
    ['check', '--__proto__'],
    ['check', '--constructor=x'],
    ['explain', '__proto__'],
    ['explain', 'hasOwnProperty'],
    ['rehearse', '.', '--step', '1e3'],
    ['rehearse', '.', '--format', 'constructor'],
    ['test', '--filter', '/(/'],
    ['toString'],
    ['__proto__'],
    ['', ''],
    ['report', 'merge', '/dev/null'],
    ['check', 'a\0b'],
  ])('that are wrong are told so: %j', async (...args) => {
    const { code, stderr, stdout } = await cli(args, { cwd: folderWith({ 'a.yaml': INGRESS }) });
    expect(code).toBe(2);
    expect(stdout + stderr).not.toMatch(/internal error|\n\s+at |Cannot read|\u001b/);
  });
});

describe('a terminal', () => {
  it.each([
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ TERM: 'dumb' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{}, false, false],
  ])('with %j gets colours if it wants them', async (env, isTerminal, expected) => {
    const cwd = folderWith({ 'a.yaml': INGRESS });
    const isTTY = { stdout: isTerminal };
    const { stdout } = await cli(['check', 'a.yaml', '--no-rehearsal'], { cwd, env, isTTY });
    expect(stdout.includes('\u001b[')).toBe(expected);
  });

  it.each(['C', 'POSIX', 'de_DE.ISO-8859-1'])('in the locale %s gets marks that it can show', async (locale) => {
    const { stdout, code } = await cli(['test', '--no-checks'], {
      cwd: folderWith(library()),
      env: { LC_ALL: locale },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^[\x00-\x7f]*$/);
  });
});

describe('a process', () => {
  it('ends well when its reader goes away', async () => {
    const many = Array.from({ length: 400 }, (_, index) => INGRESS.replace('"web"', `"web-${index}"`)).join('\n---\n');
    const { child, ended } = start(['check', 'a.yaml', '--no-rehearsal'], { cwd: folderWith({ 'a.yaml': many }) });
    child.stdout.destroy();
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  it('takes a standard input that is closed for an empty one', () => {
    const command = `exec "${process.execPath}" "${BIN}" check - <&-`;
    const { status, stderr, stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stdout + stderr).not.toMatch(/internal error|\n\s+at /);
  });

  it('ends by the signal at Ctrl-C while it waits for its input', async () => {
    const child = spawn(process.execPath, [BIN, 'lua', 'run'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const signal = new Promise((resolve) => child.once('exit', (code, name) => resolve(name ?? code)));
    child.stdin.write('{"script": "return obj", "obj": {}}\n');
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGINT');
    // A shell makes 130 of it, and stops the loop that it is in.
    expect(await signal).toBe('SIGINT');
  });

  // Root may read everything.
  it('says which folder it may not read', async () => {
    const cwd = folderWith({ 'deploy/a.yaml': INGRESS, 'deploy/closed/b.yaml': INGRESS });
    mkdirSync(join(cwd, 'deploy', 'closed', 'inner'));
    writeFileSync(join(cwd, 'deploy', 'closed-file.yaml'), INGRESS);
    chmodSync(join(cwd, 'deploy', 'closed'), 0);
    chmodSync(join(cwd, 'deploy', 'closed-file.yaml'), 0);
    chmodSync(cwd, 0o755);
    try {
      const isRoot = process.getuid?.() === 0;
      const { code, stdout } = isRoot ? asNobody(cwd) : await cli(['check', 'deploy', '--no-rehearsal'], { cwd });
      expect(stdout).toContain('deploy/closed cannot be read: permission denied');
      expect(stdout).toContain('deploy/closed-file.yaml cannot be read: permission denied');
      expect(code).toBe(2);
    } finally {
      chmodSync(join(cwd, 'deploy', 'closed'), 0o755);
    }
  });
});

/** The check in a process that gives up its rights first. */
function asNobody(cwd: string) {
  const program = `
    const { main } = require(${JSON.stringify(join(__dirname, '..', '..', 'lib', 'cli', 'main.js'))});
    process.chdir(${JSON.stringify(cwd)});
    process.setgid(65534);
    process.setuid(65534);
    main(['check', 'deploy', '--no-rehearsal', '--no-config']).then((code) => { process.exitCode = code; });`;
  // Loaded before, as nobody may not read the library either.
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
  });
  return { code: status, stdout: stdout + stderr };
}
