/** Health checks, run on what real controllers wrote into the status of Rollouts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KruiseGitOps } from '../../src/constructs';
import { predicateOf } from '../../src/core/schema';
import { compileLua } from '../../src/lua';
import type { Recording } from '../stage/recording';

const [[key, source]] = Object.entries(KruiseGitOps.argoCdHealthCheck()) as [[string, string]];
const script = compileLua(source);

function healthOf(status: object | undefined, strategy: object = {}, metadata: object = {}) {
  const obj = { metadata: { generation: 2, ...metadata }, spec: { strategy }, ...(status && { status }) };
  const result = script.run(obj as never);
  if (!result.ok) throw new Error(result.error);
  return JSON.parse(result.json) as { readonly status: string; readonly message: string };
}

interface Seen {
  readonly phase: string;
  readonly state?: string;
  readonly step?: number;
  readonly finalising?: string;
}

const FOLDER = join(__dirname, '../stage/recordings/kruise/0.6.2');
const seen = new Set(
  readdirSync(FOLDER).flatMap((file) => {
    const { events } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Recording;
    return events.flatMap((event) => ('rollout' in event && event.rollout ? [JSON.stringify(event.rollout)] : []));
  }),
);

/** A recorded state of a Rollout as its status has it, for each style. */
function statusesOf({ phase, state, step, finalising }: Seen): object[] {
  const progress = { currentStepState: state, currentStepIndex: step, finalisingStep: finalising };
  const common = { observedGeneration: 2, phase };
  return ['canaryStatus', 'blueGreenStatus'].map((style) => ({ ...common, ...(state && { [style]: progress }) }));
}

describe('the health check of Argo CD', () => {
  it('is for Rollouts of Kruise', () => {
    expect(key).toBe('resource.customizations.health.rollouts.kruise.io_Rollout');
    expect(script.syntaxError).toBeUndefined();
  });

  it('has an answer for every recorded status', () => {
    const answers = new Set<string>();
    for (const each of seen) {
      const state = JSON.parse(each) as Seen;
      for (const status of statusesOf(state)) {
        const health = healthOf(status);
        answers.add(health.status);
        // Also after a roll-back, when the step is not Completed.
        if (state.phase === 'Healthy') expect(health.status, each).toBe('Healthy');
        const waits = state.phase === 'Progressing' && state.state === 'StepPaused' && !state.finalising;
        if (state.phase === 'Progressing') expect(health.status, each).toBe(waits ? 'Suspended' : 'Progressing');
      }
    }
    expect(seen.size).toBeGreaterThan(50);
    expect([...answers].sort()).toEqual(['Healthy', 'Progressing', 'Suspended']);
  });

  it.each([
    [undefined, 'Progressing', 'The controller has not seen the Rollout yet'],
    [{ observedGeneration: 1, phase: 'Healthy' }, 'Progressing', 'The controller has not seen the Rollout yet'],
    [{ observedGeneration: 2, phase: 'Initial', message: 'Workload Not Found' }, 'Healthy', 'Workload Not Found'],
    [{ observedGeneration: 2, phase: 'Disabled', message: 'Rollout is disabled' }, 'Healthy', 'Rollout is disabled'],
    [{ observedGeneration: 2, phase: 'Terminating' }, 'Progressing', 'Terminating'],
  ])('judges %j', (status, expected, message) => {
    expect(healthOf(status)).toEqual({ status: expected, message });
  });

  it('is in progress while a pause ends by itself, and suspended while it does not', () => {
    const strategy = { canary: { steps: [{ pause: { duration: 60 } }, { pause: {} }] } };
    const [first, second] = [1, 2].map((step) =>
      healthOf(statusesOf({ phase: 'Progressing', state: 'StepPaused', step })[0], strategy),
    );
    expect(first!.status).toBe('Progressing');
    expect(second).toEqual({ status: 'Suspended', message: 'Step 2 waits for approval' });
  });

  it('is in progress while the Rollout is deleted', () => {
    expect(healthOf(undefined, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }).message).toBe(
      'The Rollout is being deleted',
    );
  });
});

describe('the health check of Flux', () => {
  it('has two expressions, one the opposite of the other', () => {
    const [check] = KruiseGitOps.fluxHealthCheckExprs();
    expect(check).toMatchObject({ apiVersion: 'rollouts.kruise.io/v1beta1', kind: 'Rollout' });
    expect(check!.inProgress).toBe(`!(${check!.current})`);
    // Flux has the fields of the object as variables; the rules of a CRD have them in self.
    const isReady = predicateOf(check!.current.replaceAll(/\b(status|metadata)\./g, 'self.$1.'))!;
    const judged = (status: object) => isReady({ metadata: { generation: 2 }, status } as never, undefined);
    for (const each of seen) {
      const { phase } = JSON.parse(each) as Seen;
      const expected = ['Healthy', 'Initial', 'Disabled'].includes(phase);
      expect(judged({ observedGeneration: 2, phase }), each).toBe(expected);
      expect(judged({ observedGeneration: 1, phase })).toBe(false);
    }
    expect(judged({})).toBe(false);
  });
});
