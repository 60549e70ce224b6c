import { isDeepStrictEqual } from 'node:util';
import { goJson } from '../../../src/core/go-json';
import type { CanaryIngress, IngressPlay } from '../../../src/kruise/controller';
import { playIngress } from '../../../src/kruise/controller';
import { builtinScripts } from '../../../src/kruise/scripts/library';
import type { Outcome, VectorSet } from '../set';

interface IngressVector {
  readonly input: {
    readonly script: string;
    readonly stableIngress: unknown;
    readonly service: string;
    readonly disableGenerateCanaryService?: boolean;
    readonly steps: readonly unknown[];
  };
  readonly expect: {
    readonly created: unknown;
    readonly createdAtStep?: number;
    readonly afterSteps: readonly unknown[];
    readonly error?: {
      readonly phase: string;
      readonly step: number;
      readonly class: string;
      readonly message: string;
    };
  };
}

/** The canary Ingress at creation and after every step, with the controller's built-in scripts. */
const kruiseIngressVectors: VectorSet = {
  check({ input, expect }: IngressVector): Outcome {
    const play = playIngress({
      stableIngress: input.stableIngress,
      service: input.service,
      classType: input.script,
      steps: input.steps,
      disableGenerateCanaryService: input.disableGenerateCanaryService,
      // The recorded objects did not go through an API server.
      withoutCrdDefaults: true,
      scripts: { builtins: builtinScripts() },
    });
    const expected = { ...expect, error: errorOf(expect.error) };
    const differing = Object.entries(answerOf(play)).filter(
      ([key, value]) => !isDeepStrictEqual(plain(value), plain(expected[key as keyof typeof expected])),
    );
    const difference = differing.map(
      ([key, value]) => `${key}: expected ${goJson(expected[key as keyof typeof expected])}, got ${goJson(value)}`,
    );
    return { same: differing.length === 0, difference: difference.join('; ') || undefined };
  },
};

function answerOf(play: IngressPlay) {
  return {
    created: play.created ?? null,
    createdAtStep: play.createdAtStep,
    afterSteps: play.afterSteps.map((ingress: CanaryIngress | undefined) => ingress ?? null),
    error: errorOf(play.error),
  };
}

/** The text of a Lua error tells the lines of the controller's own scripts, which ours do not have. */
function errorOf(error: IngressVector['expect']['error']) {
  if (error === undefined) return undefined;
  const { phase, step, message } = error;
  return { phase, step, class: error.class, message: error.class === 'lua' ? undefined : message };
}

/** The data without what a manifest may as well leave out: null in a map means absent. */
function plain(value: unknown): unknown {
  return value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value), (_key, member) =>
        typeof member === 'object' && member !== null && !Array.isArray(member)
          ? Object.fromEntries(Object.entries(member).filter(([, item]) => item !== null))
          : member,
      );
}

export default kruiseIngressVectors;
