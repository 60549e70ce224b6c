import type { Finding } from '../../core/finding';
import type { Rehearsal } from '../../core/rehearsal-result';
import type { ReportContext } from '../reporter';

/** What a format may need besides the rehearsals. */
export interface RehearsalContext extends ReportContext {
  /** Everything that was found, in the order in which it is reported: also what is about no single Rollout. */
  readonly findings: readonly Finding[];
  /**
   * How many columns the terminal has.
   * @default 100
   */
  readonly width?: number;
}

/** Writes rehearsals in one format. */
export type RehearsalReporter = (rehearsals: readonly Rehearsal[], context: RehearsalContext) => string;

/** `Rollout shop/web` */
export function rolloutName({ rollout: { kind, namespace, name } }: Rehearsal): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** The letter of a column: A to Z, then AA. */
export function columnLetter(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetter(Math.floor(index / 26) - 1) + letter;
}

/** `3 steps, 8 requests on aws-alb "shop"` */
export function extentOf({ moments, requests, loadBalancers }: Rehearsal): string {
  const steps = new Set(moments.filter(({ phase }) => phase === 'step').map(({ step }) => step)).size;
  const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  const where = loadBalancers.map(({ router, name }) => `${router} "${name}"`).join(' and ');
  return `${counted(steps, 'step')}, ${counted(requests.length, 'request')}${where === '' ? '' : ` on ${where}`}`;
}
