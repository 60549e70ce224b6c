/**
 * Outputs in the options of a component. The functions that build manifests take plain values, for every entry point.
 * Therefore a placeholder replaces each Output, the manifests are built, and the Outputs return wherever their
 * placeholders ended up: as a value, inside a value, or in the key of an annotation.
 *
 * A placeholder looks like a name, so that it passes checks of names. Findings about a placeholder are dropped; the check
 * runs again when the value is known.
 */
import * as pulumi from '@pulumi/pulumi';
import { formatPath, type Path } from '../core/path';
import { stateOf } from './output-state';

/** One Output, and its path in the options. */
export interface OutputPlaceholder {
  /** `trafficRouting.service` */
  readonly path: string;
  /** The placeholder. */
  readonly text: string;
  readonly output: pulumi.Output<unknown>;
  /** Resolves when the value is known, stays unknown in this run, or failed. Never rejects. */
  readonly settled: Promise<void>;
}

/** A form of a placeholder in the manifests, and the same form of its value. */
interface Spelling {
  readonly text: string;
  readonly placeholder: OutputPlaceholder;
  write(value: unknown): unknown;
}

/** The values known so far, by their placeholders. */
export type KnownValues = ReadonlyMap<string, unknown>;

let count = 0;

/** Every use of an Output has the same placeholder, so that references to an object match its name. */
const texts = new WeakMap<object, string>();

/** The placeholder of an Output: different from every other, and from names that people write. */
export function textFor(output: object): string {
  const known = texts.get(output) ?? `known-later-k7q2v9-${++count}-x`;
  texts.set(output, known);
  return known;
}

const TEXT = /known-later-k7q2v9-\d+-x/;

/** The beginning of a placeholder in base64. */
const ENCODED = base64('known-later-k7q2v9');

/** Whether a text contains a placeholder. */
export function mentionsPlaceholder(written: string): boolean {
  return TEXT.test(written) || written.includes(ENCODED);
}

/** The Outputs of one component's options. */
export class OutputPlaceholders {
  private readonly found: OutputPlaceholder[] = [];
  private readonly spellings: Spelling[] = [];
  private readonly values = new Map<string, unknown>();
  private readonly secrets = new Set<string>();
  private readonly hidden: unknown;
  private pattern: RegExp | undefined;

  /** Finds the Outputs and Promises of the options. */
  constructor(options: unknown) {
    this.hidden = this.hide(options);
  }

  get all(): readonly OutputPlaceholder[] {
    return this.found;
  }

  /** The placeholders without a known value. */
  get unknown(): readonly OutputPlaceholder[] {
    return this.found.filter(({ text }) => !this.values.has(text));
  }

  /** The placeholders of secrets. Their values are never checked, because findings go into the log. */
  get secret(): readonly OutputPlaceholder[] {
    return this.found.filter(({ text }) => this.secrets.has(text));
  }

  /** The options with the values known so far, and placeholders for the others. */
  get options(): unknown {
    return this.filled(this.hidden);
  }

  /** Fills the known values into what was built from the options. */
  filled(value: unknown): unknown {
    return this.replaced(value, this.values);
  }

  /** Puts the Outputs back into what was built from the options. */
  withOutputs(value: unknown): unknown {
    if (typeof value === 'string') return this.textWithOutputs(value);
    if (Array.isArray(value)) return value.map((entry) => this.withOutputs(entry));
    if (!isPlainObject(value)) return value;
    const entries = Object.entries(value).map(([key, entry]) => [this.textWithOutputs(key), this.withOutputs(entry)]);
    if (entries.every(([key]) => typeof key === 'string')) return Object.fromEntries(entries);
    // A map with an unknown key, such as `actions.<service>` of an Ingress, is unknown as a whole.
    return pulumi.output(entries).apply((known) => Object.fromEntries(known as unknown as [string, unknown][]));
  }

  /** Replaces Outputs and Promises by placeholders. */
  hide(value: unknown, path: Path = []): unknown {
    if (pulumi.Output.isInstance(value)) return this.placeholder(value, value, path);
    if (value instanceof Promise) return this.placeholder(value, pulumi.output(value), path);
    if (Array.isArray(value)) return value.map((entry, index) => this.hide(entry, [...path, index]));
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.hide(entry, [...path, key])]));
  }

  private placeholder(identity: object, output: pulumi.Output<unknown>, path: Path): string {
    // The path of a request begins with a slash.
    const text = `${path.at(-1) === 'path' ? '/' : ''}${textFor(identity)}`;
    if (this.found.some((one) => one.text === text)) return text;
    const settled = stateOf(output).then(({ known, secret, value }) => {
      if (secret) this.secrets.add(text);
      else if (known) this.values.set(text, value);
    });
    const placeholder = { path: formatPath(path), text, output, settled };
    this.found.push(placeholder);
    this.spellings.push({ text, placeholder, write: (value) => value });
    // Certificates are written in base64, which hides the placeholder.
    this.spellings.push({ text: base64(text), placeholder, write: (value) => base64(String(value)) });
    const all = this.spellings.map((spelling) => spelling.text.replace(/[+/]/g, '\\$&'));
    // The longest match comes first, because one placeholder may be the beginning of another.
    this.pattern = new RegExp(all.sort((a, b) => b.length - a.length).join('|'), 'g');
    return text;
  }

  private textWithOutputs(text: string): unknown {
    const used = this.used(text);
    if (used.length === 0) return text;
    const [first] = used;
    if (first!.text === text) return first!.placeholder.output.apply((value) => first!.write(value));
    const outputs = used.map(({ placeholder }) => placeholder.output);
    return pulumi
      .all(outputs)
      .apply((values) =>
        this.replacedIn(text, new Map(used.map(({ placeholder }, index) => [placeholder.text, values[index]]))),
      );
  }

  private used(text: string): Spelling[] {
    const parts = this.pattern === undefined ? [] : (text.match(this.pattern) ?? []);
    return [...new Set(parts)].map((part) => this.spellings.find((spelling) => spelling.text === part)!);
  }

  private replaced(value: unknown, values: KnownValues): unknown {
    if (typeof value === 'string') return this.replacedIn(value, values);
    if (Array.isArray(value)) return value.map((entry) => this.replaced(entry, values));
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [String(this.replacedIn(key, values)), this.replaced(entry, values)]),
    );
  }

  private replacedIn(text: string, values: KnownValues): unknown {
    const whole = this.spellings.find((spelling) => spelling.text === text);
    if (whole !== undefined)
      return values.has(whole.placeholder.text) ? whole.write(values.get(whole.placeholder.text)) : text;
    if (this.pattern === undefined) return text;
    const inJson = isJson(text);
    return text.replace(this.pattern, (part) => {
      const { placeholder, write } = this.spellings.find((spelling) => spelling.text === part)!;
      if (!values.has(placeholder.text)) return part;
      const value = String(write(values.get(placeholder.text)));
      return inJson ? JSON.stringify(value).slice(1, -1) : value;
    });
  }
}

/** An object literal. An instance of a class is one value, and is not entered. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Annotations may hold JSON, in which a value has to be escaped. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
