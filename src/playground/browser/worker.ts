/** The library in a worker, so that typing never waits for it, and so that the page can end it. */
import { Playground } from '../answer';
import type { Answer, Question } from '../messages';

/** The scope of a worker, as much of it as is used: its types and those of a page do not go together. */
declare const self: {
  onmessage: ((event: { readonly data: Question }) => void) | null;
  postMessage(answer: Answer): void;
};

let latest: Question | undefined;

self.onmessage = ({ data }) => {
  latest = data;
  void answer(data);
};

/** Answers in parts, the fastest first; stops where the page has asked something else meanwhile. */
async function answer({ id, input }: Question): Promise<void> {
  const isMoot = async (): Promise<boolean> => {
    // Messages that have arrived are handled now.
    await new Promise((resolve) => setTimeout(resolve));
    return latest?.id !== id;
  };
  if (await isMoot()) return;
  try {
    const playground = new Playground(input);
    self.postMessage({ id, kind: 'checked', checked: playground.checked() });
    if (await isMoot()) return;
    self.postMessage({ id, kind: 'routed', routed: playground.routed() });
    if (await isMoot()) return;
    self.postMessage({ id, kind: 'pictured', pictures: playground.pictures() });
  } catch (error) {
    self.postMessage({ id, kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}
