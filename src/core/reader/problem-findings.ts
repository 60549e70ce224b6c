/** Problems in the text of a document, as findings. */
import type { Finding } from '../finding';
import { findingOf } from '../rule';
import { readerRules } from '../rules';
import { shortened } from '../shortened';
import { variableFix } from '../variable';
import type { TextPlace } from './origin';
import type { Problem } from './parsed-text';

/** Whether a problem is that of a Helm template, which is no YAML. */
export function isHelmTemplate(text: string, problem: Problem): boolean {
  if (!text.includes('{{')) return false;
  const lineStart = text.lastIndexOf('\n', problem.offset - 1) + 1;
  const lineEnd = text.indexOf('\n', problem.offset);
  const line = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  return /^[^#]*\{\{/.test(line) || /^[ \t]*\{\{/m.test(text);
}

/** What Argo fills in itself, in a template of an analysis, unlike Helm. */
const ARGO_ARGUMENT = /^\{\{ *args\.[\w.-]+ *\}\}$/;

/** The finding of a Helm template. */
export function helmFinding(text: string, problem: Problem, place: TextPlace): Finding {
  const before = text.lastIndexOf('{{', problem.offset);
  const offset = before < 0 ? text.indexOf('{{') : before;
  const action = /^\{\{.{0,60}?\}\}/.exec(text.slice(offset, offset + 64))?.[0] ?? '{{';
  if (ARGO_ARGUMENT.test(action)) {
    const message = `not YAML: ${action} without quotes`;
    return findingOf(readerRules['yaml-invalid'], { message, fix: `write "${action}"`, source: place.at(offset) });
  }
  return findingOf(readerRules['helm-template'], {
    message: `this is a Helm template, not YAML: it holds ${action}`,
    source: place.at(offset),
  });
}

/** The finding of a problem in a document. */
export function problemFinding({ rule, offset, message, ...details }: Problem, place: TextPlace): Finding {
  return findingOf(readerRules[rule], {
    ...variableFix(place.lineAt(offset)),
    ...details,
    message: shortened(message, MESSAGE_SHOWN),
    source: place.at(offset),
  });
}

/** A message may quote a key or a number of any length. */
const MESSAGE_SHOWN = 400;
