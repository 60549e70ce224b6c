import { describe, expect, test } from 'vitest';
import { playIngress } from '../../../src/kruise/controller';
import { NO_BUILTIN_SCRIPTS } from '../../../src/kruise/scripts/lookup';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { configMap, ingress } from '../manifests';

const WEIGHT = `
  local annotations = obj.annotations or {}
  annotations["weight"] = obj.weight
  return annotations`;

function scriptsOf(source: string, classType = 'demo') {
  return {
    builtins: NO_BUILTIN_SCRIPTS,
    configMap: configMap({ [`lua.traffic.routing.ingress.${classType}`]: source }),
  };
}

function weights(steps: unknown[], options: object = {}) {
  const stable = { stableIngress: ingress(), service: 'web', classType: 'demo', scripts: scriptsOf(WEIGHT) };
  const play = playIngress({ ...stable, steps, ...options });
  return { play, weights: play.afterSteps.map((canary) => canary?.metadata.annotations?.weight) };
}

describe('a rollout on an Ingress', () => {
  test('creates the canary Ingress in the first step and patches it in every step', () => {
    const { play, weights: after } = weights([{ traffic: '5%' }, { traffic: '20%' }]);
    expect(play.created?.metadata.annotations).toEqual({ weight: '0' });
    expect(play.createdAtStep).toBe(0);
    expect(after).toEqual(['5', '20']);
    expect(play.calls.map(({ obj }) => obj.weight)).toEqual(['0', '5', '5', '20', '20']);
  });

  test('creates it in the first step that sends traffic', () => {
    const { play, weights: after } = weights([
      { traffic: '0%' },
      {},
      { matches: [] },
      { traffic: '20%' },
      { traffic: '0%' },
    ]);
    expect(play.createdAtStep).toBe(3);
    expect(after).toEqual([undefined, undefined, undefined, '20', '0']);
  });

  test('changes nothing in a step without traffic and matches', () => {
    const { play, weights: after } = weights([{ traffic: '20%' }, { requestHeaderModifier: { remove: ['x'] } }]);
    expect(after).toEqual(['20', '20']);
    expect(play.calls).toHaveLength(3);
  });

  test('creates it before the first step in 0.3', () => {
    const { play, weights: after } = weights([{}, { traffic: '20%' }], { version: KruiseRolloutVersion.V0_3_0 });
    expect(play.createdAtStep).toBe(0);
    expect(after).toEqual(['0', '20']);
  });

  test('stops at creation when the script fails there', () => {
    const { play } = weights([{}, { traffic: '20%' }], { scripts: scriptsOf('error("no")') });
    expect(play.created).toBeUndefined();
    expect(play.afterSteps).toEqual([undefined]);
    expect(play.error).toMatchObject({ class: 'lua', phase: 'create', step: 1 });
  });

  test('stops at the step in which the script fails, and leaves the canary Ingress', () => {
    const script = 'if obj.weight == "20" then error("no") end return {weight = obj.weight}';
    const { play, weights: after } = weights([{ traffic: '5%' }, { traffic: '20%' }, { traffic: '30%' }], {
      scripts: scriptsOf(script),
    });
    expect(after).toEqual(['5']);
    expect(play.error).toMatchObject({ class: 'lua', phase: 'step', step: 1, line: 1 });
  });

  test('does not start without a script', () => {
    const { play } = weights([{}, { traffic: '20%' }], { classType: 'aws-alb' });
    expect(play.afterSteps).toEqual([]);
    expect(play.error).toEqual({
      class: 'script-not-found',
      message: 'aws-alb lua script is not found',
      log: 'newNetworkProvider failed: aws-alb lua script is not found',
      phase: 'create',
      step: 0,
    });
  });

  test('does not split traffic with disableGenerateCanaryService, which 0.5 ignores', () => {
    const script = 'return {service = obj.canaryService}';
    const services = (options: object) =>
      weights([{ traffic: '5%' }], { scripts: scriptsOf(script), disableGenerateCanaryService: true, ...options }).play
        .afterSteps[0]?.metadata.annotations?.service;
    expect(services({})).toBe('web');
    expect(services({ version: KruiseRolloutVersion.V0_5_0 })).toBe('web-canary');
  });

  test('traces the lines of the script', () => {
    const lines: number[] = [];
    weights([{ traffic: '5%' }], { runOptions: { onLine: (line: number) => lines.push(line) } });
    expect([...new Set(lines)]).toEqual([2, 3, 4]);
  });
});
