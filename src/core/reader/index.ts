import type { Budget } from '../budget';
import { utf8 } from '../bytes';
import { baseName } from '../file-name';
import { collectFindings, type Finding, type SourceLocation } from '../finding';
import { groupedBy } from '../grouped';
import { isJsonObject, type Json, type JsonObject, ownValue, typeName } from '../json';
import { Manifest } from '../manifest';
import type { Path } from '../path';
import { findingOf } from '../rule';
import { readerRules, worldRules } from '../rules';
import { parseDocument } from './document';
import type { InputFile, SkippedFolder, Unreadable } from './input-file';
import { isKustomization, Kustomizations } from './kustomize';
import { DEFAULT_LIMITS, type ReadLimits } from './limits';
import { checkMetadata } from './metadata';
import { DocumentOrigin, TextPlace } from './origin';
import { helmFinding, isHelmTemplate, problemFinding } from './problem-findings';
import { type DocumentText, splitDocuments } from './split';
import { stacksOf } from './stacks';

export type { InputFile, SkippedFolder, Unreadable } from './input-file';
export { DEFAULT_LIMITS, type ReadLimits } from './limits';

/** The options for reading manifests. */
export interface ReadOptions {
  /**
   * The limits of the read.
   * @default DEFAULT_LIMITS
   */
  readonly limits?: Partial<ReadLimits>;
  /**
   * How much time and memory may be spent. The files that are left then are not read, and a finding says so.
   * @default - any amount
   */
  readonly budget?: Budget;
}

/** The result of a read. */
export interface ReadResult {
  /** The objects in the order of files and documents. Lists are replaced by their items. */
  readonly manifests: readonly Manifest[];
  /** The findings about the files, in report order. */
  readonly findings: readonly Finding[];
  /** The text of each file that was read, for reports that show the line. */
  readonly sources: ReadonlyMap<string, string>;
  /**
   * The objects by cluster, where folders hold the same objects for several of them. What is for all is in each.
   * @default - everything is for one cluster
   */
  readonly stacks?: readonly ReadStack[];
}

/** The objects for one of several clusters or environments. */
export interface ReadStack {
  /** The folders that make the difference: `prod`, `eu/prod`. */
  readonly name: string;
  readonly manifests: readonly Manifest[];
}

/** The name of standard input in findings. */
export const STDIN = '<stdin>';

/** Files that are read without being on disk, such as those of a commit. */
export interface FileTree {
  /** The file of this name, or the manifest files of the folder, sorted by name. */
  filesOf(name: string): Iterable<InputFile | Unreadable | SkippedFolder>;
  /** The bytes of a file; undefined if there are more than the limit. */
  bytesOf(name: string, limit: number): Uint8Array | undefined | Unreadable;
}

/**
 * Reads the manifests of a tree as `readManifests` reads those of folders, with the same limits.
 * @example readTree(new GitTree(root, commit), ['deploy'])
 */
export function readTree(
  tree: FileTree,
  inputs: readonly string[],
  options: Pick<ReadOptions, 'limits' | 'budget'> = {},
): ReadResult {
  const reading = new Reading({ ...DEFAULT_LIMITS, ...options.limits }, options.budget);
  for (const input of new Set(inputs)) {
    reading.input(input, () => {
      for (const file of tree.filesOf(input)) {
        reading.fileOrProblem(file, (name) => (limit) => tree.bytesOf(name, limit));
      }
    });
  }
  return reading.result();
}

/**
 * Reads the manifests of a text.
 * @example parseManifests('apiVersion: v1\nkind: Service\n…', 'web.yaml').manifests
 */
export function parseManifests(text: string, file: string, options: Pick<ReadOptions, 'limits'> = {}): ReadResult {
  const reading = new Reading({ ...DEFAULT_LIMITS, ...options.limits });
  reading.input(file, () => reading.text(text.replace(/^\ufeff/, ''), { name: file, named: true }));
  return reading.result();
}

/** Reads the manifests of the bytes of a stream, with the limits that a file has. The stream may end early beyond them. */
export async function parseStream(
  stream: AsyncIterable<Uint8Array | string>,
  file: string,
  options: Pick<ReadOptions, 'limits'> = {},
): Promise<ReadResult> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? utf8(chunk) : chunk;
    size += bytes.length;
    if (size > limits.fileSize) break;
    chunks.push(bytes);
  }
  const reading = new Reading(limits);
  reading.input(file, () => {
    const bytes = size > limits.fileSize ? undefined : joined(chunks, size);
    reading.file({ name: file, named: true }, () => bytes);
  });
  return reading.result();
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}

/** Gives the bytes of a file; undefined if there are more than the limit. */
export type ReadBytes = (limit: number) => Uint8Array | undefined | Unreadable;

/** One read, with its use of the limits. */
export class Reading {
  private readonly manifests: Manifest[] = [];
  /** The file of each manifest. */
  private readonly names: string[] = [];
  private readonly kustomizations = new Kustomizations();
  private readonly findings: Finding[] = [];
  private readonly unread: string[] = [];
  private readonly sources = new Map<string, string>();
  private skipped: Skipped[] = [];
  private files = 0;
  private size = 0;
  private documents = 0;

  constructor(
    private readonly limits: ReadLimits,
    private readonly budget?: Budget,
  ) {}

  result(): ReadResult {
    const [first, ...others] = this.unread;
    if (first !== undefined) {
      const message = `${this.budget!.spent()} is spent; not read: ${first}${others.length > 0 ? ` and ${others.length} more files` : ''}`;
      this.findings.push(findingOf(worldRules['budget-spent'], { message }));
    }
    const patches = new Set(this.names.filter((name) => this.kustomizations.isPatch(name)));
    const placed = this.manifests
      .map((manifest, index) => ({ manifest, file: this.names[index]! }))
      .filter(({ file }) => !patches.has(file));
    const manifests = placed.map(({ manifest, file }) => this.kustomizations.placed(manifest, file));
    const findings = this.findings.filter(
      ({ object, source }) => object === undefined || source === undefined || !patches.has(source.file),
    );
    const all = collectFindings([...findings, ...patchesFindings([...patches])]);
    const stacks = stacksOf(placed).map(({ name, has }): ReadStack => {
      const own = placed.filter(({ file }) => has(file));
      return { name, manifests: own.map(({ manifest, file }) => this.kustomizations.placed(manifest, file, has)) };
    });
    return { manifests, findings: all, sources: this.sources, ...(stacks.length > 0 && { stacks }) };
  }

  /** Reads the files of one name, and reports a name without manifests. */
  input(name: string, read: () => void): void {
    const before = this.outcomes;
    this.skipped = [];
    read();
    const found = this.outcomes > before;
    this.findings.push(...skippedFindings(name, this.skipped));
    if (found) return;
    const what = name === '-' ? STDIN : name;
    this.findings.push(findingOf(readerRules['no-manifests'], { message: `${what} holds no Kubernetes manifest` }));
  }

  /** How much was read, told or left out: of what was left out nothing else is known. */
  private get outcomes(): number {
    const leftOut = this.unread.length + Math.max(0, this.files - this.limits.files);
    return this.manifests.length + this.findings.length + leftOut;
  }

  fileOrProblem(file: InputFile | Unreadable | SkippedFolder, read: (name: string) => ReadBytes): void {
    if ('problem' in file) this.unreadable(file.name, file.problem);
    else if ('skipped' in file) this.skipped.push({ name: file.name, reason: file.skipped });
    else this.file(file, read(file.name));
  }

  file(file: InputFile, read: ReadBytes): void {
    if (this.budget?.spent() !== undefined) {
      this.unread.push(file.name);
      return;
    }
    if (++this.files > this.limits.files) {
      if (this.files === this.limits.files + 1)
        this.tooMuch(file.name, `more than ${this.limits.files} files`, 'files');
      return;
    }
    const left = this.limits.totalSize - this.size;
    const bytes = read(Math.min(this.limits.fileSize, left));
    if (bytes === undefined) {
      if (left < this.limits.fileSize) {
        this.tooMuch(file.name, `more than ${megabytes(this.limits.totalSize)} in all`, 'totalSize');
      } else {
        this.tooMuch(file.name, `more than ${megabytes(this.limits.fileSize)} in this file`, 'fileSize');
      }
    } else if ('problem' in bytes) {
      this.unreadable(file.name, bytes.problem);
    } else {
      this.size += bytes.length;
      this.bytes(bytes, file);
    }
  }

  private bytes(bytes: Uint8Array, file: InputFile): void {
    const text = decode(bytes);
    if (text !== undefined) {
      this.text(text, file);
      return;
    }
    const isUtf16 = bytes.length > 1 && UTF16_MARKS.includes(bytes[0]! * 256 + bytes[1]!);
    this.findings.push(
      findingOf(readerRules['file-not-utf8'], {
        message: isUtf16 ? 'the file is UTF-16, not UTF-8' : 'the file is not UTF-8 text',
        ...(isUtf16 ? { fix: 'save it as UTF-8; in PowerShell: … | Out-File -Encoding utf8 <file>' } : {}),
        source: { file: file.name, line: 1, column: 1 },
      }),
    );
  }

  text(text: string, file: InputFile): void {
    if (isKustomization(file.name)) this.kustomization(text, file.name);
    if (!file.named && !mayHoldManifests(text)) {
      this.skipped.push({ name: file.name });
      return;
    }
    this.sources.set(file.name, text);
    const findingsBefore = this.findings.length;
    const manifestsBefore = this.manifests.length;
    for (const document of splitDocuments(text)) {
      if (isEmpty(document)) continue;
      if (!this.document(document, file)) break;
    }
    if (file.named || this.manifests.length > manifestsBefore) return;
    if (this.findings.length === findingsBefore) this.skipped.push({ name: file.name });
    else if (isHidden(file.name) && this.findings.slice(findingsBefore).every(({ rule }) => NO_YAML.has(rule))) {
      // Editors and tools keep their settings in hidden files, in JSON with comments and the like.
      this.findings.length = findingsBefore;
      this.skipped.push({ name: file.name, reason: 'not YAML', seemsManifest: seemsManifest(text) });
    }
  }

  private kustomization(text: string, name: string): void {
    const [value] = parseDocument(text, this.limits).values;
    if (value !== undefined) this.kustomizations.add(name, value.value);
  }

  /** Reads one document; false if the rest of the file should be skipped. */
  private document(document: DocumentText, file: InputFile): boolean {
    const { values, problems } = parseDocument(document.text, this.limits);
    const place = new TextPlace(document, file.name);
    for (const problem of problems) {
      const isHelm = isHelmTemplate(document.text, problem);
      this.findings.push(isHelm ? helmFinding(document.text, problem, place) : problemFinding(problem, place));
      // Every other document of the template has the same problem.
      if (isHelm) return false;
    }
    for (const [index, { value, offset }] of values.entries()) {
      const origin = new DocumentOrigin(place, index, this.limits);
      if (!this.value(value, file, origin, [], () => place.at(offset))) return false;
    }
    return true;
  }

  /** @param source called for a mistake only, because the place of an item requires reading the text again */
  private value(
    value: Json,
    file: InputFile,
    origin: DocumentOrigin,
    path: Path,
    source: () => SourceLocation,
  ): boolean {
    if (value === null) return true;
    if (++this.documents > this.limits.documents) {
      const isFirst = this.documents === this.limits.documents + 1;
      if (isFirst) this.tooMuch(file.name, `more than ${this.limits.documents} documents`, 'documents', source());
      return false;
    }
    const problem = shapeProblem(value);
    if (problem !== undefined) {
      // A folder of manifests may hold other files, such as the values of a chart.
      const isElse =
        !file.named &&
        (isChart(value, file.name) || !(isJsonObject(value) && ('kind' in value || 'apiVersion' in value)));
      if (!isElse) this.findings.push(findingOf(readerRules['not-kubernetes'], { ...problem, source: source() }));
      return true;
    }
    const object = value as JsonObject;
    if (isList(object)) return this.list(object, file, origin, path);
    const manifest = Manifest.of(object, { origin: origin.under(path) });
    this.manifests.push(manifest);
    this.names.push(file.name);
    this.findings.push(...checkMetadata(manifest));
    return true;
  }

  private list(list: JsonObject, file: InputFile, origin: DocumentOrigin, path: Path): boolean {
    for (const [index, item] of (list.items as readonly Json[]).entries()) {
      const itemPath = [...path, 'items', index];
      const typed = isJsonObject(item) ? withTypeOfList(item, list) : item;
      const source = () => origin.locate(itemPath);
      if (!this.value(typed, { ...file, named: true }, origin, itemPath, source)) return false;
    }
    return true;
  }

  private unreadable(name: string, problem: string): void {
    this.findings.push(
      findingOf(readerRules['file-unreadable'], {
        message: `${name} cannot be read: ${problem}`,
        source: { file: name, line: 1, column: 1 },
      }),
    );
  }

  private tooMuch(file: string, what: string, limit: keyof ReadLimits, source?: SourceLocation): void {
    this.findings.push(
      findingOf(readerRules['too-much-input'], {
        message: `there are ${what}; the rest was not read`,
        fix: `give fewer or smaller files, or raise the limit "${limit}"`,
        source: source ?? { file, line: 1, column: 1 },
      }),
    );
  }
}

/** Skips the many empty documents that templates with disabled parts produce. */
function isEmpty({ text }: DocumentText): boolean {
  return text.replace(/^\ufeff?---(?=\s|$)/, '').trim() === '';
}

/** The byte order marks of UTF-16. */
const UTF16_MARKS: readonly number[] = [0xfffe, 0xfeff];

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function megabytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}

/** A fast check to skip large files of other tools. Keys may be written with escapes, or as bytes. */
function mayHoldManifests(text: string): boolean {
  return text.includes('apiVersion') || text.includes('kind') || /\\[xuU\r\n]|!!binary|!</.test(text);
}

/** The `Chart.yaml` of Helm has an apiVersion and no kind. */
function isChart(value: Json, file: string): boolean {
  return baseName(file) === 'Chart.yaml' && isJsonObject(value) && !('kind' in value);
}

const NO_YAML: ReadonlySet<string> = new Set(['yaml-invalid', 'yaml-not-json', 'helm-template']);

function isHidden(file: string): boolean {
  return file.split('/').some((part) => /^\.[^./]/.test(part));
}

function seemsManifest(text: string): boolean {
  return ['apiVersion', 'kind'].every((key) => new RegExp(`^\\s*"?${key}"?\\s*:`, 'm').test(text));
}

/** A file or folder that was not read as manifests. */
interface Skipped {
  readonly name: string;
  /**
   * Why.
   * @default - it holds no Kubernetes object
   */
  readonly reason?: string;
  /**
   * Whether it looks like a manifest all the same.
   * @default false
   */
  readonly seemsManifest?: boolean;
}

function shapeProblem(value: Json): { readonly message: string; readonly fix?: string } | undefined {
  if (!isJsonObject(value)) return { message: `the document is ${typeName(value)}, not a Kubernetes object` };
  const missing = ['apiVersion', 'kind'].filter((key) => (ownValue(value, key) ?? '') === '');
  if (missing.length > 0)
    return { message: `the document has no ${missing.join(' and no ')}`, fix: `add ${missing.join(' and ')}` };
  const wrong = ['apiVersion', 'kind'].find((key) => typeof value[key] !== 'string');
  if (wrong === undefined) return undefined;
  return { message: `${wrong} is ${typeName(value[wrong])}, not a string`, fix: `write ${wrong} as a string` };
}

function isList(object: JsonObject): boolean {
  return (object.kind as string).endsWith('List') && Array.isArray(ownValue(object, 'items'));
}

/** The items of an `IngressList` may omit their kind. */
function withTypeOfList(item: JsonObject, list: JsonObject): JsonObject {
  const kind = (list.kind as string).slice(0, -'List'.length);
  if (kind === '' || 'kind' in item || 'apiVersion' in item) return item;
  return { apiVersion: list.apiVersion!, kind, ...item };
}

/** One finding for each reason. */
function skippedFindings(input: string, skipped: readonly Skipped[]): Finding[] {
  const byReason = groupedBy(skipped, (each) => JSON.stringify([each.reason, each.seemsManifest ?? false]));
  return [...byReason.values()].map((some) => skippedFinding(input, some));
}

function patchesFindings(files: readonly string[]): Finding[] {
  if (files.length === 0) return [];
  const [shown, more] = [files.slice(0, 5).join(', '), files.length > 5 ? ` and ${files.length - 5} more` : ''];
  return [
    findingOf(readerRules['files-skipped'], {
      message: `patches of kustomize are not applied, and are no objects by themselves: ${shown}${more}`,
      fix: 'check what kustomize writes: kustomize build overlays/prod | rollout-constructs check -',
    }),
  ];
}

function skippedFinding(input: string, skipped: readonly Skipped[]): Finding {
  const [{ reason, seemsManifest: isWarning = false }] = skipped as [Skipped];
  const shown = skipped
    .slice(0, 5)
    .map(({ name }) => name)
    .join(', ');
  const more = skipped.length > 5 ? ` and ${skipped.length - 5} more` : '';
  const count = skipped.length === 1 ? '1 file' : `${skipped.length} files`;
  const list = `${shown}${more}`;
  return findingOf(readerRules['files-skipped'], {
    ...(isWarning && { severity: 'warning' as const, fix: 'correct it, or move it out of the folder' }),
    message:
      reason === undefined
        ? `${count} in ${input} without a Kubernetes object: ${list}`
        : `not read in ${input}, ${reason}: ${list}`,
  });
}
