import { isDeepStrictEqual } from 'node:util';
import { goJson } from '../../../src/core/go-json';
import {
  type CanaryIngress,
  customScripts,
  ensureCustomRoutes,
  ensureIngressRoutes,
} from '../../../src/kruise/controller';
import { type Routing, routesTraffic, routingOfRollout, routingOfTrafficRouting } from '../../../src/kruise/routing';
import { type ScriptCall, scriptRunner } from '../../../src/kruise/scripts/contract';
import {
  customScriptKey,
  ingressScriptKey,
  lookupIngressScript,
  NO_BUILTIN_SCRIPTS,
} from '../../../src/kruise/scripts/lookup';
import type { Outcome, VectorSet } from '../set';

interface ContractVector {
  readonly input: {
    readonly provider: 'ingress' | 'custom';
    readonly rollout?: unknown;
    readonly step?: number;
    readonly trafficRouting?: unknown;
    readonly object: unknown;
    readonly canaryIngress?: CanaryIngress;
    readonly script: string;
    readonly withoutCrdDefaults?: boolean;
  };
  readonly expect: { readonly calls: readonly unknown[]; readonly nil?: readonly string[]; readonly error?: string };
}

interface Answer {
  readonly calls: readonly ScriptCall[];
  readonly error?: string;
}

/** What a script is given, run by run, with the script in the ConfigMap. */
const luaContractVectors: VectorSet = {
  check({ input, expect }: ContractVector): Outcome {
    const { withoutCrdDefaults } = input;
    const routing =
      input.trafficRouting === undefined
        ? routingOfRollout(input.rollout, input.step ?? 0, { withoutCrdDefaults })
        : routingOfTrafficRouting(input.trafficRouting, { withoutCrdDefaults });
    const answer = routing && routesTraffic(routing.strategy) ? answerOf(input, routing) : { calls: [] };
    const calls = answer.calls.map(({ obj }) => obj);
    const expectedError = expect.error?.split('\nstack traceback')[0];
    const differences = [
      ...(isDeepStrictEqual(asLua(calls), asLua(expect.calls))
        ? []
        : [`calls: expected ${goJson(expect.calls)}, got ${goJson(calls)}`]),
      ...(answer.error === expectedError ? [] : [`error: expected ${expectedError}, got ${answer.error}`]),
      ...(expect.nil ?? [])
        .filter((key) => calls.length > 0 && isThere(calls[calls.length - 1], key))
        .map((key) => `${key} is not nil`),
    ];
    return { same: differences.length === 0, difference: differences.join('; ') || undefined };
  },
};

function answerOf(input: ContractVector['input'], routing: Routing): Answer {
  return input.provider === 'ingress' ? ingressAnswer(input, routing) : customAnswer(input, routing);
}

/** One reconcile, and after a creation a second one. */
function ingressAnswer(input: ContractVector['input'], routing: Routing): Answer {
  const classType = routing.ingress?.classType ?? '';
  const configMap = { data: { [ingressScriptKey(classType)]: input.script } };
  const script = lookupIngressScript(classType, { builtins: NO_BUILTIN_SCRIPTS, configMap });
  if (!script.found) return { calls: [], error: script.error };
  const run = scriptRunner(script.source);
  const state = { stableIngress: input.object, canaryIngress: input.canaryIngress };
  const first = ensureIngressRoutes(state, routing, run);
  const passes = [first];
  if (first.written === 'created') {
    passes.push(ensureIngressRoutes({ ...state, canaryIngress: first.canaryIngress }, routing, run));
  }
  return {
    calls: passes.flatMap(({ call }) => call ?? []),
    error: passes[passes.length - 1].error?.message,
  };
}

function customAnswer(input: ContractVector['input'], routing: Routing): Answer {
  const [ref] = routing.customNetworkRefs ?? [];
  const configMap = { data: { [customScriptKey(ref)]: input.script } };
  const scripts = customScripts({ builtins: NO_BUILTIN_SCRIPTS, configMap });
  const target = { ref, object: input.object as { readonly [key: string]: never } };
  const { calls, error } = ensureCustomRoutes([target], routing, scripts);
  return { calls, error: error?.message };
}

/** Lua has one kind of empty table. */
function asLua(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, member) =>
    Array.isArray(member) && member.length === 0 ? {} : member,
  );
}

function isThere(obj: unknown, path: string): boolean {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], obj) !== undefined;
}

export default luaContractVectors;
