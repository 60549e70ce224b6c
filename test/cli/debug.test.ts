import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runLua } from '../../src/lua';
import { cli, folderWith } from './fixture';
import { CASE, library, NGINX_CASE, ROUTE_CASE, SCRIPT } from './library';

/** What the file makes of the global `obj`. */
function objOf(lua: string) {
  const result = runLua(`${lua}\nreturn obj`, null);
  return result.ok && JSON.parse(result.json);
}

describe('debug', () => {
  it('writes what the script is given beside the testdata, and says how to go on', async () => {
    const folder = folderWith(library());
    const { code, stdout } = await cli(['debug', CASE], { cwd: folder });
    const target = CASE.replace('half.yaml', 'half_obj.lua');
    expect(code).toBe(0);
    expect(stdout).toContain(`wrote ${target}: obj is what the script is given at step 0 (traffic 50%)`);
    expect(stdout).toContain(`dofile("${target}")`);
    expect(stdout).toContain(SCRIPT);
    expect(stdout).not.toContain('json');
    expect(objOf(readFileSync(join(folder, target), 'utf8'))).toEqual({
      data: { spec: { host: 'a' } },
      canaryWeight: 50,
      stableWeight: 50,
      canaryService: 'web-canary',
      stableService: 'web',
    });
  });

  it('lets a script be debugged from the file as the controller runs it', async () => {
    const folder = folderWith(library());
    const { stdout } = await cli(['debug', 'half', '--stdout'], { cwd: folder });
    const script = readFileSync(join(folder, SCRIPT), 'utf8');
    expect(runLua(`${stdout}\n${script}`, null)).toMatchObject({ ok: true, json: '{"spec":{"host":"a","weight":50}}' });
  });

  it('gives each step of an Ingress what the one before left behind', async () => {
    const folder = folderWith(library());
    const obj = async (step: string) =>
      objOf((await cli(['debug', 'nginx > weight', '--stdout', '--step', step], { cwd: folder })).stdout);
    expect(await obj('creation')).toEqual({ weight: '0', canaryService: 'web-canary' });
    expect(await obj('1')).toEqual({
      weight: '100',
      canaryService: 'web-canary',
      annotations: { 'example.com/weight': '20' },
    });
  });

  it('finds a case by a part of its name, and lists those that it could be', async () => {
    const folder = folderWith(library({ 'example.com/Route/testdata/weight.yaml': ROUTE_CASE }));
    const many = await cli(['debug', 'w', '--stdout'], { cwd: folder });
    expect(many).toMatchObject({ code: 2, stdout: '' });
    expect(many.stderr).toContain('2 cases in ./lua_configuration have "w" in their name');
    expect(many.stderr).toContain('Route.example.com > weight');
    const none = await cli(['debug', 'x-y', '--stdout'], { cwd: folder });
    expect(none.stderr).toContain('no case in ./lua_configuration has "x-y" in its name');
  });

  it.each([
    ['no case', ['debug'], 'debug needs a case'],
    ['a file that is not there', ['debug', 'no.yaml'], 'there is no folder or file "no.yaml"'],
    ['a step that is not there', ['debug', CASE, '--step', '7'], 'the script is not run for step 7'],
    ['a folder that is not there', ['debug', 'x', '--dir', 'none'], 'there is no folder or file "none"'],
  ])('exits with 2 for %s', async (_, args, message) => {
    const { code, stderr } = await cli(args, { cwd: folderWith(library()) });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('says where bad testdata is bad', async () => {
    const folder = folderWith(library({ 'example.com/Route/testdata/half.yaml': 'rollout: [\n' }));
    const { code, stderr } = await cli(['debug', CASE], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(/half\.yaml:\d+:\d+: not YAML/);
    expect(existsSync(join(folder, CASE.replace('half.yaml', 'half_obj.lua')))).toBe(false);
  });

  it('starts with the creation where that fails, and says so for a later step', async () => {
    const script = 'error(json.encode("no"))';
    const folder = folderWith(
      library({
        'trafficrouting_ingress/nginx.lua': script,
        'trafficrouting_ingress/testdata/nginx/weight.yaml': NGINX_CASE,
      }),
    );
    const { code, stdout } = await cli(['debug', 'nginx > weight'], { cwd: folder });
    expect(code).toBe(0);
    expect(stdout).toContain('obj is what the script is given at creation');
    expect(stdout).toContain('a plain Lua does not have');
    const { stderr } = await cli(['debug', 'nginx > weight', '--step', '0'], { cwd: folder });
    expect(stderr).toContain('the script is not run for step 0; creation fails: <string>:1: "no"');
    expect(stderr).toContain('--step can be: creation');
  });
});
