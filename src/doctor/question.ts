/** A question with its possible answers. Every answer names the objects that it is based on. */

import type { Manifest } from '../core';
import type { CheckupItem } from '../core/checkup';
import type { Unread } from './cluster';

/** The optional parts of an answer. */
export type AnswerDetails = Pick<CheckupItem, 'details' | 'fix' | 'traffic'>;

/** A question about some objects. */
export class Question {
  constructor(
    private readonly id: string,
    private readonly question: string,
    private readonly looked: readonly string[],
  ) {}

  ok(answer: string, more: AnswerDetails = {}): CheckupItem {
    return this.answered('ok', answer, more);
  }

  problem(answer: string, more: AnswerDetails = {}): CheckupItem {
    return this.answered('problem', answer, more);
  }

  notApplicable(answer: string): CheckupItem {
    return this.answered('not-applicable', answer);
  }

  /** The answer is unknown although everything was read. */
  open(answer: string, more: AnswerDetails = {}): CheckupItem {
    return this.answered('unknown', answer, more);
  }

  /** The answer is unknown because a kind could not be read. */
  unknown({ groupKind, namespace, why, permission }: Unread): CheckupItem {
    const where = namespace === undefined ? '' : ` in the namespace "${namespace}"`;
    const answer = `${groupKind}${where} is not known: ${why}`;
    return { ...this.answered('unknown', answer), ...(permission === undefined ? {} : { permission }) };
  }

  private answered(status: CheckupItem['status'], answer: string, more: AnswerDetails = {}): CheckupItem {
    const { id, question, looked } = this;
    const { details, fix, traffic } = more;
    return {
      id,
      question,
      status,
      answer,
      looked,
      ...(details === undefined || details.length === 0 ? {} : { details }),
      ...(fix === undefined ? {} : { fix }),
      ...(traffic === undefined ? {} : { traffic }),
    };
  }
}

/** `Ingress shop/web` */
export function nameOf(manifest: Manifest, namespace = manifest.namespace): string {
  return namespace === undefined || namespace === ''
    ? `${manifest.kind} ${manifest.name}`
    : `${manifest.kind} ${namespace}/${manifest.name}`;
}

/** `a, b and c` */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
