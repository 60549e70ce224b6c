import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PACKAGED_FILE, packagedScripts as packagedFile } from '../../../scripts/write-packaged-scripts';
import { PACKAGED_FOLDER, readScriptLibrary } from '../../../src/files/scripts/library';
import {
  builtinScripts,
  libraryOf,
  packagedScripts,
  ScriptLibraryError,
  type ScriptTarget,
} from '../../../src/kruise/scripts/library';
import { KruiseRolloutVersion } from '../../../src/kruise/version';

const ROOT = join(__dirname, '..', '..', '..');
const nginx: ScriptTarget = { provider: 'ingress', classType: 'nginx' };
const virtualService: ScriptTarget = { provider: 'custom', group: 'networking.istio.io', kind: 'VirtualService' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'script-library-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, content: string | Buffer = 'return {}'): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

describe('a folder in the layout of openkruise/rollouts', () => {
  test('lists ingress scripts, then custom ones, each with source and testdata', () => {
    write('lua_configuration.go');
    write('convert_test_case_to_lua_object.go');
    write('trafficrouting_ingress/nginx.lua', 'return { class = "nginx" }');
    write('trafficrouting_ingress/aliyun-alb.lua');
    write('trafficrouting_ingress/testdata/nginx/weight.yaml');
    write('trafficrouting_ingress/testdata/nginx/headers.yml');
    write('trafficrouting_ingress/testdata/higress/weight.yaml');
    write('networking.istio.io/VirtualService/trafficRouting.lua', 'return obj.data');
    write('networking.istio.io/VirtualService/testdata/weight.yaml');
    write('networking.istio.io/VirtualService/testdata/weight_obj.lua');
    write('networking.istio.io/DestinationRule/trafficRouting.lua');

    const library = readScriptLibrary(folder);

    expect(library.scripts.map(({ name, testdata }) => [name, testdata.map((file) => relative(folder, file))])).toEqual(
      [
        ['ingress.aliyun-alb', []],
        [
          'ingress.nginx',
          ['trafficrouting_ingress/testdata/nginx/headers.yml', 'trafficrouting_ingress/testdata/nginx/weight.yaml'],
        ],
        ['DestinationRule.networking.istio.io', []],
        ['VirtualService.networking.istio.io', ['networking.istio.io/VirtualService/testdata/weight.yaml']],
      ],
    );
    expect(library.find(nginx)?.source).toBe('return { class = "nginx" }');
    expect(library.find(virtualService)).toMatchObject({
      target: virtualService,
      source: 'return obj.data',
      file: join(folder, 'networking.istio.io/VirtualService/trafficRouting.lua'),
    });
    expect(library.unused).toEqual([]);
  });

  test('names Lua files that the controller would never load', () => {
    write('trafficrouting_ingress/nginx.lua');
    const misspelt = write('networking.istio.io/VirtualService/trafficrouting.lua');
    const shallow = write('networking.istio.io/Gateway.lua');
    const root = write('nginx.lua');
    expect(readScriptLibrary(folder).unused).toEqual([root, shallow, misspelt]);
  });

  test('finds a script only under its own provider', () => {
    write('trafficrouting_ingress/nginx.lua');
    const library = readScriptLibrary(folder);
    expect(library.find({ provider: 'custom', kind: 'ingress', group: 'nginx' })).toBeUndefined();
    expect(library.find({ provider: 'ingress', classType: 'higress' })).toBeUndefined();
  });

  test('reads the folder on every call, so that edits take effect', () => {
    write('trafficrouting_ingress/nginx.lua', 'return 1');
    readScriptLibrary(folder);
    write('trafficrouting_ingress/nginx.lua', 'return 2');
    expect(readScriptLibrary(folder).find(nginx)?.source).toBe('return 2');
  });

  test('keeps a byte order mark, which the controller rejects', () => {
    write('trafficrouting_ingress/nginx.lua', '\ufeffreturn {}');
    expect(readScriptLibrary(folder).find(nginx)?.source).toBe('\ufeffreturn {}');
  });

  test('ignores folders and hidden files that are named like a script', () => {
    write('trafficrouting_ingress/nginx.lua');
    write('trafficrouting_ingress/.nginx.lua');
    mkdirSync(join(folder, 'trafficrouting_ingress/higress.lua'));
    expect(readScriptLibrary(folder).scripts.map(({ name }) => name)).toEqual(['ingress.nginx']);
  });
});

describe('a folder that cannot be read', () => {
  const reading =
    (path = folder) =>
    () =>
      readScriptLibrary(path);

  test('does not exist, or is a file', () => {
    expect(reading(join(folder, 'missing'))).toThrow(`no folder of Lua scripts at "${join(folder, 'missing')}"`);
    expect(reading(write('file'))).toThrow('no folder of Lua scripts');
    expect(reading('\0')).toThrow(ScriptLibraryError);
  });

  test('contains no script; the parent of the right folder is recognised', () => {
    expect(reading()).toThrow(/no Lua script in ".*": expected trafficrouting_ingress\/<classType>\.lua or <group>/);
    write('lua_configuration/trafficrouting_ingress/nginx.lua');
    expect(reading()).toThrow(`did you mean "${join(folder, 'lua_configuration')}"?`);
  });

  test('contains a script that is not text or too large for a ConfigMap', () => {
    const file = write('trafficrouting_ingress/nginx.lua', Buffer.from([0x2d, 0x2d, 0xe9, 0x0a]));
    expect(reading()).toThrow(`"${file}" is not valid UTF-8`);
    write('trafficrouting_ingress/nginx.lua', '-'.repeat(1_048_577));
    expect(reading()).toThrow(`cannot read "${file}": it has 1048577 bytes`);
  });
});

describe('symbolic links', () => {
  test('inside the folder are followed, as those of a mounted ConfigMap', () => {
    write('..data/nginx.lua', 'return { mounted = true }');
    mkdirSync(join(folder, 'trafficrouting_ingress'));
    symlinkSync('../..data/nginx.lua', join(folder, 'trafficrouting_ingress/nginx.lua'));
    expect(readScriptLibrary(folder).find(nginx)?.source).toBe('return { mounted = true }');
  });

  test('to the folder itself are followed', () => {
    write('scripts/trafficrouting_ingress/nginx.lua');
    symlinkSync('scripts', join(folder, 'link'));
    expect(readScriptLibrary(join(folder, 'link')).scripts).toHaveLength(1);
  });

  test.each([
    ['a script', 'library/trafficrouting_ingress/nginx.lua', 'secret.lua'],
    ['a folder of scripts', 'library/trafficrouting_ingress', 'outside'],
    ['a case', 'library/example.com/Route/testdata/weight.yaml', 'secret.yaml'],
    ['a neighbour whose name starts alike', 'library/example.com/Route/trafficRouting.lua', 'library-2/x.lua'],
  ])('out of the folder are rejected: %s', (_, link, to) => {
    write('library/trafficrouting_ingress/other.lua');
    write('library/example.com/Route/other.lua');
    write('library/example.com/Route/testdata/other.yaml');
    if (link.endsWith('testdata/weight.yaml')) write('library/example.com/Route/trafficRouting.lua');
    if (to.endsWith('outside')) write('outside/nginx.lua');
    else write(to);
    rmSync(join(folder, link), { recursive: true, force: true });
    symlinkSync(join(folder, to), join(folder, link));
    expect(() => readScriptLibrary(join(folder, 'library'))).toThrow(
      /".*" is a symbolic link to ".*", outside ".*library": copy the target into the folder/,
    );
  });

  test('that are broken or circular are named', () => {
    write('trafficrouting_ingress/nginx.lua');
    const link = join(folder, 'trafficrouting_ingress/higress.lua');
    symlinkSync('gone.lua', link);
    expect(() => readScriptLibrary(folder)).toThrow(`"${link}" is a broken symbolic link`);
    rmSync(link);
    symlinkSync('higress.lua', link);
    expect(() => readScriptLibrary(folder)).toThrow(`"${link}" is a broken symbolic link`);
  });
});

describe('the scripts as data', () => {
  test('are those of the folder', () => {
    expect(readFileSync(PACKAGED_FILE, 'utf8'), 'run npm run schemas').toBe(packagedFile());
    const withoutRoot = ({ scripts }: ReturnType<typeof packagedScripts>) =>
      scripts.map((script) => ({
        ...script,
        file: relative(ROOT, resolve(ROOT, script.file)),
        testdata: script.testdata.length,
      }));
    expect(withoutRoot(packagedScripts())).toEqual(withoutRoot(readScriptLibrary(PACKAGED_FOLDER)));
  });
});

describe('the scripts built into a controller', () => {
  const namesIn = (version?: KruiseRolloutVersion) => builtinScripts(version).scripts.map(({ name }) => name);

  test('are those of its release', () => {
    const ingress = ['ingress.aliyun-alb', 'ingress.higress', 'ingress.nginx'];
    const withMse = ['ingress.aliyun-alb', 'ingress.higress', 'ingress.mse', 'ingress.nginx'];
    const istio = ['DestinationRule.networking.istio.io', 'VirtualService.networking.istio.io'];
    expect(namesIn(KruiseRolloutVersion.V0_3_0)).toEqual(ingress);
    expect(namesIn(KruiseRolloutVersion.V0_4_0)).toEqual(withMse);
    expect(namesIn(KruiseRolloutVersion.V0_5_0)).toEqual([...withMse, ...istio]);
    expect(namesIn(KruiseRolloutVersion.V0_6_2)).toEqual([...withMse, ...istio]);
    expect(namesIn()).toEqual(namesIn(KruiseRolloutVersion.LATEST));
  });

  test('come from the package, with testdata each', () => {
    for (const version of KruiseRolloutVersion.ALL) {
      for (const script of builtinScripts(version).scripts) {
        expect(script.file).toMatch(/^lua_configuration\/builtin\//);
        expect(script.testdata, script.file).not.toEqual([]);
      }
    }
  });

  test('differ between releases only if the controller does', () => {
    const source = (version: KruiseRolloutVersion, classType: string) =>
      builtinScripts(version).find({ provider: 'ingress', classType })?.source;
    const { V0_3_0, V0_4_0, V0_5_0, V0_6_0 } = KruiseRolloutVersion;
    expect(source(V0_3_0, 'aliyun-alb')).not.toBe(source(V0_4_0, 'aliyun-alb'));
    expect(source(V0_4_0, 'aliyun-alb')).toBe(source(V0_6_0, 'aliyun-alb'));
    expect(source(V0_5_0, 'nginx')).not.toBe(source(V0_6_0, 'nginx'));
    expect(source(V0_3_0, 'nginx')).toBe(source(V0_5_0, 'nginx'));
    expect(source(V0_5_0, 'mse')).not.toBe(source(V0_6_0, 'mse'));
    expect(source(V0_3_0, 'higress')).toBe(source(V0_6_0, 'higress'));
  });

  test('are read once per release', () => {
    expect(builtinScripts()).toBe(builtinScripts());
  });

  test('follow the facts of a release that is not in the list', () => {
    const { facts } = KruiseRolloutVersion.V0_5_0;
    const patched = KruiseRolloutVersion.of('0.5.9', { ...facts, builtinIngressScripts: ['nginx'] });
    expect(namesIn(patched)).toEqual([
      'ingress.nginx',
      'DestinationRule.networking.istio.io',
      'VirtualService.networking.istio.io',
    ]);
    const unknown = KruiseRolloutVersion.of('0.7.0', { ...facts, builtinIngressScripts: ['traefik'] });
    expect(() => builtinScripts(unknown)).toThrow(
      'the facts of Kruise Rollouts v0.7.0 list the built-in script "ingress.traefik", which has no model',
    );
  });
});

test('a library from another folder finds scripts alike', () => {
  const script = { target: nginx, name: 'ingress.nginx', file: '<inline>', source: 'return {}', testdata: [] };
  const library = libraryOf('<inline>', [script]);
  expect(library.find({ provider: 'ingress', classType: 'nginx' })).toBe(script);
  expect(library.find(virtualService)).toBeUndefined();
});
