import { type ArgoVerdict, admitArgoRollout } from '../../../src/argo/admission';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
import type { JsonObject } from '../../../src/core/json';
import { fieldText } from '../../../src/core/schema';
import type { Outcome, VectorSet } from '../set';

/** The release that the answers were recorded from. */
const RECORDED = ArgoRolloutsVersion.of('1.10.0-rc1');

interface Refusal {
  readonly stage: string;
  readonly class: string;
  readonly field: string;
  readonly message: string;
}

interface Vector {
  readonly input: {
    readonly rollout: JsonObject;
    readonly services: readonly JsonObject[];
    readonly ingresses: readonly JsonObject[];
    readonly analysisTemplates?: readonly JsonObject[];
    readonly clusterAnalysisTemplates?: readonly JsonObject[];
    readonly deployments?: readonly JsonObject[];
  };
  readonly expect: Partial<Refusal> & {
    readonly allowed: boolean;
    readonly crash?: boolean;
    readonly errors?: readonly Refusal[];
    readonly unknownFields?: readonly string[];
  };
}

/** The same answer and the same check; to the letter also where all errors are the same. */
const set: VectorSet = {
  check({ input, expect }: Vector): Outcome {
    const { rollout, deployments, ...cluster } = input;
    const verdict = admitArgoRollout(rollout, {
      ...cluster,
      version: RECORDED,
      ...(deployments && { workloads: deployments }),
    });
    const unknown = verdict.unknown.map(({ path }) => fieldText(path)).sort();
    const differences = [
      ...different('answer', expect.allowed ? 'allowed' : classOf(expect), answerOf(verdict)),
      ...different('unknownFields', [...(expect.unknownFields ?? [])].sort(), unknown),
    ];
    const inexact = different(
      'errors',
      expect.errors?.map(line) ?? [],
      verdict.allowed ? [] : verdict.errors.map(line),
    );
    const same = differences.length === 0;
    return {
      same,
      exact: same && inexact.length === 0,
      ...(differences.length + inexact.length > 0 && { difference: [...differences, ...inexact].join('\n') }),
    };
  },
};

export default set;

function classOf({ crash, class: check }: Vector['expect']): string | undefined {
  return crash ? 'crash' : check;
}

function answerOf(verdict: ArgoVerdict): string {
  return verdict.allowed ? 'allowed' : verdict.class;
}

function line({ stage, class: check, field, message }: Refusal): string {
  return `${stage} ${check} ${field}: ${message}`;
}

function different(what: string, expected: unknown, actual: unknown): string[] {
  const [want, got] = [JSON.stringify(expected), JSON.stringify(actual)];
  return want === got ? [] : [`${what}: expected ${want}, got ${got}`];
}
