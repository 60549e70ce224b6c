import { describe, expect, it } from 'vitest';
import { Budget } from '../../src/core/budget';
import { utf8 } from '../../src/core/bytes';
import { type FileTree, readTree } from '../../src/core/reader';

const service = (name: string) => `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\n`;

/** A tree of texts. A file that is null cannot be read. */
function treeOf(files: Readonly<Record<string, string | null>>, skipped: readonly string[] = []): FileTree {
  return {
    filesOf: (name) => [
      ...Object.keys(files)
        .filter((file) => file === name || file.startsWith(`${name}/`))
        .map((file) => ({ name: file, named: file === name })),
      ...skipped.filter((folder) => folder.startsWith(name)).map((folder) => ({ name: folder, skipped: 'a chart' })),
      ...(name === 'gone' ? [{ name, problem: 'it is not there' }] : []),
    ],
    bytesOf(name, limit) {
      const text = files[name];
      if (typeof text !== 'string') return { name, problem: 'no permission' };
      const bytes = utf8(text);
      return bytes.length > limit ? undefined : bytes;
    },
  };
}

const FILES = { 'deploy/a.yaml': service('a'), 'deploy/b.yaml': service('b'), 'other/c.yaml': service('c') };
const read = (inputs: string[], options: Parameters<typeof readTree>[2] = {}, tree = treeOf(FILES)) => {
  const { manifests, findings } = readTree(tree, inputs, options);
  return [manifests.map(({ name }) => name), findings.map(({ rule, message }) => `${rule}: ${message}`)];
};

describe('a tree', () => {
  it('is read by folders and files, each once', () => {
    expect(read(['deploy'])).toEqual([['a', 'b'], []]);
    expect(read(['other/c.yaml', 'deploy', 'deploy'])).toEqual([['c', 'a', 'b'], []]);
    expect(readTree(treeOf(FILES), ['other']).manifests[0]!.sourceOf('metadata.name')).toEqual({
      file: 'other/c.yaml',
      line: 3,
      column: 18,
    });
  });

  it('tells what holds nothing, and what cannot be read', () => {
    expect(read(['empty'])).toEqual([[], ['no-manifests: empty holds no Kubernetes manifest']]);
    expect(read(['gone'])).toEqual([[], ['file-unreadable: gone cannot be read: it is not there']]);
    const [names, [problem]] = read(['x'], {}, treeOf({ 'x/a.yaml': null, 'x/b.yaml': service('b') })) as [
      string[],
      string[],
    ];
    expect([names, problem]).toEqual([['b'], 'file-unreadable: x/a.yaml cannot be read: no permission']);
    const [, skipped] = read(['x'], {}, treeOf({ 'x/b.yaml': service('b') }, ['x/charts'])) as [string[], string[]];
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toMatch(/^files-skipped: .*a chart/);
  });

  it('has limits of files and sizes', () => {
    expect(read(['deploy'], { limits: { files: 2 } })).toEqual([['a', 'b'], []]);
    expect(read(['deploy', 'other'], { limits: { files: 1 } })).toEqual([
      ['a'],
      [expect.stringContaining('more than 1 files')],
    ]);
    const size = service('a').length;
    expect(read(['deploy'], { limits: { fileSize: size, totalSize: 2 * size } })).toEqual([['a', 'b'], []]);
    expect(read(['deploy'], { limits: { totalSize: 2 * size - 1 } })).toEqual([
      ['a'],
      [expect.stringContaining('in all')],
    ]);
    expect(read(['other'], { limits: { fileSize: size - 1 } })).toEqual([
      [],
      [expect.stringContaining('in this file')],
    ]);
  });

  it('tells sizes in bytes, and large ones in MiB', () => {
    const tree = treeOf({ 'x/a.yaml': service('a').padEnd(2 ** 20 + 1, '\n') });
    const told = (limits: object) => (read(['x'], { limits }, tree) as [string[], string[]])[1][0];
    expect(told({ fileSize: 100 })).toContain('more than 100 bytes in this file');
    expect(told({ fileSize: 2 ** 20 })).toContain('more than 1 MiB in this file');
    expect(told({ totalSize: 2 ** 20 - 1 })).toContain('more than 1048575 bytes in all');
  });

  it('is left where the budget is spent, and what was not read is counted', () => {
    const budget = () => new Budget({ seconds: -1, memory: 2 ** 40, began: Date.now() });
    const [, findings] = read(['deploy', 'other'], { budget: budget() }) as [string[], string[]];
    expect(findings.filter((text) => text.startsWith('budget-spent'))).toEqual([
      'budget-spent: the time of -1 s is spent; not read: deploy/a.yaml and 2 more files',
    ]);
    expect(findings).toHaveLength(1);
    expect(read(['other'], { budget: budget() })).toEqual([
      [],
      ['budget-spent: the time of -1 s is spent; not read: other/c.yaml'],
    ]);
  });
});
