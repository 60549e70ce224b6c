import { describe, expect, it } from 'vitest';
import { checkCall, checkCalls } from '../../src/core/checked-calls';
import type { PropShapes } from '../../src/core/shape';

class Box {
  static of(size: number) {
    return new Box(size);
  }
  readonly node = { path: 'app/box' };
  constructor(readonly size: number) {}
  grow(by: number, unit = 'cm') {
    return `${this.size + by} ${unit}`;
  }
  plain() {
    return this.size;
  }
}

const shapes: PropShapes = {
  constructs: {},
  calls: {
    'Box.of': [{ name: 'size', shape: 'number' }],
    'Box#grow': [
      { name: 'by', shape: 'number' },
      { name: 'unit', shape: 'string', optional: true },
    ],
  },
  types: {},
};

describe('methods of classes', () => {
  let loads = 0;
  const load = () => {
    loads++;
    return shapes;
  };
  const before = Box.prototype.grow;
  checkCalls({ Box, value: 5, nothing: undefined, arrow: () => 1 }, load);

  it('check what they are called with, and then run', () => {
    expect(loads).toBe(0);
    expect(Box.of(1).grow(2)).toBe('3 cm');
    expect(Box.of(1).grow(2, 'm')).toBe('3 m');
    expect(Box.of(1).plain()).toBe(1);
    expect(() => Box.of('1' as never)).toThrow(/^Box\.of: .*size.*the string "1"/);
    expect(() => Box.of(1).grow({} as never, 1 as never)).toThrow(/^app\/box: Box\.grow: .*by.*; .*unit/);
  });

  it('read the shapes once each, and not before', () => {
    const { length } = [Box.of, Box.prototype.grow, Box.prototype.plain];
    expect(loads).toBe(length);
  });

  it('keep their names and lengths, and are wrapped once', () => {
    expect([Box.prototype.grow.name, Box.prototype.grow.length, Box.of.length]).toEqual(['grow', before.length, 1]);
    const { grow } = Box.prototype;
    expect(grow).not.toBe(before);
    checkCalls({ Box }, load);
    expect(Box.prototype.grow).toBe(grow);
  });

  it('fail at the line of the caller', () => {
    const caller = () => Box.of(undefined as never);
    const lines = (() => {
      try {
        caller();
      } catch (error) {
        return String((error as Error).stack).split('\n');
      }
      return [];
    })();
    expect(lines.find((line) => line.trim().startsWith('at '))).toContain('caller');
  });
});

describe('a call', () => {
  it('is right, or not known, or wrong in all of its arguments', () => {
    const from = () => undefined;
    expect(() => checkCall('Box.of', [1], shapes, { from })).not.toThrow();
    expect(() => checkCall('unknown', ['x'], shapes, { from })).not.toThrow();
    expect(() => checkCall('constructor', ['x'], shapes, { from })).not.toThrow();
    expect(() => checkCall('Box#grow', [], shapes, { from, of: null })).toThrow(/^Box\.grow: /);
    expect(() => checkCall('Box#grow', [], shapes, { from, of: { node: { path: 1 } } })).toThrow(/^Box\.grow: /);
  });
});
