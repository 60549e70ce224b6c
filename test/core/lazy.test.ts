import { describe, expect, it } from 'vitest';
import { lazyRecord } from '../../src/core/lazy';

describe('lazyRecord', () => {
  it('makes each value once, where it is first read', () => {
    const made: string[] = [];
    const make = (name: string) => () => {
      made.push(name);
      return { name };
    };
    const record = lazyRecord([
      ['first', make('first')],
      ['second', make('second')],
    ]);
    expect(Object.keys(record)).toEqual(['first', 'second']);
    expect(made).toEqual([]);
    expect(record.second).toBe(record.second);
    expect(record).toMatchObject({ second: { name: 'second' } });
    expect(made).toEqual(['second']);
  });

  it('knows only its own names', () => {
    const record = lazyRecord([['__proto__', () => 1]]);
    expect([record.toString, Object.entries(record)]).toEqual([undefined, [['__proto__', 1]]]);
  });
});
