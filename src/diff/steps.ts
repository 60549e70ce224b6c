/** Which step of the base is which step of the head. */
import { asObject, type Json } from '../core/json';
import { compareLines } from '../core/text-diff';

/** A step on both sides, or on one of them. */
export interface StepPair {
  /** The index in the base. */
  readonly before?: number;
  /** The index in the head. */
  readonly after?: number;
}

/**
 * Pairs equal steps, and between them the others in their order. What is left is new or gone.
 * @example pairSteps([a, b], [a, x, b]) // a with a, x is new, b with b
 */
export function pairSteps(before: readonly Json[], after: readonly Json[]): StepPair[] {
  const lines = compareLines(before.map(sortedText), after.map(sortedText));
  const pairs: StepPair[] = [];
  let open: { readonly gone: number[]; readonly added: number[] } = { gone: [], added: [] };
  let [left, right] = [0, 0];
  const close = () => {
    const { gone, added } = open;
    open = { gone: [], added: [] };
    for (let index = 0; index < Math.max(gone.length, added.length); index++)
      pairs.push({
        ...(index < gone.length && { before: gone[index]! }),
        ...(index < added.length && { after: added[index]! }),
      });
  };
  for (const { mark } of lines) {
    if (mark === ' ') {
      close();
      pairs.push({ before: left++, after: right++ });
    } else if (mark === '-') open.gone.push(left++);
    else open.added.push(right++);
  }
  close();
  return pairs;
}

function sortedText(step: Json): string {
  return JSON.stringify(step, (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** `20%`, `header route`, `setWeight 20`: a step in a few words. */
export function stepLabel(step: Json | undefined): string {
  const { matches, traffic, weight, replicas, ...others } = asObject(step);
  if (Array.isArray(matches) && matches.length > 0) return 'header route';
  const share = traffic ?? (weight === undefined ? undefined : `${weight}%`);
  if (typeof share === 'string') return share;
  if (replicas !== undefined)
    return typeof replicas === 'number' ? `${replicas} pod${replicas === 1 ? '' : 's'}` : `${replicas} of the pods`;
  const [first] = Object.entries(others);
  if (first === undefined) return 'empty step';
  const [field, value] = first;
  return typeof value === 'object' ? field : `${field} ${value}`;
}
