/** What a terminal shows, as a picture in SVG: the same text gives the same picture, byte for byte. */
import { escapeXmlText } from '../../src/report/escape';

/** The width of a terminal in characters; longer lines go on in the next one, as they do there. */
const COLUMNS = 112;

/** A character in a monospaced font of this size. */
const SIZE = 14;
const WIDTH = 8.4;
const HEIGHT = 20;
const MARGIN = 16;

/** The colours of the page of the playground in dark. */
const GROUND = '#0f1419';
const TEXT = '#e5eaf0';
const COLORS: Readonly<Record<string, string>> = {
  '31': '#ff969f',
  '32': '#6fd08c',
  '33': '#f0bd5c',
  '34': '#84bdf5',
  '36': '#7fd6d6',
};
const FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, Liberation Mono, monospace';

/** Characters that look alike. */
interface Span {
  readonly text: string;
  readonly color: string;
  readonly isBold: boolean;
  readonly isFaint: boolean;
}

/** What somebody types. */
export function commandOf(args: readonly string[]): string {
  return `rollout-constructs ${args.join(' ')}`;
}

/**
 * The picture of a command and its output.
 * @param output with colours as escape sequences
 */
export function terminalSvg(command: string, output: string): string {
  const prompt: Span[] = [
    { text: '$ ', color: COLORS['32']!, isBold: true, isFaint: false },
    { text: command, color: TEXT, isBold: true, isFaint: false },
  ];
  const lines = [prompt, ...linesOf(output.trimEnd())].flatMap(wrapped);
  const width = Math.ceil(COLUMNS * WIDTH) + 2 * MARGIN;
  const height = lines.length * HEIGHT + 2 * MARGIN;
  const texts = lines.map((line, index) => textOf(line, MARGIN + index * HEIGHT + SIZE));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeXmlText(command)}</title>
<rect width="${width}" height="${height}" rx="8" fill="${GROUND}"/>
<g font-family="${FONT}" font-size="${SIZE}">
${texts.filter((text) => text !== '').join('\n')}
</g>
</svg>
`;
}

/** The lines of an output, with the colours that hold in each. */
function linesOf(output: string): Span[][] {
  const lines: Span[][] = [[]];
  let style = { color: TEXT, isBold: false, isFaint: false };
  for (const [, codes, feed, text] of output.matchAll(/\u001b\[([\d;]*)m|(\n)|([^\u001b\n]+)/g)) {
    if (feed !== undefined) lines.push([]);
    else if (text !== undefined) lines.at(-1)!.push({ text, ...style });
    else for (const code of codes!.split(';')) style = { ...style, ...changeOf(code) };
  }
  return lines;
}

/** What one code of a sequence changes. */
function changeOf(code: string): Partial<Omit<Span, 'text'>> {
  if (COLORS[code] !== undefined) return { color: COLORS[code] };
  switch (code) {
    case '1':
      return { isBold: true };
    case '2':
      return { isFaint: true };
    case '22':
      return { isBold: false, isFaint: false };
    case '39':
      return { color: TEXT };
    case '':
    case '0':
      return { color: TEXT, isBold: false, isFaint: false };
    default:
      throw new Error(`no colour is known for the code ${code} of a terminal`);
  }
}

/** A line as a terminal shows it: in several if it is too long for one. */
function wrapped(line: readonly Span[]): Span[][] {
  const lines: Span[][] = [[]];
  let column = 0;
  for (const span of line) {
    let characters = [...span.text];
    while (characters.length > 0) {
      if (column === COLUMNS) {
        lines.push([]);
        column = 0;
      }
      const part = characters.slice(0, COLUMNS - column);
      characters = characters.slice(part.length);
      lines.at(-1)!.push({ ...span, text: part.join('') });
      column += part.length;
    }
  }
  return lines;
}

/** A line at a height. Each part says where it begins, so that columns stand below each other in any font. */
function textOf(line: readonly Span[], y: number): string {
  let column = 0;
  const parts = line.flatMap(({ text, color, isBold, isFaint }) => {
    const weight = isBold ? ' font-weight="bold"' : '';
    const opacity = isFaint ? ' opacity="0.65"' : '';
    const began = column;
    column += [...text].length;
    // Several spaces would be one.
    return [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: words, index }) => {
      const at = began + [...text.slice(0, index)].length;
      return { at, words, look: `fill="${color}"${weight}${opacity}` };
    });
  });
  if (parts.length === 0) return '';
  const spans = parts.map(({ at, words, look }) => {
    const length = round([...words].length * WIDTH);
    return `<tspan x="${round(MARGIN + at * WIDTH)}" textLength="${length}" ${look}>${escapeXmlText(words)}</tspan>`;
  });
  return `<text y="${y}">${spans.join('')}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
