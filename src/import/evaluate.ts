/** Computes the expressions of a program. */
import { type Json, setOwnValue } from '../core/json';
import type { Code } from './code';

/** What the names in an expression stand for. */
export interface Scope {
  /** The exports of the library. */
  readonly library: Readonly<Record<string, unknown>>;
  /** What the statements so far have made, by their keys. */
  readonly made: ReadonlyMap<string, unknown>;
}

/** The value of an expression, exactly as the printed one has it. Each evaluation gives new objects. */
export function evaluate(code: Code, scope: Scope): unknown {
  switch (code.kind) {
    case 'value':
      return copied(code.value);
    case 'list':
      return code.items.map((item) => evaluate(item, scope));
    case 'object': {
      const result = {};
      for (const [key, entry] of code.entries) setOwnValue(result, key, evaluate(entry, scope) as Json);
      return result;
    }
    case 'call':
      return invoke(scope.library[code.class], code.method, code.args, scope);
    case 'reference':
      return scope.made.get(code.to);
    case 'callOf':
      return invoke(scope.made.get(code.to), code.method, code.args, scope);
  }
}

function invoke(owner: unknown, method: string, args: readonly Code[], scope: Scope): unknown {
  const callable = owner as Readonly<Record<string, (...given: unknown[]) => unknown>>;
  return callable[method]!(...args.map((arg) => evaluate(arg, scope)));
}

function copied(json: Json): Json {
  if (Array.isArray(json)) return json.map(copied);
  if (typeof json !== 'object' || json === null) return json;
  const result = {};
  for (const [key, entry] of Object.entries(json)) setOwnValue(result, key, copied(entry));
  return result as Json;
}
