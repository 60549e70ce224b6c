/** The worker as the page sees it: it always works on the newest text, and one that does not answer is replaced. */
import type { PlaygroundInput } from '../answer';
import { SECONDS } from '../limits';
import type { Answer, Question } from '../messages';
import { HEART_ID } from '../names';

/** What the page does with answers. */
export interface HeartEvents {
  onAnswer(answer: Answer): void;
  /** The worker took too long, and was ended. */
  onEnded(seconds: number): void;
}

/** Its budget ends every answer before that, unless a single piece of work is endless. */
const PATIENCE = SECONDS * 2 + 5;

export class Heart {
  private worker: Worker | undefined;
  private readonly address: string;
  private lastId = 0;
  private timer: number | undefined;

  constructor(private readonly events: HeartEvents) {
    const code = document.getElementById(HEART_ID)!.textContent!;
    this.address = trusted(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
    this.start();
  }

  ask(input: PlaygroundInput): void {
    const question: Question = { id: ++this.lastId, input };
    this.worker ??= this.start();
    this.worker.postMessage(question);
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.end(), PATIENCE * 1000);
  }

  private start(): Worker {
    const worker = new Worker(this.address);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.id !== this.lastId) return;
      if (data.kind === 'pictured' || data.kind === 'failed') window.clearTimeout(this.timer);
      this.events.onAnswer(data);
    };
    worker.onerror = (event) => {
      window.clearTimeout(this.timer);
      this.events.onAnswer({ id: this.lastId, kind: 'failed', message: event.message || 'the worker did not start' });
    };
    this.worker = worker;
    return worker;
  }

  private end(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.events.onEnded(PATIENCE);
  }
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The only address of code that the page makes. Browsers without Trusted Types take it as it is. */
function trusted(address: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  return (
    trustedTypes?.createPolicy('playground', { createScriptURL: (url) => url }).createScriptURL(address) ?? address
  );
}
