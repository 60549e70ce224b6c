import type { Finding } from '../../../core/finding';
import { groupedBy } from '../../../core/grouped';
import type { Rehearsal, RehearsedCell, RehearsedMoment } from '../../../core/rehearsal-result';
import { declaredWords, shortOutcome } from './words';

/** The requests of one moment with the same rule and the same result. */
export interface RouteGroup {
  /** Indexes into the rehearsal's requests. */
  readonly requests: readonly number[];
  /** Index into the rehearsal's load balancers. */
  readonly loadBalancer: number;
  readonly cell: RehearsedCell;
}

/** Groups the requests of a moment by route, with wrong ones first. */
export function routeGroups(rehearsal: Rehearsal, moment: RehearsedMoment): RouteGroup[] {
  const groups = new Map<string, RouteGroup & { requests: number[] }>();
  for (const [index, cell] of moment.cells.entries()) {
    const { loadBalancer } = rehearsal.requests[index]!;
    const declared = declaredOf(rehearsal, index, cell);
    const key = JSON.stringify([loadBalancer, declared, cell.shares, cell.answer, cell.rule, cell.verdict]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { requests: [index], loadBalancer, cell });
    else group.requests.push(index);
  }
  const all = [...groups.values()];
  return [...all.filter(({ cell }) => cell.verdict === 'wrong'), ...all.filter(({ cell }) => cell.verdict === 'good')];
}

/** Groups of requests with the same result at every moment, as indexes into the rehearsal's requests. */
export function columnsOf(rehearsal: Rehearsal): (readonly number[])[] {
  const columns = groupedBy(rehearsal.requests.keys(), (index) => {
    const cells = rehearsal.moments.map(({ cells }) => cells[index]!);
    const gets = cells.map((cell) => [
      declaredOf(rehearsal, index, cell),
      cell.shares,
      shortOutcome(cell),
      cell.verdict,
    ]);
    return JSON.stringify([rehearsal.requests[index]!.loadBalancer, gets]);
  });
  return [...columns.values()];
}

/** For each moment, the index of the first moment with the same traffic. */
export function firstAlike({ moments }: Rehearsal): number[] {
  const first = new Map<string, number>();
  return moments.map(({ cells }, index) => {
    const key = JSON.stringify(cells);
    if (!first.has(key)) first.set(key, index);
    return first.get(key)!;
  });
}

/** What a Rollout declares for a request, as text. */
export function declaredOf(rehearsal: Rehearsal, request: number, { expectedCanary }: RehearsedCell): string {
  const isForeign = expectedCanary === undefined && rehearsal.requests[request]!.class === 'elsewhere';
  return isForeign ? 'as before' : declaredWords(expectedCanary);
}

/** The number of kinds of requests with a wrong result at a moment. */
export function wrongCount(moment: RehearsedMoment): number {
  return moment.cells.filter(({ verdict }) => verdict === 'wrong').length;
}

/** The findings about these requests at this moment, as indexes into the rehearsal's findings. */
export function findingsAt(rehearsal: Rehearsal, moment: RehearsedMoment, requests: readonly number[]): number[] {
  const texts = new Set(requests.map((index) => rehearsal.requests[index]!.text));
  const isAbout = ({ step, request }: Finding) =>
    request !== undefined && texts.has(request) && (step === undefined || step === moment.step);
  return rehearsal.findings.flatMap((finding, index) => (isAbout(finding) ? [index] : []));
}

/** The index of the moment that shows a finding; undefined if none does. */
export function momentOf(rehearsal: Rehearsal, { step, request }: Finding): number | undefined {
  if (step === undefined && request === undefined) return undefined;
  const column = rehearsal.requests.findIndex(({ text }) => text === request);
  const ofStep = (moment: RehearsedMoment) => step === undefined || moment.step === step;
  const shows = (moment: RehearsedMoment) => ofStep(moment) && moment.cells[column]?.verdict === 'wrong';
  const candidates = [shows, (moment: RehearsedMoment) => step !== undefined && ofStep(moment)];
  const found = candidates.map((candidate) => rehearsal.moments.findIndex(candidate)).find((index) => index >= 0);
  return found;
}
