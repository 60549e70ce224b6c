/** Whether a value that was read from a report has the shape of a rehearsal, as far as other reports show it. */
import { isFinding, isRef } from '../../core/finding-shape';
import type { Rehearsal } from '../../core/rehearsal-result';

type Shape = (value: unknown) => boolean;

const text: Shape = (value) => typeof value === 'string';
const number: Shape = (value) => typeof value === 'number' && Number.isFinite(value);
const flag: Shape = (value) => typeof value === 'boolean';
const oneOf =
  (...words: readonly string[]): Shape =>
  (value) =>
    words.includes(value as string);
const optional =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || shape(value);
const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf =
  (shape: Shape): Shape =>
  (value) =>
    isRecord(value) && Object.values(value).every(shape);
const object =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isRecord(value) && Object.entries(shapes).every(([key, shape]) => shape(value[key]));

const either =
  (...shapes: readonly Shape[]): Shape =>
  (value) =>
    shapes.some((shape) => shape(value));

const portOrText = either(text, number);

const destination = object({ name: text, port: optional(portOrText), share: number, failure: optional(text) });

const answer = either(
  object({ kind: oneOf('services'), destinations: listOf(destination), sticky: flag }),
  object({ kind: oneOf('fixed-response'), statusCode: text, messageBody: optional(text) }),
  object({ kind: oneOf('redirect'), statusCode: text, location: text }),
  object({ kind: oneOf('unknown'), why: text, decidedBy: optional(oneOf('implementation')) }),
  object({ kind: oneOf('nothing') }),
);

const cell = object({
  expectedCanary: optional(number),
  shares: object({ stable: number, canary: number, failed: number, other: number }),
  answer,
  rule: optional(object({ description: text, object: isRef, path: text })),
  verdict: oneOf('good', 'wrong'),
});

const MOMENT = {
  phase: text,
  step: optional(number),
  title: text,
  changes: listOf(
    object({
      object: isRef,
      action: oneOf('created', 'changed', 'deleted'),
      before: optional(isRecord),
      after: optional(isRecord),
    }),
  ),
  cells: listOf(cell),
};

const next = object({
  who: oneOf('person', 'analysis', 'load balancer', 'time', 'controller'),
  does: optional(listOf(text)),
  seconds: optional(number),
  field: optional(text),
});

const storyMoment = object({
  ...MOMENT,
  did: optional(listOf(text)),
  versions: recordOf(text),
  pods: listOf(object({ service: text, versions: recordOf(number) })),
  capacity: recordOf(number),
  next: optional(next),
});

const stop = object({ class: text, message: text, step: number });

const rehearsal = object({
  rollout: isRef,
  style: text,
  stableService: text,
  canaryService: text,
  loadBalancers: listOf(object({ router: text, name: text, port: number, protocol: oneOf('HTTP', 'HTTPS') })),
  requests: listOf(object({ class: text, label: text, text, loadBalancer: number })),
  moments: listOf(object(MOMENT)),
  stories: optional(
    listOf(
      object({ name: text, end: text, why: optional(text), stopped: optional(stop), moments: listOf(storyMoment) }),
    ),
  ),
  stopped: optional(stop),
  findings: listOf(isFinding),
});

export function isRehearsal(value: unknown): value is Rehearsal {
  if (!rehearsal(value)) return false;
  const { requests, moments, stories = [], loadBalancers } = value as Rehearsal;
  const all = [...moments, ...stories.flatMap((story) => story.moments)];
  return (
    all.every(({ cells }) => cells.length === requests.length) &&
    requests.every(({ loadBalancer }) => loadBalancers[loadBalancer] !== undefined)
  );
}
