/** Listeners that try their rules one after the other. */
import type { RequestTest } from './request';
import type { Answer, FixedResponseAnswer, HttpRequest, Listener, PassedOver, Route, RouteRule } from './router';

/** A part of a test, with its words. */
export interface RequestCondition {
  /** For a message: `header x-user is "42"`. */
  readonly words: string;
  readonly test: RequestTest;
}

/** A rule with its test and its answer. */
export interface Candidate {
  readonly rule: RouteRule;
  readonly matches: RequestTest;
  /**
   * Why nobody can tell whether this candidate takes a request that it matches; undefined if it does.
   * @default - it takes every request that it matches
   */
  readonly unknown?: (request: HttpRequest) => string | undefined;
  /**
   * The parts of the test, which must all match.
   * @default - the router does not tell them
   */
  readonly conditions?: readonly RequestCondition[];
  /** A function makes it when it is first needed, and always gives the same one. */
  readonly answer: Answer | (() => Answer);
  /**
   * True for a default backend, which takes the requests that match no rule.
   * @default false
   */
  readonly isDefault?: boolean;
}

/** The parts of a listener. */
export interface ListenerOptions {
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS';
  /** In the order in which they are tried; a function makes them when they are first needed. */
  readonly candidates: readonly Candidate[] | (() => readonly Candidate[]);
  /**
   * The candidates that a request can reach, for proxies that select by host first.
   * @default - all of them
   */
  readonly reachable?: (request: HttpRequest) => readonly Candidate[];
  /**
   * Those of the reachable ones that a request may match, for listeners with many.
   * @default - all that it can reach
   */
  readonly likely?: (request: HttpRequest) => readonly Candidate[];
  /** The answer if no candidate matches. */
  readonly otherwise: Answer | ((request: HttpRequest) => Answer);
}

/** A listener that uses the first matching rule. */
export function listenerOf(options: ListenerOptions): Listener {
  const { port, protocol, candidates, reachable, likely = reachable, otherwise } = options;
  const all = once(typeof candidates === 'function' ? candidates : () => candidates);
  const rules = once(() => all().map(({ rule }) => rule));
  const reached = (request: HttpRequest) => reachable?.(request) ?? all();
  return {
    port,
    protocol,
    get rules() {
      return rules();
    },
    route(request): Route {
      const found = (likely?.(request) ?? all()).find(({ matches }) => matches(request));
      const why = found?.unknown?.(request);
      if (why !== undefined) return { answer: { kind: 'unknown', why }, rule: found!.rule, isDefault: false };
      if (found !== undefined) {
        return { answer: answerOf(found), rule: found.rule, isDefault: found.isDefault ?? false };
      }
      return { answer: typeof otherwise === 'function' ? otherwise(request) : otherwise, isDefault: true };
    },
    passedOver(request) {
      const tried = reached(request);
      const taken = tried.findIndex(({ matches }) => matches(request));
      return (taken < 0 ? tried : tried.slice(0, taken)).map(({ rule, conditions }): PassedOver => {
        const failed = conditions?.find(({ test }) => !test(request));
        return failed === undefined ? { rule } : { rule, failed: failed.words };
      });
    },
  };
}

/** The answer of a candidate. */
export function answerOf({ answer }: Candidate): Answer {
  return typeof answer === 'function' ? answer() : answer;
}

/** Makes a value when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** An answer of the proxy itself. */
export function fixedResponse(statusCode: number, messageBody?: string): FixedResponseAnswer {
  const answer = { kind: 'fixed-response', statusCode: String(statusCode) } as const;
  return messageBody === undefined ? answer : { ...answer, messageBody };
}
