/** The page of the playground: what is written goes to the worker, what it answers is shown. */
import type { CheckedAnswer, RoutedAnswer } from '../answer';
import { MOST_REQUESTS } from '../limits';
import { marksOf } from '../marks';
import type { Answer } from '../messages';
import { EXAMPLES_ID, type Example } from '../names';
import { fragmentOf, inputOf, LARGEST_TEXT, ShareError } from '../share';
import { Editor } from './editor';
import { Heart } from './heart';
import { answerItems, findingItems } from './lists';
import { Pictures } from './pictures';

/** How long nothing is typed before the text is checked, in milliseconds. */
const PAUSE = 120;

function byId<Type extends HTMLElement = HTMLElement>(id: string): Type {
  return document.getElementById(id) as Type;
}

const status = byId('status');
const told = byId('told');
const example = byId<HTMLSelectElement>('example');
const link = byId<HTMLInputElement>('link');
const request = byId<HTMLInputElement>('request');
const examples: readonly Example[] = JSON.parse(byId(EXAMPLES_ID).textContent!);

let requests: string[] = [];
let timer: number | undefined;

const editor = new Editor(byId<HTMLTextAreaElement>('text'), byId('marks'), byId('numbers'), () => {
  example.value = '';
  byId('shared').hidden = true;
  later();
});
const pictures = new Pictures(byId('pictures'), byId('choices'), byId('picture-title'));
const heart = new Heart({
  onAnswer: answered,
  onEnded: (seconds) => say('error', `not answered within ${seconds} s: these manifests are too much for a page`),
});

/** Asks when nobody has typed for a moment. */
function later(): void {
  say('working', 'checking…');
  window.clearTimeout(timer);
  timer = window.setTimeout(ask, PAUSE);
}

function ask(): void {
  window.clearTimeout(timer);
  say('working', 'checking…');
  heart.ask({ text: editor.text, requests });
}

function say(state: 'working' | 'good' | 'warning' | 'error', text: string): void {
  status.dataset.state = state;
  status.textContent = text;
}

/** A sentence at the top of the page; an empty one goes away. */
function tell(text: string): void {
  told.textContent = text;
  told.hidden = text === '';
}

function answered(answer: Answer): void {
  switch (answer.kind) {
    case 'checked':
      checked(answer.checked);
      break;
    case 'routed':
      routed(answer.routed);
      break;
    case 'pictured':
      pictures.show(answer.pictures);
      document.body.dataset.pictured = String(answer.id);
      break;
    case 'failed':
      say('error', `not checked: ${answer.message}`);
  }
}

function routed(answers: readonly RoutedAnswer[]): void {
  const remove = (index: number) => {
    requests = requests.filter((_, at) => at !== index);
    request.focus();
    ask();
  };
  byId('answers').replaceChildren(...answerItems(answers, remove));
}

function checked({ findings, objects, summary, assumptions }: CheckedAnswer): void {
  const isEmpty = editor.text.trim() === '';
  const worst = findings.some(({ severity }) => severity === 'error')
    ? 'error'
    : findings.some(({ severity }) => severity === 'warning')
      ? 'warning'
      : 'good';
  if (isEmpty) say('working', 'nothing to check yet');
  else say(worst, `${summary} in ${objects} object${objects === 1 ? '' : 's'}`);
  const shown = isEmpty ? [] : findings;
  editor.mark(marksOf(shown, editor.text));
  byId('findings').replaceChildren(...findingItems(shown, (line, column) => editor.goTo(line, column)));
  byId('assumed').textContent = assumptions.join('; ');
}

function load(text: string, asked: readonly string[]): void {
  editor.text = text;
  requests = [...asked];
  ask();
}

function loadExample(name: string): void {
  const chosen = examples.find((each) => each.name === name);
  if (chosen === undefined) return;
  example.value = name;
  tell('');
  load(chosen.text, chosen.request === undefined ? [] : [chosen.request]);
}

/** Several files become one text, each with its name before it. */
async function loadFiles(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  if (files.reduce((sum, { size }) => sum + size, 0) > LARGEST_TEXT) {
    return tell('These files have more than 1 MB: use rollout-constructs check for them.');
  }
  const texts = await Promise.all(
    files.map(async (file) => `# ${file.name.replace(/[^\x20-\x7e]/g, '?')}\n${await file.text()}`),
  );
  example.value = '';
  tell('');
  load(`${texts.map((text) => text.trimEnd()).join('\n---\n')}\n`, requests);
}

async function share(): Promise<void> {
  tell('');
  try {
    const fragment = await fragmentOf({ text: editor.text, requests });
    history.replaceState(null, '', `#${fragment}`);
    link.value = location.href;
    byId('shared').hidden = false;
    link.focus();
    link.select();
    byId('share-told').textContent = (await isCopied(link.value)) ? 'copied' : 'copy it from here';
  } catch (error) {
    if (!(error instanceof ShareError)) throw error;
    tell(error.message);
  }
}

async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The shared part of the address. The link that skips to the text leads within the page, and shares nothing. */
function fragment(): string {
  return location.hash === '#text' ? '' : location.hash.slice(1);
}

/** Loads what the address holds; what cannot be read is told, and an example stands in for it. */
async function loadAddress(): Promise<void> {
  try {
    const input = await inputOf(fragment());
    if (input === undefined) return loadExample(examples[0]!.name);
    example.value = '';
    tell('');
    load(input.text, input.requests);
  } catch (error) {
    if (!(error instanceof ShareError)) throw error;
    if (editor.text === '') loadExample(examples[0]!.name);
    tell(error.message);
  }
}

example.addEventListener('change', () => loadExample(example.value));
byId('share').addEventListener('click', () => void share());
byId('open').addEventListener('click', () => byId('files').click());
byId<HTMLInputElement>('files').addEventListener('change', ({ target }) => {
  const { files } = target as HTMLInputElement;
  void loadFiles([...(files ?? [])]);
});
byId('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = request.value.trim();
  if (text === '') return;
  if (requests.length >= MOST_REQUESTS) return tell(`There are ${MOST_REQUESTS} requests already: remove one first.`);
  requests = [...requests.filter((each) => each !== text), text];
  request.value = '';
  ask();
});
const field = byId('editor');
for (const name of ['dragover', 'dragleave', 'drop'] as const) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    field.classList.toggle('over', name === 'dragover');
    if (name === 'drop') void loadFiles([...(event.dataTransfer?.files ?? [])]);
  });
}
window.addEventListener('hashchange', () => {
  if (fragment() !== '') void loadAddress();
});
void loadAddress();
