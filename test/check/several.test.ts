import { describe, expect, it } from 'vitest';
import { findingsOfAll, type NamedFindings } from '../../src/check';
import { type Finding, parseManifests } from '../../src/core';

const finding = (message: string, more: Partial<Finding> = {}): Finding => ({
  rule: 'some-rule',
  severity: 'warning',
  message,
  because: 'it matters',
  fix: 'change it',
  docs: 'docs/rules/some-rule.md',
  ...more,
});

const at = (file: string): Partial<Finding> => ({ source: { file, line: 1, column: 1 } });

function stack(name: string, files: readonly string[], findings: readonly Finding[]): NamedFindings {
  const manifests = files.flatMap(
    (file) => parseManifests('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n', file).manifests,
  );
  return { name, manifests, findings };
}

const messages = (stacks: readonly NamedFindings[]) => findingsOfAll(stacks).map(({ message }) => message);

describe('the findings of several stacks', () => {
  it('are told once where all stacks have them', () => {
    const same = finding('wrong', at('base.yaml'));
    const both = [stack('staging', ['base.yaml'], [same]), stack('prod', ['base.yaml'], [same])];
    expect(findingsOfAll(both)).toEqual([same]);
  });

  it('name the stacks that have them where others with the same file do not', () => {
    const same = finding('wrong', at('base.yaml'));
    const stacks = [
      stack('dev', ['base.yaml'], [same, same]),
      stack('staging', ['base.yaml'], []),
      stack('prod', ['base.yaml'], [same]),
    ];
    expect(messages(stacks)).toEqual(['wrong (in dev and prod)']);
  });

  it('name no stack where the others do not have the file', () => {
    const own = finding('wrong', at('prod.yaml'));
    expect(messages([stack('staging', ['base.yaml'], []), stack('prod', ['base.yaml', 'prod.yaml'], [own])])).toEqual([
      'wrong',
    ]);
  });

  it('name the stack of what is in no file, or in a file that no stack read manifests from', () => {
    expect(messages([stack('staging', [], []), stack('prod', [], [finding('wrong')])])).toEqual(['wrong (in prod)']);
    expect(messages([stack('staging', [], []), stack('prod', [], [finding('wrong', at('a.lua'))])])).toEqual([
      'wrong (in prod)',
    ]);
  });

  it('leave out a suppression that matches nothing here, and something in another stack', () => {
    const unused = finding('matches nothing', { ...at('base.yaml'), rule: 'suppression-unused' });
    const files = ['base.yaml'];
    expect(messages([stack('staging', files, [unused]), stack('prod', files, [])])).toEqual([]);
    expect(messages([stack('staging', files, [unused]), stack('prod', files, [unused])])).toEqual(['matches nothing']);
  });

  it('keep the order in which they came, and those that differ apart', () => {
    const stacks = [
      stack('staging', [], [finding('b'), finding('a')]),
      stack('prod', [], [finding('a'), finding('b'), finding('c')]),
    ];
    expect(messages(stacks)).toEqual(['b', 'a', 'c (in prod)']);
  });
});
