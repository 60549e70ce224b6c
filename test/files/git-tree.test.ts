import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTree } from '../../src/core';
import { findCommit, GitTree } from '../../src/files/git-tree';
import { readManifests } from '../../src/files/manifests';

let root: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { stdio: 'pipe' });
const service = (name: string) => `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\n`;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'git-tree-'));
  const files: Readonly<Record<string, string>> = {
    'app/a.yaml': service('a'),
    'app/b/c.yaml': service('c'),
    'app/same.yaml': service('same'),
    'app/z/same.yaml': service('same'),
    'app/notes.md': 'no manifest',
    'app/with space "and" quotes.yaml': service('quoted'),
    'app/ünï.yaml': service('uni'),
    'app/package.json': '{}',
    'app/node_modules/x.yaml': service('x'),
    'app/large.yaml': `# ${'x'.repeat(5000)}\n${service('large')}`,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  symlinkSync('../../outside', join(root, 'app/leads-out'));
  symlinkSync('b', join(root, 'app/to-b'));
  symlinkSync('.', join(root, 'app/itself'));
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'x');
});

afterAll(() => rmSync(root, { recursive: true }));

const tree = (cwd = root) => new GitTree(findCommit(cwd, 'HEAD')!);
const names = ({ manifests }: { readonly manifests: readonly { readonly name: string }[] }) =>
  manifests.map(({ name }) => name);

describe('the files of a commit', () => {
  it('are those that the disk has, in the same order', () => {
    const ofDisk = names(readManifests([join(root, 'app')]));
    expect(names(readTree(tree(), ['app']))).toEqual(ofDisk);
    expect(ofDisk).toEqual(['a', 'c', 'large', 'same', 'quoted', 'same', 'uni']);
  });

  it('have the places that the user named', () => {
    const { manifests } = readTree(tree(join(root, 'app')), ['b/c.yaml', '../app/a.yaml']);
    expect(manifests.map((manifest) => manifest.sourceOf()?.file)).toEqual(['b/c.yaml', '../app/a.yaml']);
  });

  it('have the limits of a read', () => {
    const rulesFor = (limits: object) => readTree(tree(), ['app'], { limits }).findings.map(({ rule }) => rule);
    expect(rulesFor({})).not.toContain('too-much-input');
    expect(rulesFor({ fileSize: 1000 })).toContain('too-much-input');
    expect(rulesFor({ files: 2 })).toContain('too-much-input');
    expect(rulesFor({ totalSize: 300 })).toContain('too-much-input');
  });

  it('are none out of the repository', () => {
    const problems = (name: string) => readTree(tree(), [name]).findings.map(({ message }) => message);
    expect(problems('../elsewhere')).toEqual(['../elsewhere cannot be read: it is outside of the repository']);
    expect(problems('/etc')).toEqual(['/etc cannot be read: it is outside of the repository']);
    expect(problems('app/leads-out')).toEqual([
      'app/leads-out cannot be read: it leads to ../../outside, out of the repository',
    ]);
    expect(problems('app/nothing.yaml')).toEqual(['app/nothing.yaml cannot be read: no such file or folder']);
  });

  it('are of a commit that is no option of git', () => {
    expect(findCommit(root, 'HEAD')?.commit).toMatch(/^[0-9a-f]{40}$/);
    for (const name of ['--all', '-h', '', 'no/such', 'HEAD:app', 'a b'])
      expect(findCommit(root, name)).toBeUndefined();
    expect(findCommit(tmpdir(), 'HEAD')).toBeUndefined();
  });
});
