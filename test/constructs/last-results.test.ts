import { ApiObject, App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import type { StackResult } from '../../src/check';
import { StackCheck, type StackCheckProps } from '../../src/constructs';
import { lastResult } from '../../src/constructs/last-results';

let runs = 0;

function check(message = 'found'): StackResult {
  runs++;
  const finding = { rule: 'a', severity: 'error', message, because: '', fix: '' };
  return { findings: [finding], suppressed: [], rehearsals: [], cluster: {} } as unknown as StackResult;
}

/** How often the check runs for such inputs. */
function runsFor(objects: readonly string[], stated: unknown, message?: string): number {
  const before = runs;
  lastResult(objects, stated, () => check(message));
  return runs - before;
}

describe('the results of the last checks', () => {
  it('are those of the same inputs', () => {
    expect([runsFor(['a', 'b'], { x: 1 }), runsFor(['a', 'b'], { x: 1 })]).toEqual([1, 0]);
    expect(runsFor(['ab'], { x: 1 })).toBe(1);
    expect(runsFor(['a', 'c'], { x: 1 })).toBe(1);
    expect(runsFor(['b', 'a'], { x: 1 })).toBe(1);
    expect(runsFor(['a', 'b'], { x: 2 })).toBe(1);
    expect(runsFor(['a', 'b'], { x: 1 })).toBe(0);
  });

  it('do not change when somebody changes what was found', () => {
    const [first, second, third] = [0, 1, 2].map(() => {
      const result = lastResult(['mine'], {}, check);
      const { message } = result.findings[0]!;
      (result.findings[0] as { message: string }).message = 'changed';
      (result.findings as unknown[]).push('more');
      return [message, result.findings.length];
    });
    expect([first, second, third]).toEqual([first, first, first]);
  });

  it('are kept for the last eight stacks', () => {
    for (let stack = 0; stack < 9; stack++) expect(runsFor([`stack ${stack}`], {})).toBe(1);
    expect(runsFor(['stack 8'], {})).toBe(0);
    expect(runsFor(['stack 1'], {})).toBe(0);
    expect(runsFor(['stack 0'], {})).toBe(1);
  });

  it('are not kept where time or a function decides', () => {
    for (let time = 0; time < 2; time++) {
      expect(runsFor(['slow'], {}, 'attempt: context deadline exceeded')).toBe(1);
      expect(runsFor(['# ignore: lua-time-limit'], {})).toBe(1);
      expect(runsFor(['a'], { only: () => true })).toBe(1);
    }
  });
});

describe('a synth of the same objects by another app', () => {
  const findingsOf = (type: string, props: StackCheckProps = {}) => {
    const app = new App();
    const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
    new ApiObject(chart, 'service', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { type, ports: [{ port: 80 }] },
    });
    return new StackCheck(app, 'Check', props).findings().map(({ rule, path }) => [rule, path]);
  };
  const wrong = findingsOf('Clusterip');

  it('finds the same', () => {
    expect(wrong.length).toBeGreaterThan(0);
    expect(findingsOf('Clusterip')).toEqual(wrong);
  });

  it('finds what is another after an object or a setting has changed', () => {
    expect(findingsOf('ClusterIP')).toEqual([]);
    const suppressions = wrong.map(([rule]) => ({ rule: rule!, reason: 'as a test' }));
    expect(findingsOf('Clusterip', { suppressions })).toEqual([]);
    expect(findingsOf('Clusterip')).toEqual(wrong);
  });
});
