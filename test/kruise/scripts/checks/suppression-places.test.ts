/** Which comments of a script accept findings, and what is said of those that do not. */
import { describe, expect, it } from 'vitest';
import { checkScriptAndComments } from '../../../../src/kruise/scripts/checks';
import { byWeightWith, demo } from './check';

const IGNORE = 'rollout-constructs.io/ignore';
const accepted = (source: string) =>
  checkScriptAndComments({ source, target: demo, file: 'demo.lua' }).map(
    ({ rule, source: place, accepted: by, message }) => [
      `${rule} ${place?.line}:${place?.column}`,
      by === undefined ? message : by,
    ],
  );
const GLOBAL = 'the script sets the global count';
const by = (reason: string, line = 5, column = 1) => ({
  reason,
  by: 'comment',
  source: { file: 'demo.lua', line, column },
});

describe('a comment', () => {
  const withComment = (...comments: readonly string[]) => accepted(byWeightWith('count = 1', ...comments));

  it.each<[comment: string, reason: string, column: number]>([
    [`-- ${IGNORE} lua-global: fine`, 'fine', 1],
    [`--${IGNORE} lua-global: fine`, 'fine', 1],
    [`--  \t${IGNORE} lua-global: fine`, 'fine', 1],
    [`-- ${IGNORE}: lua-global: fine`, 'fine', 1],
    [`-- ${IGNORE}:lua-global:fine`, 'fine', 1],
    [`-- ${IGNORE}  :  lua-global : fine: and good `, 'fine: and good', 1],
    [`--- ${IGNORE} lua-global: fine`, 'fine', 2],
    [`  -- ${IGNORE} lua-global: fine`, 'fine', 3],
    [`local x = 1 -- ${IGNORE} lua-global: fine`, 'fine', 13],
    [`-- ${IGNORE} lua-global: -- fine`, '-- fine', 1],
    [`-- ${IGNORE} lua-global: fine\r`, 'fine', 1],
  ])('%j accepts', (comment, reason, column) => {
    expect(withComment(comment)).toEqual([['lua-global 4:1', by(reason, 5, column)]]);
  });

  it.each([
    `-- ${IGNORE}lua-global: fine`,
    `-- ${IGNORE}d lua-global: fine`,
    `-- ${IGNORE}-x lua-global: fine`,
    `-- ${IGNORE}/x lua-global: fine`,
    `-- ${IGNORE}.x lua-global: fine`,
    `-- ${IGNORE}_x lua-global: fine`,
    `-- see ${IGNORE} lua-global: fine`,
    `--[[ ${IGNORE} lua-global: fine ]]`,
    '-- rollout-constructsXio/ignore lua-global: fine',
    '-- ignore lua-global: fine',
  ])('%j is another one', (comment) => {
    expect(withComment(comment)).toEqual([['lua-global 4:1', GLOBAL]]);
  });

  it('without a rule or a reason accepts nothing', () => {
    const invalid = 'suppression-invalid 5:1';
    expect(withComment(`-- ${IGNORE}`)).toEqual([
      ['lua-global 4:1', GLOBAL],
      [invalid, 'the suppression names no rule'],
    ]);
    expect(withComment(`-- ${IGNORE}: ; `)).toEqual([
      ['lua-global 4:1', GLOBAL],
      [invalid, 'the suppression names no rule'],
    ]);
    expect(withComment(`-- ${IGNORE} lua-global`)).toEqual([
      ['lua-global 4:1', GLOBAL],
      [invalid, 'the suppression of lua-global gives no reason'],
    ]);
  });

  it('has an entry for each rule', () => {
    expect(withComment(`local t = os.time() -- ${IGNORE} lua-global: a; lua-unavailable: b`)).toEqual([
      ['lua-unavailable 5:11', by('b', 5, 21)],
      ['lua-global 4:1', by('a', 5, 21)],
    ]);
  });

  it('of the same rule is used with the others', () => {
    const comments = [`-- ${IGNORE} lua-global: a`, `-- ${IGNORE} lua-global: b`];
    expect(withComment(...comments)).toEqual([['lua-global 4:1', by('a')]]);
    expect(withComment(`-- ${IGNORE} lua-global:`, comments[1]!)).toEqual([
      ['lua-global 4:1', by('b', 6)],
      ['suppression-invalid 5:1', 'the suppression of lua-global gives no reason'],
    ]);
  });

  it('accepts all findings of its rule', () => {
    expect(withComment('other = 2', `-- ${IGNORE} lua-global: fine`)).toEqual([
      ['lua-global 4:1', by('fine', 6)],
      ['lua-global 5:1', by('fine', 6)],
    ]);
  });

  it('that matches nothing is named each time', () => {
    const unused = 'the suppression of lua-crash matches no finding';
    expect(withComment(`-- ${IGNORE} lua-crash: a`, `  -- ${IGNORE} lua-crash: b`)).toEqual([
      ['lua-global 4:1', GLOBAL],
      ['suppression-unused 5:1', unused],
      ['suppression-unused 6:3', unused],
    ]);
  });

  it('in a script with Windows lines accepts', () => {
    const source = byWeightWith('count = 1', `-- ${IGNORE} lua-global: fine`).replaceAll('\n', '\r\n');
    expect(accepted(source)).toEqual([['lua-global 4:1', by('fine')]]);
    expect(accepted(source.replace('lua-global: fine', ''))).toEqual([
      ['lua-global 4:1', GLOBAL],
      ['suppression-invalid 5:1', 'the suppression names no rule'],
    ]);
  });
});
