/** The pictures: whole pages that the reporters of the library write, each in a frame of its own. */
import type { Picture } from '../answer';

/** Where in a frame its reader is, as the frame says: a browser may keep its inside from the page around it. */
interface Place {
  readonly hash: string;
  readonly top: number;
}

export class Pictures {
  private pictures: readonly Picture[] = [];
  private chosen: Picture['title'] | undefined;
  private frame: HTMLIFrameElement | undefined;
  private drawn = '';
  private place: Place | undefined;

  constructor(
    private readonly room: HTMLElement,
    private readonly choices: HTMLElement,
    private readonly title: HTMLElement,
  ) {
    window.addEventListener('message', ({ source, data }: MessageEvent<Partial<Place>>) => {
      if (source !== this.frame?.contentWindow || this.frame?.className !== '') return;
      const { hash, top } = data;
      if (typeof hash === 'string' && typeof top === 'number') this.place = { hash, top };
    });
  }

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
    const place = this.frame?.title === picture.title ? this.place : undefined;
    this.place = place;
    const address = URL.createObjectURL(new Blob([picture.html], { type: 'text/html' }));
    const frame = document.createElement('iframe');
    frame.title = picture.title;
    frame.className = 'coming';
    frame.addEventListener('load', () => {
      URL.revokeObjectURL(address);
      if (this.frame !== frame) return frame.remove();
      frame.className = '';
      if (place !== undefined) frame.contentWindow?.postMessage({ top: place.top }, '*');
      for (const each of [...this.room.children]) if (each !== frame) each.remove();
    });
    frame.src = `${address}${place?.hash ?? ''}`;
    this.frame = frame;
    this.room.append(frame);
  }
}
