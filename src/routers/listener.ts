/** Listeners of rules that are tried one after the other. */
import type { RequestTest } from './request';
import type { Answer, FixedResponseAnswer, HttpRequest, Listener, Route, RouteRule } from './router';

/** A rule that knows the requests it takes. */
export interface Candidate {
  readonly rule: RouteRule;
  readonly matches: RequestTest;
  readonly answer: Answer;
  /**
   * True for what is left when no rule says anything, such as a default backend.
   * @default false
   */
  readonly isDefault?: boolean;
}

/** What a listener is made of. */
export interface ListenerOptions {
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS';
  /** In the order in which they are tried. */
  readonly candidates: readonly Candidate[];
  /**
   * The candidates that a request can reach at all, for proxies that look at the host before anything else.
   * @default - all of them
   */
  readonly reachable?: (request: HttpRequest) => readonly Candidate[];
  /** What is left when none of them matches. */
  readonly otherwise: Answer | ((request: HttpRequest) => Answer);
}

/** A listener whose first matching rule takes the request. */
export function listenerOf({ port, protocol, candidates, reachable, otherwise }: ListenerOptions): Listener {
  return {
    port,
    protocol,
    rules: candidates.map(({ rule }) => rule),
    route(request): Route {
      const found = (reachable?.(request) ?? candidates).find(({ matches }) => matches(request));
      if (found !== undefined) return { answer: found.answer, rule: found.rule, isDefault: found.isDefault ?? false };
      return { answer: typeof otherwise === 'function' ? otherwise(request) : otherwise, isDefault: true };
    },
  };
}

/** An answer of the proxy itself. */
export function fixedResponse(statusCode: number, messageBody?: string): FixedResponseAnswer {
  const answer = { kind: 'fixed-response', statusCode: String(statusCode) } as const;
  return messageBody === undefined ? answer : { ...answer, messageBody };
}
