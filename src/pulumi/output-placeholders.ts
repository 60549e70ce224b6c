/**
 * Outputs in the options of a component. The functions that describe manifests take plain values, and describe each
 * object once for every shell. So an Output is replaced by a text that stands for it, the manifests are described, and
 * the Outputs are put back wherever their texts ended up: as a value, within one, or in the key of an annotation.
 *
 * The text looks like a name, so that it passes where a name is asked for. What a check says of such a text is left out:
 * it is checked again with the value, as soon as that is known.
 */
import * as pulumi from '@pulumi/pulumi';
import { formatPath, type Path } from '../core/path';
import { stateOf } from './output-state';

/** One Output, and where it stands in the options. */
export interface OutputPlaceholder {
  /** `trafficRouting.service` */
  readonly path: string;
  /** What stands for it. */
  readonly text: string;
  readonly output: pulumi.Output<unknown>;
  /** Resolves when it is known, will not be known in this run, or failed; never rejects. */
  readonly settled: Promise<void>;
}

/** A way in which the text of a placeholder is found again, and how its value is written there. */
interface Spelling {
  readonly text: string;
  readonly placeholder: OutputPlaceholder;
  write(value: unknown): unknown;
}

/** The values that are known so far, by the text that stands for each. */
export type KnownValues = ReadonlyMap<string, unknown>;

let count = 0;

/** An Output has the same text wherever it stands, so that what refers to an object by it finds the object. */
const texts = new WeakMap<object, string>();

/** A text for an Output, different from every other and from what people write. */
export function textFor(output: object): string {
  const known = texts.get(output) ?? `known-later-k7q2v9-${++count}-x`;
  texts.set(output, known);
  return known;
}

const TEXT = /known-later-k7q2v9-\d+-x/;

/** How such a text begins in base64. */
const ENCODED = base64('known-later-k7q2v9');

/** Whether something that is written mentions an Output whose value is not known. */
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

  /** Those that are not known yet. */
  get unknown(): readonly OutputPlaceholder[] {
    return this.found.filter(({ text }) => !this.values.has(text));
  }

  /** Those that are secrets. They are never looked at, as what is found is written into the log. */
  get secret(): readonly OutputPlaceholder[] {
    return this.found.filter(({ text }) => this.secrets.has(text));
  }

  /** The options with the values that are known by now, and a text for each that is not. */
  get options(): unknown {
    return this.filled(this.hidden);
  }

  /** The same of what was made from the options. */
  filled(value: unknown): unknown {
    return this.replaced(value, this.values);
  }

  /** Puts the Outputs back into what was made from the options. */
  withOutputs(value: unknown): unknown {
    if (typeof value === 'string') return this.textWithOutputs(value);
    if (Array.isArray(value)) return value.map((entry) => this.withOutputs(entry));
    if (!isPlainObject(value)) return value;
    const entries = Object.entries(value).map(([key, entry]) => [this.textWithOutputs(key), this.withOutputs(entry)]);
    if (entries.every(([key]) => typeof key === 'string')) return Object.fromEntries(entries);
    // A key has to be known for the map to be, as the `actions.<service>` of an Ingress.
    return pulumi.output(entries).apply((known) => Object.fromEntries(known as unknown as [string, unknown][]));
  }

  /** Puts texts in the place of Outputs and Promises. */
  hide(value: unknown, path: Path = []): unknown {
    if (pulumi.Output.isInstance(value)) return this.placeholder(value, value, path);
    if (value instanceof Promise) return this.placeholder(value, pulumi.output(value), path);
    if (Array.isArray(value)) return value.map((entry, index) => this.hide(entry, [...path, index]));
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.hide(entry, [...path, key])]));
  }

  private placeholder(identity: object, output: pulumi.Output<unknown>, path: Path): string {
    // A path of a request has to begin with a slash.
    const text = `${path.at(-1) === 'path' ? '/' : ''}${textFor(identity)}`;
    if (this.found.some((one) => one.text === text)) return text;
    const settled = stateOf(output).then(({ known, secret, value }) => {
      if (secret) this.secrets.add(text);
      else if (known) this.values.set(text, value);
    });
    const placeholder = { path: formatPath(path), text, output, settled };
    this.found.push(placeholder);
    this.spellings.push({ text, placeholder, write: (value) => value });
    // Certificates are written in base64, of which the text cannot be seen.
    this.spellings.push({ text: base64(text), placeholder, write: (value) => base64(String(value)) });
    const all = this.spellings.map((spelling) => spelling.text.replace(/[+/]/g, '\\$&'));
    // Of two that begin alike the longer one is meant.
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

/** An object without a class, whose entries are options; what has a class is one value. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Annotations hold JSON, in which a value has to be escaped. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
