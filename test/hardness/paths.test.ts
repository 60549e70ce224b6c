/** Nothing outside of the folder of scripts is read or written, whatever links and names lead there. */
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LuaScripts } from '../../src/constructs';
import { readScriptLibrary } from '../../src/files/scripts/library';
import { cli, folderWith } from '../cli/fixture';
import { CASE, library, ROUTE_CASE, SCRIPT } from '../cli/library';

const SECRET = 'a secret of somebody else';
const OUTSIDE = {
  'outside/secret.lua': `return "${SECRET}"\n`,
  'outside/secret.yaml': `${ROUTE_CASE.replace('weight: 50', 'weight: 60')}# ${SECRET}\n`,
  'outside/folder/secret.yaml': `# ${SECRET}\n`,
};

/** What is made a link, and where it leads. */
const LINKS: readonly (readonly [link: string, target: string])[] = [
  [SCRIPT, 'outside/secret.lua'],
  [CASE, 'outside/secret.yaml'],
  [dirname(CASE), 'outside/folder'],
  ['lua_configuration/example.com', 'outside'],
  ['lua_configuration/trafficrouting_ingress/secret.lua', 'outside/secret.lua'],
  ['lua_configuration/other.example.com', '/etc'],
];

function linked(link: string, target: string, isRelative: boolean): string {
  const folder = folderWith({ ...library(), ...OUTSIDE });
  const path = join(folder, link);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  const goal = target.startsWith('/') ? target : join(folder, target);
  symlinkSync(isRelative ? relative(dirname(path), goal) : goal, path);
  return folder;
}

describe('a link out of the folder of scripts', () => {
  it.each(LINKS.flatMap(([link, target]) => [true, false].map((isRelative) => ({ link, target, isRelative }))))(
    '$link -> $target (relative: $isRelative) is refused by its name',
    async ({ link, target, isRelative }) => {
      const folder = linked(link, target, isRelative);
      const scripts = join(folder, 'lua_configuration');
      expect(() => readScriptLibrary(scripts)).toThrow(/is a symbolic link to .*, outside/);
      expect(() => LuaScripts.fromFolder(scripts)).toThrow(/is a symbolic link to .*, outside/);
      for (const args of [['test'], ['test', '--update', '--yes'], ['test', link], ['debug', 'half', '--stdout']]) {
        const { code, stdout, stderr } = await cli(args, { cwd: folder });
        expect(code, args.join(' ')).toBe(2);
        expect(stdout + stderr, args.join(' ')).not.toContain(SECRET);
      }
      for (const [name, text] of Object.entries(OUTSIDE)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
    },
  );
});

describe('a name that leads out', () => {
  it.each(['../../../../etc/passwd', '..', '/etc/passwd', '../outside/secret', 'a/../../x', '\0', '.', ''])(
    '%j finds no script',
    (name) => {
      const scripts = readScriptLibrary(join(folderWith({ ...library(), ...OUTSIDE }), 'lua_configuration'));
      expect(scripts.find({ provider: 'ingress', classType: name })).toBeUndefined();
      expect(scripts.find({ provider: 'custom', group: name, kind: name })).toBeUndefined();
    },
  );
});
