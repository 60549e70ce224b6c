/** Writes a page of the reference as Markdown. */
import { posix } from 'node:path';
import type { Doc, Entry, Field, Method } from './model';
import type { Page } from './pages';

/** Finds the page of a public name. */
export type Pages = ReadonlyMap<string, Page>;

const NOTE = '<!-- Written by `npm run docs` from the doc comments of the sources. -->';

/** The text of a page. */
export function pageText(page: Page, pages: Pages): string {
  const writer = new Writer(page, pages);
  return `${NOTE}\n\n${writer.page().join('\n\n')}\n`;
}

/** The list of all pages. */
export function indexText(pages: readonly Page[]): string {
  const entryPoints = [...new Set(pages.map(({ api }) => api))];
  const sections = entryPoints.flatMap((api) => {
    const own = pages.filter((page) => page.api === api);
    const rows = own.map(({ path, title, entries }) => {
      const [first] = entries;
      const about = first?.name === title ? sentence(first.text) : listed(entries.map(({ name }) => name));
      return `| [${first?.name === title ? `\`${title}\`` : title}](${path}) | ${cell(about)} |`;
    });
    return [`## ${api.entryPoint.name}`, ['| | |', '|---|---|', ...rows].join('\n')];
  });
  const intro =
    'Every public name of the package with its props, methods and defaults, from the doc comments of the sources. How they ' +
    'are used together is told in the [guides](../../README.md#what-is-where).';
  return `${[NOTE, '# Reference', intro, ...sections].join('\n\n')}\n`;
}

class Writer {
  constructor(
    private readonly about: Page,
    private readonly pages: Pages,
  ) {}

  page(): string[] {
    const { title, api, entries } = this.about;
    const [first, ...rest] = entries;
    if (first?.name !== title) {
      return [
        `# ${title}`,
        importOf(api.entryPoint.name, undefined),
        ...entries.flatMap((entry) => this.section(entry)),
      ];
    }
    return [
      `# ${title}`,
      this.prose(first.text),
      importOf(api.entryPoint.name, title),
      ...this.body(first, 2),
      ...(rest.length === 0 ? [] : ['## Types', ...rest.flatMap((entry) => this.section(entry, 3))]),
    ];
  }

  private section(entry: Entry, level = 2): string[] {
    return [`${'#'.repeat(level)} ${entry.name}`, this.prose(entry.text), ...this.body(entry, level + 1)];
  }

  private body(entry: Entry, level: number): string[] {
    const heading = (text: string) =>
      `${'#'.repeat(level)} ${text}${entry.name === this.about.title ? '' : ` of ${entry.name}`}`;
    const statics = entry.fields.filter(({ isStatic }) => isStatic);
    const fields = entry.fields.filter(({ isStatic }) => !isStatic);
    const factories = entry.methods.filter(({ isStatic }) => isStatic);
    const methods = entry.methods.filter(({ isStatic }) => !isStatic);
    return [
      ...(entry.deprecated === undefined ? [] : [`**Deprecated**: ${entry.deprecated}`]),
      ...examples(entry),
      ...(entry.alias === undefined ? [] : [this.type(entry.alias)]),
      ...(entry.names.length === 0 ? [] : [listed(entry.names)]),
      ...this.construction(entry),
      ...(entry.kind === 'interface' && fields.length > 0
        ? [this.props(fields)]
        : fields.length > 0
          ? [heading('Properties'), this.members(fields)]
          : []),
      ...(statics.length > 0 ? [heading('Constants'), this.members(statics)] : []),
      ...(factories.length > 0
        ? [heading('Static methods'), ...factories.flatMap((one) => this.method(one, 'static '))]
        : []),
      ...(methods.length > 0 && entry.kind !== 'function'
        ? [heading('Methods'), ...methods.flatMap((one) => this.method(one, ''))]
        : methods.flatMap((one) => this.method({ ...one, text: '', examples: [] }, ''))),
    ];
  }

  private construction({ name, construction }: Entry): string[] {
    if (construction === undefined) return [];
    return [this.type(`new ${name}(${construction.map(parameterText).join(', ')})`)];
  }

  private props(fields: readonly Field[]): string {
    const rows = byNeed(fields).map((field) => {
      const standard = field.optional ? (field.default ?? '') : '*required*';
      return `| \`${field.name}\` | ${cell(this.type(field.type))} | ${cell(code(standard))} | ${cell(this.prose(field.text))} |`;
    });
    return ['| name | type | default | |', '|---|---|---|---|', ...rows].join('\n');
  }

  private members(fields: readonly Field[]): string {
    const rows = fields.map((field) => {
      const type = `${field.type}${field.optional ? ' | undefined' : ''}`;
      return `| \`${field.name}\` | ${cell(this.type(type))} | ${cell(this.prose(field.text))} |`;
    });
    return ['| name | type | |', '|---|---|---|', ...rows].join('\n');
  }

  private method(method: Method, modifier: string): string[] {
    const signature = `${modifier}${method.name}(${method.parameters.map(parameterText).join(', ')}): ${method.returns}`;
    const told = method.parameters.filter(({ text }) => text !== '');
    return [
      this.type(signature),
      ...(method.text === '' ? [] : [this.prose(method.text)]),
      ...(told.length === 0
        ? []
        : [told.map(({ name, text }) => `- \`${name}\`: ${oneLine(this.prose(text))}`).join('\n')]),
      ...examples(method),
    ];
  }

  /** Code with links for public names. */
  private type(text: string): string {
    const parts = text.split(/('[^']*'|"[^"]*"|\b[A-Z]\w*\b)/).filter((part) => part !== '');
    return parts
      .map((part) => {
        const link = this.linkTo(part);
        return link === undefined ? `\`${part}\`` : `[\`${part}\`](${link})`;
      })
      .join('')
      .replaceAll('``', '');
  }

  private linkTo(name: string): string | undefined {
    const page = this.pages.get(name);
    if (page === undefined) return undefined;
    const anchor = page.title === name ? '' : `#${name.toLowerCase()}`;
    if (page === this.about) return anchor === '' ? `#${name.toLowerCase()}` : anchor;
    return `${posix.relative(posix.dirname(this.about.path), page.path)}${anchor}`;
  }

  /** Resolves links in a comment: paths from the root of the repository, and names as `{@link name}`. */
  private prose(text: string): string {
    const up = posix.relative(posix.dirname(posix.join('docs/reference', this.about.path)), 'docs');
    return text
      .replaceAll(/\{@link (\w+)\}/g, (_, name: string) => `\`${name}\``)
      .replaceAll(/(?<![`(\w/])docs\/([\w-]+\.md)/g, (_, page: string) => `[${page}](${up}/${page})`);
  }
}

function importOf(library: string, name: string | undefined): string {
  const imported = name ?? (library.endsWith('/lua') ? 'compileLua' : undefined);
  return imported === undefined ? `Exported by \`${library}\`.` : `\`import { ${imported} } from '${library}';\``;
}

function parameterText({ name, type, optional }: Field): string {
  return `${name}${optional ? '?' : ''}: ${type}`;
}

/** Sorts required props first. */
function byNeed(fields: readonly Field[]): Field[] {
  return [...fields.filter(({ optional }) => !optional), ...fields.filter(({ optional }) => optional)];
}

function examples({ examples }: Pick<Doc, 'examples'>): string[] {
  return examples.map((example) => `\`\`\`ts\n${example}\n\`\`\``);
}

/** A default is code, or text after a dash. */
function code(standard: string): string {
  const words = /^-\s+(.*)$/s.exec(standard)?.[1];
  if (words !== undefined || standard === '' || standard.startsWith('*')) return words ?? standard;
  const [value, more] = standard.split(/(?<=^[^\s'"`]+|^'[^']*'|^"[^"]*"), /, 2);
  if (standard.startsWith('`')) return standard;
  return more === undefined ? `\`${standard}\`` : `\`${value}\`, ${more}`;
}

function sentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function cell(text: string): string {
  return oneLine(text).replaceAll('|', '\\|');
}
