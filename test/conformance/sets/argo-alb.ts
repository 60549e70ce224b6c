import { isDeepStrictEqual } from 'node:util';
import { type AlbResult, annotationsOf, applyAlb, rulesOf } from '../../../src/argo/controller';
import { goJson } from '../../../src/core/go-json';
import type { JsonObject } from '../../../src/core/json';
import type { Outcome, VectorSet } from '../set';

interface After {
  readonly annotations: Readonly<Record<string, string>>;
  readonly rules: unknown;
}

interface AlbVector {
  readonly input: {
    readonly rollout: unknown;
    readonly ingress?: unknown;
    readonly ingresses?: readonly unknown[];
    readonly removeManagedRoutes?: boolean;
    readonly headerRoute?: unknown;
    readonly desiredWeight?: number;
    readonly experiments?: readonly { readonly serviceName: string; readonly weight: number }[];
    readonly rolloutDeleted?: boolean;
  };
  readonly expect: Partial<After> & {
    readonly ingresses?: Readonly<Record<string, After>>;
    readonly written?: readonly string[];
    readonly error?: string;
    readonly crash?: boolean;
  };
}

/** What the controller writes to ALB Ingresses: annotations compared as JSON where they hold some, and to the letter. */
const argoAlbVectors: VectorSet = {
  check({ input, expect: recorded }: AlbVector): Outcome {
    const { ingress, ingresses, ...others } = input;
    const expect = withoutGoNulls(recorded);
    const got = answerOf(applyAlb({ ...others, ingresses: ingresses ?? [ingress] }), ingresses !== undefined);
    const differing = [...new Set([...Object.keys(expect), ...Object.keys(got)])].filter(
      (key) => !isDeepStrictEqual(parsed(part(got, key)), parsed(part(expect, key))),
    );
    const difference = differing.map(
      (key) => `${key}: expected ${goJson(part(expect, key))}, got ${goJson(part(got, key))}`,
    );
    return {
      same: differing.length === 0,
      exact: isDeepStrictEqual(plain(got), plain(expect)),
      difference: difference.join('; ') || undefined,
    };
  },
};

function answerOf({ ingresses, written, error }: AlbResult, areSeveral: boolean): AlbVector['expect'] {
  if (error?.class === 'panic') return { crash: true, error: error.message };
  const states = ingresses.map((ingress) => [String((ingress.metadata as JsonObject).name), afterOf(ingress)] as const);
  return {
    ...(areSeveral ? { ingresses: Object.fromEntries(states) } : states[0]![1]),
    written,
    ...(error === undefined ? {} : { error: error.message }),
  };
}

/** Go writes null for a list or map that was never made. */
function withoutGoNulls(expect: AlbVector['expect']): AlbVector['expect'] {
  if (expect.crash === true) return expect;
  const full = (after: Partial<After>): After => ({ annotations: after.annotations ?? {}, rules: after.rules ?? [] });
  const states =
    expect.ingresses === undefined
      ? full(expect)
      : { ingresses: Object.fromEntries(Object.entries(expect.ingresses).map(([name, after]) => [name, full(after)])) };
  return { ...expect, ...states, written: expect.written ?? [] };
}

function afterOf(ingress: JsonObject): After {
  return { annotations: Object.fromEntries(annotationsOf(ingress)), rules: rulesOf(ingress) };
}

function part(answer: AlbVector['expect'], key: string): unknown {
  return answer[key as keyof typeof answer];
}

/** The data with the JSON in its annotations read. */
function parsed(value: unknown): unknown {
  return plain(value, (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  });
}

/** The data without undefined members. */
function plain(value: unknown, read: (text: string) => unknown = (text) => text): unknown {
  if (value === undefined) return undefined;
  return JSON.parse(JSON.stringify(value), (_key, member) => (typeof member === 'string' ? read(member) : member));
}

export default argoAlbVectors;
