import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith, type RunOptions } from './fixture';
import { CASE, library, NGINX_LUA, ROUTE_CASE, ROUTE_LUA, SCRIPT } from './library';

const WRONG = { 'example.com/Route/testdata/half.yaml': ROUTE_CASE.replace('weight: 50', 'weight: 60') };

function test(folder: string, args: readonly string[] = [], options: RunOptions = {}) {
  return cli(['test', '--no-checks', ...args], { cwd: folder, ...options });
}

describe('test', () => {
  it('tests ./lua_configuration, a line per case and step', async () => {
    expect(await test(folderWith(library()))).toEqual({
      code: 0,
      stderr: '',
      stdout: `ingress.nginx  lua_configuration/trafficrouting_ingress/nginx.lua
  ✓ weight › creation
  ✓ weight › step 0 (traffic 20%)
  ✓ weight › step 1 (traffic 100%)

Route.example.com  lua_configuration/example.com/Route/trafficRouting.lua
  ✓ half › step 0 (traffic 50%)

4 passed, 0 failed
`,
    });
  });

  it('says what differs, and exits with 1', async () => {
    const { code, stdout } = await test(folderWith(library(WRONG)));
    expect(code).toBe(1);
    expect(stdout).toContain(
      `  ✗ half › step 0 (traffic 50%)\n      ${CASE}:20:5\n      spec.weight: expected 60, got 50\n`,
    );
    expect(stdout).toContain('3 passed, 1 failed\n');
  });

  it.each([
    ['the library', 'lua_configuration', 4],
    ['a parent of it', '.', 4],
    ['the ingress scripts', 'lua_configuration/trafficrouting_ingress', 3],
    ['a script', 'lua_configuration/trafficrouting_ingress/nginx.lua', 3],
    ['a group', 'lua_configuration/example.com', 1],
    ['a kind', 'lua_configuration/example.com/Route', 1],
    ['testdata', 'lua_configuration/trafficrouting_ingress/testdata/nginx', 3],
    ['a case', CASE, 1],
  ])('takes %s as its path', async (_, path, passed) => {
    const { code, stdout } = await test(folderWith(library()), [path]);
    expect(code).toBe(0);
    expect(stdout).toContain(`${passed} passed, 0 failed`);
  });

  it('names the library before the script where a folder holds several', async () => {
    const one = folderWith({});
    const files = [
      ...Object.entries(library()).map(([name, text]) => [`a/${name}`, text] as const),
      ...Object.entries(library()),
    ];
    const { stdout } = await test(folderWith(Object.fromEntries(files)), ['.']);
    expect(stdout).toContain('a/lua_configuration/Route.example.com  a/lua_configuration/example.com');
    expect(stdout).toContain('\nlua_configuration/Route.example.com  lua_configuration');
    expect((await test(one, ['.'])).code).toBe(2);
  });

  it('says which Lua files it does not take for scripts', async () => {
    const { stderr } = await test(folderWith(library({ 'example.com/Route/trafficrouting.lua': 'return 1' })));
    expect(stderr).toBe(
      'note: lua_configuration/example.com/Route/trafficrouting.lua is no script by its place or name, and is not tested\n',
    );
  });

  it('leaves a library within a library alone, and says so', async () => {
    const { stdout, stderr } = await test(folderWith(library({ 'models/trafficrouting_ingress/x.lua': 'return 1' })));
    expect(stderr).toBe('note: lua_configuration/models is a library of its own, tested when it is named\n');
    expect(stdout).toContain('4 passed, 0 failed');
  });

  it.each([
    ['no such folder', {}, [], 'there is no folder or file "./lua_configuration"'],
    ['no script', { 'lua_configuration/a.txt': '' }, [], 'no Lua script in "./lua_configuration"'],
    ['no testdata', { 'lua_configuration/trafficrouting_ingress/a.lua': 'return {}' }, [], 'no testdata for ingress.a'],
    ['a file that is no script', { 'x.lua': '' }, ['x.lua'], '"x.lua" is neither a routing script nor its testdata'],
    ['no case', library(), ['--filter', 'nope'], 'no case matches --filter nope'],
    ['a filter that is no expression', library(), ['--filter', '/(/'], '--filter: Invalid regular expression'],
    ['a reporter that there is not', library(), ['--reporter', 'tab'], '--reporter is "tab"; did you mean "tap"?'],
    ['a threshold out of range', library(), ['--coverage-threshold', '101'], '--coverage-threshold is "101"'],
    ['watching what it updates', library(), ['--watch', '--update'], '--watch and --update do not go together'],
    [
      'a folder that is not there',
      library(),
      ['--output', 'no/such/x.xml'],
      'rollout-constructs: cannot write "no/such/x.xml": there is no folder "no/such"\n',
    ],
    ['a folder to write to', library(), ['--output', '.'], 'cannot write ".": it is a folder\n'],
  ])('exits with 2 for %s', async (_, files, args, message) => {
    const { code, stderr } = await test(folderWith(files), args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(stderr).not.toContain('    at ');
  });

  it('names a case that there is where none matches', async () => {
    const { stderr } = await test(folderWith(library()), ['--filter', 'Route.*nope']);
    expect(stderr).toMatch(/a case is called as in "(ingress\.nginx > weight|Route\.example\.com > half)"/);
  });

  it('fails for bad testdata with file and line, and tests the rest', async () => {
    const { code, stdout } = await test(
      folderWith(library({ 'example.com/Route/testdata/bad.yaml': 'rollout:\n\ta: 1\n' })),
    );
    expect(code).toBe(1);
    expect(stdout).toContain(
      `✗ bad › testdata\n      lua_configuration/example.com/Route/testdata/bad.yaml:2:1\n      a tab indents this line`,
    );
    expect(stdout).toContain('4 passed, 1 failed');
  });

  it('fails for a script that does not parse', async () => {
    const { code, stdout } = await test(folderWith(library({ 'example.com/Route/trafficRouting.lua': 'return\n  }' })));
    expect(code).toBe(1);
    expect(stdout).toContain('✗ the script does not parse: <string> line:2(column:3) near');
    expect(stdout).toContain(`syntax error\n    ${SCRIPT}:2:3\n`);
    expect(stdout).toContain('- half › script (skipped: the script does not parse)');
  });

  it('survives scripts that never end', async () => {
    const { code, stdout } = await test(
      folderWith(library({ 'example.com/Route/trafficRouting.lua': 'while true do end' })),
    );
    expect(code).toBe(1);
    expect(stdout).toContain('the script fails: <string>:1: context deadline exceeded');
  });

  it('selects cases by text and by expression', async () => {
    const folder = folderWith(library());
    const passed = async (filter: string) =>
      /(\d+) passed/.exec((await test(folder, ['--filter', filter])).stdout)?.[1];
    expect(await passed('Route.example.com > half')).toBe('1');
    expect(await passed('/NGINX > WEI/i')).toBe('3');
    expect(await passed('testdata/nginx')).toBe('3');
  });

  it('behaves as the release that is asked for', async () => {
    const script = 'return { spec = { host = "a", weight = 50, list = {} } }';
    const expected = ROUTE_CASE.replace('weight: 50 # percent', 'weight: 50\n      list: []');
    const folder = folderWith(
      library({ 'example.com/Route/trafficRouting.lua': script, 'example.com/Route/testdata/half.yaml': expected }),
    );
    expect((await test(folder, ['--kruise-version', '0.5'])).code).toBe(0);
    expect((await test(folder, ['--kruise-version', '0.6'])).code).toBe(1);
  });

  it('checks the scripts themselves, unless told not to', async () => {
    const script = `${NGINX_LUA.replace('return annotations', 'order = 1\nreturn annotations')}`;
    const folder = folderWith(library({ 'trafficrouting_ingress/nginx.lua': script }));
    const { stdout, code } = await cli(['test'], { cwd: folder });
    expect(stdout).toContain('[lua-global]');
    expect(stdout).toContain('--> lua_configuration/trafficrouting_ingress/nginx.lua:3:1');
    expect(stdout).toMatch(/4 passed, 0 failed, \d+ errors?/);
    expect(code).toBe(1);
    expect((await test(folder)).code).toBe(0);
  });

  it('has colours where somebody looks, and not where NO_COLOR or --no-color is', async () => {
    const folder = folderWith(library());
    const isTTY = { stdout: true };
    expect((await test(folder, [], { isTTY })).stdout).toContain('\u001b[32m');
    expect((await test(folder, [], { isTTY, env: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
    expect((await test(folder, ['--no-color'], { isTTY })).stdout).not.toContain('\u001b');
    expect((await test(folder, [], { env: { FORCE_COLOR: '1' } })).stdout).toContain('\u001b[32m');
  });

  it('keeps to ASCII where the locale knows nothing else', async () => {
    const { stdout } = await test(folderWith(library()), [], { env: { LANG: 'C' } });
    expect(stdout).toContain('  ok weight > creation\n');
  });
});

describe('test --coverage', () => {
  const PART = ROUTE_LUA.replace(
    'error("cannot send everything")',
    'local all = true\n  error("cannot send everything")',
  );

  it('shows lines that no case executes', async () => {
    const { code, stdout } = await test(folderWith(library({ 'example.com/Route/trafficRouting.lua': PART })), [
      '--coverage',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('  100% of lines covered (3 of 3)\n');
    expect(stdout).toContain(`  66.6% of lines covered (4 of 6)
    not executed: lines 3-4
         3 |   local all = true
         4 |   error("cannot send everything")
`);
  });

  it('fails below the threshold', async () => {
    const folder = folderWith(library({ 'example.com/Route/trafficRouting.lua': PART }));
    const { code, stdout } = await test(folder, ['--coverage-threshold', '70']);
    expect(code).toBe(1);
    expect(stdout).toContain('66.6% of lines covered (4 of 6), below the threshold of 70%');
    expect(stdout).toContain('4 passed, 0 failed, 1 of 2 scripts below 70% coverage');
    expect((await test(folder, ['--coverage-threshold', '66'])).code).toBe(0);
  });
});

describe('test --reporter', () => {
  it.each([
    ['json', (text: string) => expect(JSON.parse(text).summary).toMatchObject({ passed: 3, failed: 1 })],
    [
      'junit',
      (text: string) =>
        expect(text).toContain('<testsuites name="rollout-constructs" tests="4" failures="1" skipped="0">'),
    ],
    ['tap', (text: string) => expect(text).toContain('not ok 4 - Route.example.com > half > step 0 (traffic 50%)')],
    ['github', (text: string) => expect(text).toContain(`::error file=${CASE},line=20,col=5,`)],
  ])('%s writes to stdout or to a file', async (reporter, check) => {
    const folder = folderWith(library(WRONG));
    const { code, stdout } = await test(folder, ['--reporter', reporter]);
    expect(code).toBe(1);
    check(stdout);
    const toFile = await test(folder, ['--reporter', reporter, '--output', 'report.out']);
    expect(toFile.stdout).toContain('3 passed, 1 failed');
    check(readFileSync(join(folder, 'report.out'), 'utf8'));
  });
});

describe('test --update', () => {
  const FIXED = ROUTE_CASE;
  const read = (folder: string) => readFileSync(join(folder, CASE), 'utf8');

  it('shows what it will write, asks, and writes nothing but that', async () => {
    const folder = folderWith(library(WRONG));
    const isTTY = { stdin: true, stdout: true };
    const no = await test(folder, ['--update', '--no-color'], { isTTY, stdin: 'n\n' });
    expect(no.stdout).toContain('  -       weight: 60 # percent\n  +       weight: 50 # percent\n');
    expect(no.stdout).toContain('write 1 file? [y/N]');
    expect(no.code).toBe(1);
    expect(read(folder)).not.toBe(FIXED);
    const yes = await test(folder, ['--update', '--no-color'], { isTTY, stdin: 'y\n' });
    expect(yes.code).toBe(0);
    expect(yes.stdout).toContain('wrote 1 file\n');
    expect(yes.stdout).toContain('4 passed, 0 failed');
    expect(read(folder)).toBe(FIXED);
    expect(readdirSync(join(folder, CASE, '..'))).toEqual(['half.yaml']);
  });

  it('takes the end of input for no', async () => {
    const folder = folderWith(library(WRONG));
    const { code } = await test(folder, ['--update'], { isTTY: { stdin: true, stdout: true }, stdin: '' });
    expect(code).toBe(1);
    expect(read(folder)).not.toBe(FIXED);
  });

  it('writes without a question with --yes, and only after it was shown', async () => {
    const folder = folderWith(library(WRONG));
    const asked = await test(folder, ['--update']);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(asked.stdout).toContain('weight: 50');
    expect((await test(folder, ['--update', '--yes'])).code).toBe(0);
    expect(read(folder)).toBe(FIXED);
  });

  it('never writes in CI', async () => {
    const folder = folderWith(library(WRONG));
    const { code, stderr } = await test(folder, ['--update', '--yes'], { env: { CI: 'true' } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--update never writes in CI') });
    expect(read(folder)).not.toBe(FIXED);
  });

  it('fills in a new case', async () => {
    const folder = folderWith(
      library({ 'example.com/Route/testdata/half.yaml': ROUTE_CASE.slice(0, ROUTE_CASE.indexOf('expected:')) }),
    );
    expect((await test(folder)).stdout).toContain(
      '"expected" has 0 items but needs 1, one per step; --update writes the missing ones',
    );
    expect((await test(folder, ['--update', '--yes'])).code).toBe(0);
    expect((await test(folder)).code).toBe(0);
  });

  it('does not write errors as the thing to expect', async () => {
    const folder = folderWith(library({ 'example.com/Route/testdata/half.yaml': ROUTE_CASE.replace('50%', '95%') }));
    const { code, stdout } = await test(folder, ['--update', '--yes']);
    expect(code).toBe(1);
    expect(stdout).toContain(`${CASE}: not updated: step 0 (traffic 95%) fails: <string>:3: cannot send everything`);
  });

  it('writes through a link', async () => {
    const folder = folderWith({
      ...library({ 'example.com/Route/testdata/half.yaml': '' }),
      'lua_configuration/real.txt': WRONG['example.com/Route/testdata/half.yaml'],
      [`${CASE}.d`]: '',
    });
    symlinkSync('../../../real.txt', join(folder, CASE));
    expect((await test(folder, ['--update', '--yes'])).code).toBe(0);
    expect(readFileSync(join(folder, 'lua_configuration/real.txt'), 'utf8')).toBe(FIXED);
  });

  it('touches no file that needs no change', async () => {
    const folder = folderWith(library());
    writeFileSync(join(folder, CASE), `\ufeff${ROUTE_CASE}`);
    expect((await test(folder, ['--update', '--yes'])).stdout).not.toContain('wrote');
    expect(read(folder)).toBe(`\ufeff${ROUTE_CASE}`);
  });
});
