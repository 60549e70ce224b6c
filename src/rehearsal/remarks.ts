/** Turns the remarks of a controller into findings. */
import type { Finding } from '../core';
import type { Release, Remark, SeenRelease } from '../release';
import { missingPortFindings } from './missing-ports';
import { notReachedRemark } from './not-reached';
import { textOf } from './places';
import { rehearsalRules } from './rules';
import type { Run } from './run';
import { isFrozen } from './tables';
import { unreachableFindings } from './unreachable';
import { unsentFindings } from './unsent';

/** The findings about a release as a whole. */
export function releaseFindings(run: Run): Finding[] {
  const { release, play } = run;
  const found = (remarks: readonly Remark[]) => remarks.map((remark) => findingOf(release, remark));
  if (release.notPlayed !== undefined) return found([release.notPlayed]);
  if (play.stop !== undefined) return found([play.stop.remark, ...ownRemarks(run)]);
  // Don't report missing routes if the controller failed to write them: that is the same cause.
  const unreachable = unreachableFindings(run);
  const missingPorts = isNotReached(run) && unreachable.length === 0 ? missingPortFindings(run) : [];
  const isKnown = unreachable.length + missingPorts.length > 0;
  const notReached = !isKnown && isNotReached(run) ? [notReachedRemark(run)] : [];
  return [...unreachable, ...missingPorts, ...unsentFindings(run), ...found([...notReached, ...ownRemarks(run)])];
}

function isNotReached({ entries, seen }: Run): boolean {
  return entries.length === 0 && !isFrozen(seen[0]!.table);
}

function ownRemarks(run: Run): readonly Remark[] {
  const { release, entries, requests, seen } = run;
  const seenRelease: SeenRelease = {
    moments: seen.map(({ moment, cells }) => ({ moment, outcomes: cells })),
    isReached: entries.length > 0,
    requestText: (index) => textOf(run, requests[index]!),
  };
  return release.remarksOn?.(seenRelease) ?? [];
}

function findingOf({ manifest }: Release, { rule: named, log, ...details }: Remark): Finding {
  const rule = typeof named === 'string' ? rehearsalRules[named] : named;
  const because =
    log === undefined ? details.because : `${details.because ?? rule.because}. Search the log for: ${log}`;
  return manifest.finding(rule, { ...details, ...(because === undefined ? {} : { because }) });
}
