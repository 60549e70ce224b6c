/** What the API server says to an object, without what differs from one request to the next. */
import { ApiError, type Cause, type KubernetesObject } from '../cluster/api';

/** A refusal: who refuses, which field, and the first line of the message. */
export interface Refusal {
  /** The status reason, or that of the first cause: `FieldValueInvalid`, `Webhook`, `NotServed`. */
  readonly reason: string;
  /** The field as the API server writes it; empty where it names none. */
  readonly field: string;
  readonly message: string;
}

/** The answer to one request: accepted, refused, or never asked. */
export type Answer = 'accepted' | Refusal | undefined;

const LONGEST_MESSAGE = 160;

/** Asks, and gives the answer. Throws what is no answer of the API server. */
export async function answerOf(ask: () => Promise<KubernetesObject>): Promise<Answer> {
  try {
    await ask();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return refusalOf(error);
  }
}

function refusalOf({ reason, message, causes }: ApiError): Refusal {
  const webhook = /^admission webhook "([^"]+)" denied the request: (.*)/s.exec(message);
  if (webhook !== null) return refusal('Webhook', ...fieldAndText(webhook[2]!));
  // A cause without a field is about the others. The rest comes in any order.
  const order = ({ field, message: text }: Cause) => `${field === '<nil>' ? 1 : 0} ${field} ${text}`;
  const [cause] = [...causes].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  if (cause?.reason) return refusal(cause.reason, cause.field ?? '', cause.message);
  const typed = /^failed to create typed patch object \([^)]*\): (?:errors:\n\s*)?(.*)/s.exec(message);
  if (typed !== null) return refusal('Typed', ...fieldAndText(typed[1]!));
  return refusal(reason, '', message);
}

/** `.spec.replicas: expected numeric (int or float), got string` in its two parts. */
function fieldAndText(text: string): [string, string] {
  const found = /^\.?([A-Za-z][^:\s]*): (.*)/s.exec(text.trim());
  return found === null ? ['', text] : [found[1]!, found[2]!];
}

/** A refusal, with the part of its message that is the same at every run. */
export function refusal(reason: string, field: string, message: string): Refusal {
  return { reason, field, message: plain(message).slice(0, LONGEST_MESSAGE) };
}

/** The first line, without the value, addresses in memory, and the namespace of the request. */
function plain(message: string): string {
  const [line = ''] = message.trim().split('\n');
  return line
    .replace(/0x[0-9a-f]+/g, '0x…')
    .replace(/judge-[a-z0-9-]+/g, '…')
    .replace(/^(Invalid value|Unsupported value|Duplicate value): ("(?:[^"\\]|\\.)*"|[^:"]*): /, '$1: ')
    .replace(/^(Duplicate value): .*/, '$1');
}
