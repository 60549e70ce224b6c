import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const ROOT = join(__dirname, '..', '..');

/** One change of a source. */
export interface Mutant {
  /** What the instrumented source asks for. */
  readonly id: string;
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
  /** The text of its line, which tells apart what is there twice. */
  readonly source: string;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  /** The same for the same change, wherever its line moves. */
  readonly key: string;
}

/** The mutants of a folder, and its sources with all of them in, each behind a switch. */
export interface Instrumented {
  readonly mutants: readonly Mutant[];
  /** By absolute path. */
  readonly sources: Readonly<Record<string, string>>;
}

/** The examples of rules are inputs of tests, and pages. */
const EXAMPLES = {
  name: 'examples',
  shouldIgnore: ({ node }: { readonly node: { readonly type: string; readonly key?: { readonly name?: string } } }) =>
    node.type === 'ObjectProperty' && ['failing', 'corrected'].includes(node.key?.name ?? '') ? 'example' : undefined,
};

interface SyntaxPath {
  readonly node: {
    readonly type: string;
    readonly id?: {
      readonly typeAnnotation?: { readonly typeAnnotation?: { readonly typeName?: { readonly name?: string } } };
    };
  };
  readonly parentPath?: SyntaxPath | null;
}

/** Only the keys of a table of properties mean something. */
const PROP_TABLES = {
  name: 'prop tables',
  shouldIgnore({ node, parentPath }: SyntaxPath) {
    const { id } = parentPath?.parentPath?.parentPath?.node ?? {};
    const isTable = id?.typeAnnotation?.typeAnnotation?.typeName?.name === 'PropTable';
    return node.type === 'BooleanLiteral' && isTable ? 'value of a table' : undefined;
  },
};

export async function instrument(files: readonly string[]): Promise<Instrumented> {
  const { Instrumenter } = await import('@stryker-mutator/instrumenter');
  const quiet = Object.fromEntries(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'isDebugEnabled'].map((name) => [name, () => false]),
  );
  const contents = new Map(files.map((file) => [join(ROOT, file), readFileSync(join(ROOT, file), 'utf8')]));
  const { mutants, files: written } = await new Instrumenter(quiet as never).instrument(
    [...contents].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: [], ignorers: [EXAMPLES, PROP_TABLES as never], excludedMutations: [] },
  );
  const seen = new Map<string, number>();
  const asked = mutants.filter(({ status }) => status !== 'Ignored');
  const all = asked.map(({ id, fileName, mutatorName, location, replacement }): Mutant => {
    const file = relative(ROOT, fileName);
    const original = textAt(contents.get(fileName)!, location);
    const change = [file, mutatorName, original, replacement].join('\0');
    const nth = (seen.get(change) ?? 0) + 1;
    seen.set(change, nth);
    return {
      id,
      file,
      line: location.start.line + 1,
      source: contents.get(fileName)!.split('\n')[location.start.line]!.trim(),
      mutator: mutatorName,
      original,
      replacement,
      key: `${change}\0${nth}`,
    };
  });
  return {
    mutants: all.filter(changesMeaning),
    sources: Object.fromEntries(written.map(({ name, content }) => [name, content])),
  };
}

/** The sources of a folder of src. */
export function sourcesOf(folder: string): string[] {
  return readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', folder, name))
    .sort();
}

/** A sample that is the same for the same seed, and nearly the same when a source has changed a little. */
export function sampleOf(mutants: readonly Mutant[], seed: number, size: number): Mutant[] {
  const place = ({ key }: Mutant): string => createHash('sha256').update(`${seed}\0${key}`).digest('hex');
  return mutants
    .map((mutant) => ({ mutant, at: place(mutant) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant);
}

/**
 * Texts for people are left out: the tests hold their names, not their words. These are texts with a blank in them, templates, links and
 * the empty text, which becomes a text for people.
 */
function changesMeaning({ mutator, original }: Mutant): boolean {
  return mutator !== 'StringLiteral' || /^'(?!https?:)[^\s]+'$/.test(original);
}

interface Place {
  readonly line: number;
  readonly column: number;
}

function textAt(content: string, { start, end }: { readonly start: Place; readonly end: Place }): string {
  const lines = content.split('\n').slice(start.line, end.line + 1);
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column);
  lines[0] = lines[0]!.slice(start.column);
  return lines.join('\n');
}
