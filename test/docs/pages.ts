import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the repository. */
export const ROOT = join(__dirname, '..', '..');

/** A fenced block of a page. */
export interface Block {
  /** Where it is: `docs/alb.md:12`. */
  readonly place: string;
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /**
   * What the comment before it says: undefined for a block that is whole, '' for `<!-- fragment -->`, a type for
   * `<!-- fragment: ArgoAlbRolloutProps -->`.
   */
  readonly fragment: string | undefined;
}

/** The pages of a folder and of those below it, by their paths from the root. */
export function pagesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return pagesIn(path);
      return entry.name.endsWith('.md') ? [path] : [];
    })
    .sort();
}

export function textOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** The blocks of a page in their order. */
export function blocksOf(page: string): Block[] {
  const text = textOf(page);
  const fenced =
    /^(?:<!-- fragment(?:: (?<type>\w+))? -->\n\n?)?(?<indent> *)```(?<language>\w*)\n(?<code>.*?)^\k<indent>```$/gms;
  return [...text.matchAll(fenced)].map((match) => {
    const { type, language = '', indent = '', code = '' } = match.groups!;
    const line = text.slice(0, match.index).split('\n').length;
    return {
      place: `${page}:${line}`,
      page,
      language,
      text: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      fragment: match[0].startsWith('<!-- fragment') ? (type ?? '') : undefined,
    };
  });
}
