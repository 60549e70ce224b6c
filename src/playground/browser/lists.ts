/** The lists of findings and of answers. Every text becomes a text node: values of manifests are untrusted. */
import { siteAddressOf } from '../../core/site';
import type { ListedFinding, RoutedAnswer } from '../answer';

/** The words and signs of severities, so that no colour stands alone. */
const WORDS = { error: '✗ error', warning: '! warning', note: 'i note' } as const;

/** More than that is a list that nobody reads on a page. */
const MOST = 200;

type Child = Node | string;

function element(name: string, className: string, ...children: readonly Child[]): HTMLElement {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/** A button with a name for those who do not see where it stands. */
function button(text: string, label: string, onClick: () => void): HTMLElement {
  const made = element('button', '', text) as HTMLButtonElement;
  made.type = 'button';
  made.setAttribute('aria-label', label);
  made.addEventListener('click', onClick);
  return made;
}

/** @param goTo leads to a place in the field; lines and columns count from 1 */
export function findingItems(
  findings: readonly ListedFinding[],
  goTo: (line: number, column: number) => void,
): HTMLElement[] {
  if (findings.length === 0) return [element('li', 'none', 'Nothing found.')];
  const items = findings.slice(0, MOST).map((finding) => findingItem(finding, goTo));
  const left = findings.length - items.length;
  return left === 0
    ? items
    : [...items, element('li', 'none', `${left} more: rollout-constructs check lists them all.`)];
}

function findingItem(finding: ListedFinding, goTo: (line: number, column: number) => void): HTMLElement {
  const { rule, severity, message, because, fix, subject, line, column = 1 } = finding;
  const head = element('p', 'head', element('span', 'word', WORDS[severity]), ' ', ruleName(finding));
  if (line !== undefined) head.append(button(`line ${line}`, `Go to line ${line}: ${rule}`, () => goTo(line, column)));
  return element(
    'li',
    severity,
    head,
    element('p', 'message', message),
    ...(subject === '' ? [] : [element('p', 'because', subject)]),
    element('p', 'because', because),
    element('p', 'fix', element('b', '', 'Fix: '), fix),
  );
}

/** The id of the rule; on the documentation site it leads to the page of the rule. */
function ruleName({ rule, docs }: ListedFinding): HTMLElement {
  const name = element('code', '', rule);
  const address = document.body.dataset.site === undefined ? undefined : siteAddressOf(docs);
  if (address === undefined) return name;
  const link = element('a', '', name) as HTMLAnchorElement;
  link.href = address;
  return link;
}

/** @param remove takes a request away, by its place in the list */
export function answerItems(answers: readonly RoutedAnswer[], remove: (index: number) => void): HTMLElement[] {
  return answers.map(({ request, text, problem }, index) =>
    element(
      'li',
      problem === undefined ? '' : 'bad',
      element('pre', '', text?.trimEnd() ?? `${request}\n  ${problem}`),
      button('✕', `Remove the request ${request}`, () => remove(index)),
    ),
  );
}
