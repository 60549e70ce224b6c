/** Constructs that are given what no type forbids and nobody expects: manifests, or an error that says what is wrong. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CONSTRUCTS, outcomeOf, spoilt } from './props';
import { expectUnpolluted, prototypes } from './prototypes';
import { Chance } from './random';

/** What an engine says of a program that trusted its input. */
const CRASH =
  /Cannot (read|set|convert|destructure)|is not (a function|iterable|defined)|call stack|\bundefined \(reading/;

describe('constructs', () => {
  // Warnings about what was made odd are not looked at here.
  beforeEach(() => {
    vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each(CONSTRUCTS)('$name takes values of the right type, or says why not', (each) => {
    const before = prototypes();
    expect(outcomeOf(each, each.props)).toBeTypeOf('string');
    let refused = 0;
    for (let seed = 1; seed <= 15; seed++) {
      let about = '';
      const outcome = outcomeOf(each, (chart) => {
        const changed = spoilt(each.props(chart), new Chance(seed * 7919), 'right');
        about = changed.about;
        return changed.props;
      });
      if (typeof outcome === 'string') continue;
      refused++;
      expect(outcome, about).not.toBeInstanceOf(TypeError);
      expect(outcome.message, about).not.toMatch(CRASH);
      expect(outcome.message.length, about).toBeLessThan(200_000);
    }
    expect(refused).toBeLessThan(15);
    expectUnpolluted(before);
  });

  it.each(CONSTRUCTS)('$name ends with an error where a value is of another type', (each) => {
    const before = prototypes();
    for (let seed = 1; seed <= 8; seed++) {
      const outcome = outcomeOf(each, (chart) => spoilt(each.props(chart), new Chance(seed * 104_729), 'wrong').props);
      if (typeof outcome !== 'string') expect(outcome).toBeInstanceOf(Error);
      expect(String(outcome)).not.toMatch(/call stack/);
    }
    expectUnpolluted(before);
  });

  it('say in which of them a value is of another type', () => {
    const aliyun = CONSTRUCTS.find(({ name }) => name === 'AliyunAlbCanaryIngress')!;
    const outcome = outcomeOf(aliyun, (chart) => ({ ...aliyun.props(chart), rules: [null] }));
    expect(outcome).toBeInstanceOf(TypeError);
    expect((outcome as Error).message).toMatch(/^shop\/It: a property has the wrong type: /);
  });
});
