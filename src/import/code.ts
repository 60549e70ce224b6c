/** Expressions of a generated program as data: `print` writes them as TypeScript, `evaluate` computes them. */
import { compact, type Json } from '../core/json';

/** An expression. */
export type Code =
  /** A value without calls. */
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'list'; readonly items: readonly Code[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [key: string, value: Code])[] }
  /** A static method of a class of this library: `KruiseRolloutStep.traffic('20%')`. */
  | { readonly kind: 'call'; readonly class: string; readonly method: string; readonly args: readonly Code[] }
  /** What another statement makes, by its key. */
  | { readonly kind: 'reference'; readonly to: string }
  /** A method of what another statement makes: `ingress.trafficRouting()`. */
  | { readonly kind: 'callOf'; readonly to: string; readonly method: string; readonly args: readonly Code[] };

/** A plain value. */
export function value(json: Json): Code {
  return { kind: 'value', value: json };
}

/** A list of expressions. */
export function list(items: readonly Code[]): Code {
  return { kind: 'list', items };
}

/** An object of expressions; keys without one are left out. */
export function object(entries: Readonly<Record<string, Code | undefined>>): Code {
  return { kind: 'object', entries: Object.entries(compact(entries)) as [string, Code][] };
}

/** A call of a static method: `call('HeaderMatch.exact', value('x-beta'), value('1'))`. */
export function call(target: `${string}.${string}`, ...args: readonly Code[]): Code {
  const [name, method] = target.split('.') as [string, string];
  return { kind: 'call', class: name, method, args };
}

/** What another statement makes. */
export function reference(to: string): Code {
  return { kind: 'reference', to };
}

/** A call of a method of what another statement makes. */
export function callOf(to: string, method: string, ...args: readonly Code[]): Code {
  return { kind: 'callOf', to, method, args };
}

/** A value that may be absent. */
export function maybe(json: Json | undefined): Code | undefined {
  return json === undefined ? undefined : value(json);
}

/** Whether an object has no entries, so that an argument can be left out. */
export function isEmpty(code: Code): boolean {
  return code.kind === 'object' && code.entries.length === 0;
}

/** The expressions of an expression, with itself. */
export function partsOf(code: Code): readonly Code[] {
  switch (code.kind) {
    case 'list':
      return [code, ...code.items.flatMap(partsOf)];
    case 'object':
      return [code, ...code.entries.flatMap(([, entry]) => partsOf(entry))];
    case 'call':
    case 'callOf':
      return [code, ...code.args.flatMap(partsOf)];
    default:
      return [code];
  }
}
