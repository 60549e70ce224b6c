import { loadLua } from './load';
import type { Prototype } from './vm/prototype';

/** A compiled function as JSON has it. */
interface PrototypeJson extends Omit<Prototype, 'code' | 'lines' | 'prototypes'> {
  readonly code: readonly number[];
  readonly lines: readonly number[];
  readonly prototypes: readonly PrototypeJson[];
}

interface ShippedScript {
  readonly source: string;
  readonly prototype: PrototypeJson;
}

/** Scripts by the length of their text, so that one is found without a digest. */
type ShippedScripts = Readonly<Record<number, readonly ShippedScript[]>>;

/** What the build of this package has made of a script: `scripts/prove.mjs` writes it to lib, the sources have none. */
export function shippedPrototype(source: string): Prototype | undefined {
  const scripts: ShippedScripts = require('./shipped.json') as typeof import('./shipped.json');
  const found = scripts[source.length]?.find((script) => script.source === source);
  return found && prototypeOf(found.prototype);
}

/** What to ship of scripts, for the build. */
export function compiledToShip(sources: readonly string[]): ShippedScripts {
  const all: Record<number, readonly ShippedScript[]> = {};
  for (const source of new Set(sources)) {
    const { prototype } = loadLua(source);
    all[source.length] = [...(all[source.length] ?? []), { source, prototype: jsonOf(prototype) }];
  }
  return all;
}

function prototypeOf(json: PrototypeJson): Prototype {
  const { code, lines, prototypes } = json;
  return {
    ...json,
    code: Int32Array.from(code),
    lines: Int32Array.from(lines),
    prototypes: prototypes.map(prototypeOf),
  };
}

function jsonOf(prototype: Prototype): PrototypeJson {
  const { code, lines, prototypes } = prototype;
  return { ...prototype, code: [...code], lines: [...lines], prototypes: prototypes.map(jsonOf) };
}
