/** The scripts of folders, wherever the folders are. */
import { describe, expect, it } from 'vitest';
import {
  builtinScripts,
  libraryIn,
  libraryOf,
  packagedScripts,
  ScriptLibraryError,
  scriptName,
} from '../../../src/kruise/scripts/library';
import { PackagedFolder } from '../../../src/kruise/scripts/packaged-folder';
import type { ScriptFolder } from '../../../src/kruise/scripts/script-folder';

/** A folder in memory: the text of each file is its path. */
function folderOf(...paths: readonly string[]): ScriptFolder {
  const below = (path: readonly string[]) => {
    const start = path.map((part) => `${part}/`).join('');
    return paths.flatMap((file) => (file.startsWith(start) ? [file.slice(start.length)] : []));
  };
  return {
    folder: 'scripts',
    named: './scripts',
    folders: (...path) => [
      ...new Set(below(path).flatMap((rest) => (rest.includes('/') ? [rest.split('/')[0]!] : []))),
    ],
    files: (extensions, ...path) =>
      below(path)
        .filter((rest) => !rest.includes('/') && extensions.some((extension) => rest.endsWith(extension)))
        .map((name) => [...path, name].join('/')),
    read: (file) => `-- ${file}`,
    has: (...path) => paths.some((file) => file === path.join('/') || file.startsWith(`${path.join('/')}/`)),
  };
}
const ingress = (classType: string) => ({ provider: 'ingress', classType }) as const;
const custom = (group: string, kind: string) => ({ provider: 'custom', group, kind }) as const;

describe('a library', () => {
  it('has ingress scripts first, then custom ones, each by name', () => {
    const library = libraryIn(
      folderOf(
        'b.io/B/trafficRouting.lua',
        'a.io/C/trafficRouting.lua',
        'a.io/C/testdata/one.yaml',
        'a.io/C/testdata/two.yml',
        'a.io/C/testdata/three.json',
        'trafficrouting_ingress/z.lua',
        'trafficrouting_ingress/a.lua',
        'trafficrouting_ingress/testdata/z/one.yaml',
        'trafficrouting_ingress/testdata/y/one.yaml',
      ),
    );
    expect(library.folder).toBe('scripts');
    expect(library.scripts).toEqual([
      {
        target: ingress('a'),
        name: 'ingress.a',
        file: 'trafficrouting_ingress/a.lua',
        source: '-- trafficrouting_ingress/a.lua',
        testdata: [],
      },
      {
        target: ingress('z'),
        name: 'ingress.z',
        file: 'trafficrouting_ingress/z.lua',
        source: '-- trafficrouting_ingress/z.lua',
        testdata: ['trafficrouting_ingress/testdata/z/one.yaml'],
      },
      {
        target: custom('b.io', 'B'),
        name: 'B.b.io',
        file: 'b.io/B/trafficRouting.lua',
        source: '-- b.io/B/trafficRouting.lua',
        testdata: [],
      },
      {
        target: custom('a.io', 'C'),
        name: 'C.a.io',
        file: 'a.io/C/trafficRouting.lua',
        source: '-- a.io/C/trafficRouting.lua',
        testdata: ['a.io/C/testdata/one.yaml', 'a.io/C/testdata/two.yml'],
      },
    ]);
    expect(library.unused).toEqual([]);
  });

  it('names the Lua files that nothing reads', () => {
    const used = ['trafficrouting_ingress/a.lua', 'a.io/A/trafficRouting.lua'];
    const unused = ['root.lua', 'a.io/shallow.lua', 'a.io/A/trafficrouting.lua', 'b.io/B/other.lua'];
    const ignored = [
      'trafficrouting_ingress/deep/a.lua',
      'a.io/A/deep/a.lua',
      'a.io/A/a.txt',
      'a.io/A/testdata/a_obj.lua',
    ];
    const library = libraryIn(folderOf(...used, ...unused, ...ignored));
    expect(library.scripts.map(({ file }) => file)).toEqual(used);
    expect(library.unused).toEqual(unused);
  });

  it('finds a script by its target', () => {
    const library = libraryIn(
      folderOf('trafficrouting_ingress/A.b.lua', 'b/A/trafficRouting.lua', 'b/ingress/trafficRouting.lua'),
    );
    const find = (target: Parameters<typeof library.find>[0]) => library.find(target)?.file;
    expect(find(ingress('A.b'))).toBe('trafficrouting_ingress/A.b.lua');
    expect(find(custom('b', 'A'))).toBe('b/A/trafficRouting.lua');
    expect(find(custom('b', 'ingress'))).toBe('b/ingress/trafficRouting.lua');
    expect(find(custom('A', 'b'))).toBeUndefined();
    expect(find(ingress('b'))).toBeUndefined();
    expect(find(custom('', 'A.b'))).toBeUndefined();
    expect([scriptName(ingress('x')), scriptName(custom('b.c', 'A'))]).toEqual(['ingress.x', 'A.b.c']);
    expect(libraryOf('x', []).unused).toEqual([]);
    expect(libraryOf('x', [], ['a.lua'])).toMatchObject({ folder: 'x', scripts: [], unused: ['a.lua'] });
  });

  it.each([
    [['a.lua'], ''],
    [['a.io/trafficRouting.lua'], ''],
    [['lua_configuration/trafficrouting_ingress/a.lua'], '; did you mean "scripts/lua_configuration"?'],
  ])('is none in %j', (paths, hint) => {
    const read = () => libraryIn(folderOf(...paths));
    const message = `no Lua script in "./scripts": expected trafficrouting_ingress/<classType>.lua or <group>/<Kind>/trafficRouting.lua below it${hint}`;
    expect(read).toThrow(new ScriptLibraryError(message));
    expect(read).toThrow(expect.objectContaining({ name: 'ScriptLibraryError' }));
  });
});

describe('the folder of this package', () => {
  const folder = new PackagedFolder();

  it('has its folders, sorted', () => {
    expect(folder.named).toBe('lua_configuration');
    const folders = folder.folders();
    expect(folders).toEqual([...new Set(folders)].sort());
    expect(folders).toEqual(expect.arrayContaining(['builtin', 'trafficrouting_ingress', 'traefik.io']));
    expect(folder.folders('traefik.io')).toContain('TraefikService');
    expect(folder.folders('none')).toEqual([]);
    expect(folder.folders('traefik')).toEqual([]);
  });

  it('has its files by extension, sorted', () => {
    const scripts = folder.files(['.lua'], 'trafficrouting_ingress');
    expect(scripts).toContain('lua_configuration/trafficrouting_ingress/aws-alb.lua');
    expect(scripts).toEqual([...scripts].sort());
    expect(scripts.every((file) => /^lua_configuration\/trafficrouting_ingress\/[^/]+\.lua$/.test(file))).toBe(true);
    const cases = folder.files(['.yml', '.yaml'], 'trafficrouting_ingress', 'testdata', 'aws-alb');
    expect(cases).toContain('lua_configuration/trafficrouting_ingress/testdata/aws-alb/weight.yaml');
    expect(folder.files(['.lua'], 'trafficrouting_ingress', 'testdata', 'aws-alb')).toEqual([]);
    expect(folder.files([], 'trafficrouting_ingress')).toEqual([]);
    expect(folder.files(['.lua'])).toEqual([]);
  });

  it('has the text of its scripts', () => {
    expect(folder.read('lua_configuration/trafficrouting_ingress/aws-alb.lua')).toMatch(/return/);
    expect(folder.read('lua_configuration/none.lua')).toBe('');
    expect(folder.read('lua_configuration/trafficrouting_ingress/testdata/aws-alb/weight.yaml')).toBe('');
  });

  it('has what it has', () => {
    expect(folder.has('trafficrouting_ingress')).toBe(true);
    expect(folder.has('trafficrouting_ingress', 'aws-alb.lua')).toBe(true);
    expect(folder.has('trafficrouting')).toBe(false);
    expect(folder.has('trafficrouting_ingress', 'none.lua')).toBe(false);
    expect(new PackagedFolder('lua_configuration/builtin').has('before-0.4')).toBe(true);
    expect(folder.has('lua_configuration')).toBe(false);
  });

  it('has a library, read once, without the built-in scripts', () => {
    expect(packagedScripts()).toBe(packagedScripts());
    expect(packagedScripts().folder).toBe('lua_configuration');
    expect(packagedScripts().scripts.some(({ file }) => file.includes('builtin'))).toBe(false);
    expect(builtinScripts().folder).toBe('lua_configuration/builtin');
    expect(builtinScripts().unused).toEqual([]);
  });
});
