import { remembered } from '../../core/remembered';
import { parseBool } from '../go-values';
import type { Ingress } from './ingress';

/** Annotations under one of several prefixes; the first prefix that has the key wins. */
export class PrefixedAnnotations {
  /** Reads the annotations under these prefixes, those of each Ingress once. */
  static under(...prefixes: readonly string[]): (ingress: Ingress) => PrefixedAnnotations {
    return remembered((ingress) => new PrefixedAnnotations(ingress, prefixes));
  }

  private readonly known = new Map<string, string | undefined>();

  constructor(
    private readonly ingress: Ingress,
    private readonly prefixes: readonly string[],
  ) {}

  /** The same Ingress, with annotations under one prefix only. */
  only(prefix: string): PrefixedAnnotations {
    return new PrefixedAnnotations(this.ingress, [prefix]);
  }

  /** A text that is not empty. */
  text(name: string): string | undefined {
    return this.raw(name) || undefined;
  }

  /** As Go's `strconv.ParseBool`; undefined for anything else. */
  bool(name: string): boolean | undefined {
    return parseBool(this.raw(name) ?? '');
  }

  /** As Go's `strconv.Atoi`; undefined for anything else. */
  integer(name: string): number | undefined {
    const text = this.raw(name);
    return text !== undefined && /^[+-]?[0-9]{1,9}$/.test(text) ? Number(text) + 0 : undefined;
  }

  private raw(name: string): string | undefined {
    const known = this.known.get(name);
    if (known !== undefined || this.known.has(name)) return known;
    const key = this.prefixes.map((prefix) => `${prefix}/${name}`).find((each) => each in this.ingress.annotations);
    const text = key === undefined ? undefined : this.ingress.annotations[key];
    this.known.set(name, text);
    return text;
  }
}
