import type { Finding } from '../../core/finding';
import type { Rehearsal } from '../../core/rehearsal-result';
import type { ReportContext } from '../reporter';

/** The input of a format in addition to the rehearsals. */
export interface RehearsalContext extends ReportContext {
  /** All findings in the order of the report, including those about no single Rollout. */
  readonly findings: readonly Finding[];
  /**
   * The number of columns of the terminal.
   * @default 100
   */
  readonly width?: number;
  /**
   * The stories that are shown as tables, by name; a name without a step stands for every step.
   * @default - every story is a line
   */
  readonly tables?: readonly string[];
  /**
   * Whether the page is for a frame of another page, which it tells where its reader is.
   * @default false
   */
  readonly isFramed?: boolean;
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

/** The result of a rehearsal: `open` where it could not tell everything, because it sent no request or an object is missing. */
export type RehearsalResult = 'declared' | 'open' | 'wrong';

/** The result of a rehearsal, for marks. */
export function resultOf({ requests, findings, stopped }: Rehearsal): RehearsalResult {
  if (findings.some(({ severity }) => severity === 'error')) return 'wrong';
  const isOpen =
    requests.length === 0 || stopped !== undefined || findings.some(({ rule }) => rule === 'rehearsal-incomplete');
  return isOpen ? 'open' : 'declared';
}

const ARGO_STYLES: Readonly<Partial<Record<Rehearsal['style'], string>>> = {
  'argo-canary': 'canary of Argo Rollouts',
  'argo-blue-green': 'blue-green of Argo Rollouts',
};

/** `3 steps, 8 requests on aws-alb "shop"`, and before it whose release it is where that is not Kruise. */
export function extentOf({ style, moments, requests, loadBalancers }: Rehearsal): string {
  const steps = new Set(moments.filter(({ phase }) => phase === 'step').map(({ step }) => step)).size;
  const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  const where = loadBalancers.map(({ router, name }) => `${router} "${name}"`).join(' and ');
  const whose = ARGO_STYLES[style];
  const played = whose !== undefined && steps === 0 ? [] : [counted(steps, 'step')];
  const what = [...(whose === undefined ? [] : [whose]), ...played].join(', ');
  return `${what}, ${counted(requests.length, 'request')}${where === '' ? '' : ` on ${where}`}`;
}

/**
 * Why requests go back to the old version after the last step, where they do: a controller takes its routes back before the
 * workload has replaced the old pods. Undefined where they do not.
 */
export function mixedEndOf({ moments, requests }: Rehearsal): string | undefined {
  const isFull = (share: number) => share > 0.999;
  const falls = requests.some((_request, index) => {
    const shares = moments.filter(({ phase }) => phase === 'finish').map(({ cells }) => cells[index]!.shares.canary);
    const full = shares.findIndex(isFull);
    return full >= 0 && shares.slice(full).some((share) => share > 0 && !isFull(share)) && isFull(shares.at(-1)!);
  });
  return falls
    ? 'at the end the routes go before the old pods do: until the workload has replaced these, both versions answer'
    : undefined;
}
