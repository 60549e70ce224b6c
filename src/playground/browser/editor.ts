/** The field of the manifests, with the numbers of its lines and with underlined findings behind its text. */
import { type Mark, movedMarks } from '../marks';

/** The height of a line and the space above the first one, as the style sheet has them. */
const LINE = 20;
const ABOVE = 9.6;

export class Editor {
  private marks: readonly Mark[] = [];
  private shown = '';
  private lines = 0;

  constructor(
    private readonly field: HTMLTextAreaElement,
    private readonly under: HTMLElement,
    private readonly numbers: HTMLElement,
    onEdit: () => void,
  ) {
    field.addEventListener('input', () => {
      this.mark(movedMarks(this.marks, this.shown, field.value));
      onEdit();
    });
    field.addEventListener('scroll', () => this.follow(), { passive: true });
  }

  get text(): string {
    return this.field.value;
  }

  set text(text: string) {
    this.field.value = text;
    this.field.setSelectionRange(0, 0);
    this.field.scrollTo(0, 0);
    this.mark([]);
  }

  /** Underlines these places. */
  mark(marks: readonly Mark[]): void {
    this.marks = marks;
    this.shown = this.field.value;
    const lines = this.shown.split('\n');
    this.under.replaceChildren(...rows(marks, lines));
    if (lines.length !== this.lines) {
      this.lines = lines.length;
      this.numbers.textContent = lines.map((_, index) => index + 1).join('\n');
    }
    this.follow();
  }

  /** Puts the cursor to a place; lines and columns count from 1. */
  goTo(line: number, column: number): void {
    const lines = this.field.value.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
    const content = lines[line - 1] ?? '';
    this.field.focus();
    this.field.setSelectionRange(start + Math.min(column - 1, content.length), start + content.length);
    this.field.scrollTo({ top: Math.max(0, (line - 5) * LINE), left: 0 });
  }

  private follow(): void {
    const { scrollTop, scrollLeft } = this.field;
    this.under.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
    this.numbers.scrollTop = scrollTop;
  }
}

/** One element for each line with marks. The letters before a mark are there too, unseen, so that it stands where they end. */
function rows(marks: readonly Mark[], lines: readonly string[]): HTMLElement[] {
  return marks.map(({ line, start, end, severity }) => {
    const row = document.createElement('div');
    row.className = severity;
    row.style.top = `${ABOVE + line * LINE}px`;
    const text = lines[line] ?? '';
    const under = document.createElement('u');
    under.textContent = text.slice(start, end);
    row.append(text.slice(0, start), under);
    return row;
  });
}
