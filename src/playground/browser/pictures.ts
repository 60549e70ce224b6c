/** The pictures: whole pages that the reporters of the library write, each in a frame of its own. */
import type { Picture } from '../answer';

/** Where a frame was looked at. */
interface Place {
  readonly hash: string;
  readonly top: number;
}

export class Pictures {
  private pictures: readonly Picture[] = [];
  private chosen: Picture['title'] | undefined;
  private frame: HTMLIFrameElement | undefined;
  private drawn = '';

  constructor(
    private readonly room: HTMLElement,
    private readonly choices: HTMLElement,
    private readonly title: HTMLElement,
  ) {}

  show(pictures: readonly Picture[]): void {
    this.pictures = pictures;
    const titles = pictures.map(({ title }) => title);
    if (this.chosen === undefined || !titles.includes(this.chosen)) this.chosen = titles[0];
    this.choices.hidden = titles.length < 2;
    this.choices.replaceChildren(...titles.map((title) => this.choice(title)));
    this.draw();
  }

  private choice(title: Picture['title']): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = title;
    button.setAttribute('aria-pressed', String(title === this.chosen));
    button.addEventListener('click', () => {
      this.chosen = title;
      for (const each of this.choices.children)
        each.setAttribute('aria-pressed', String(each.textContent === this.chosen));
      this.draw();
    });
    return button;
  }

  /** Draws behind the picture that is seen, and changes places when it is ready: nothing flickers while somebody types. */
  private draw(): void {
    const picture = this.pictures.find(({ title }) => title === this.chosen);
    if (picture === undefined || picture.html === this.drawn) return;
    this.drawn = picture.html;
    this.title.textContent = picture.title;
    const before = this.frame;
    const place = before === undefined || before.title !== picture.title ? undefined : placeOf(before);
    const address = URL.createObjectURL(new Blob([picture.html], { type: 'text/html' }));
    const frame = document.createElement('iframe');
    frame.title = picture.title;
    frame.className = 'coming';
    frame.addEventListener('load', () => {
      URL.revokeObjectURL(address);
      if (this.frame !== frame) return frame.remove();
      frame.className = '';
      if (place !== undefined) frame.contentWindow?.scrollTo({ top: place.top, behavior: 'instant' });
      for (const each of [...this.room.children]) if (each !== frame) each.remove();
    });
    frame.src = `${address}${place?.hash ?? ''}`;
    this.frame = frame;
    this.room.append(frame);
  }
}

/** A browser may keep the inside of a frame from the page around it; then a new picture begins at its top. */
function placeOf(frame: HTMLIFrameElement): Place | undefined {
  try {
    const { location, scrollY } = frame.contentWindow!;
    return { hash: location.hash, top: scrollY };
  } catch {
    return undefined;
  }
}
