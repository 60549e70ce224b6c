import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../src/core/did-you-mean';

describe('didYouMean', () => {
  it.each([
    ['expcted', ['rollout', 'expected'], 'expected'],
    ['Weight', ['weight'], 'weight'],
    ['rnu', ['run'], 'run'],
    ['header', ['path', 'headers'], 'headers'],
    ['weight', ['traffic'], undefined],
    ['x', [], undefined],
    ['', ['a'], 'a'],
    ['additionalParams', ['service', 'gateway'], undefined],
  ])('%s of %j is %s', (wrong, known, meant) => {
    expect(didYouMean(wrong, known)).toBe(meant);
  });

  it('prefers the nearest', () => {
    expect(didYouMean('path', ['paths', 'pathType', 'path'])).toBe('path');
  });
});
