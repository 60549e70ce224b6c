/** The field and the request that a finding names. */
import type { Path } from '../core';
import { formatRequest } from './request';
import type { Run, SentRequest } from './run';

/** A request as a command line has it. */
export function textOf({ entries }: Pick<Run, 'entries'>, sent: Pick<SentRequest, 'request' | 'entry'>): string {
  const entry = entries[sent.entry]!;
  const isUsual = entry.port === (entry.protocol === 'HTTPS' ? 443 : 80);
  const port = sent.request.port ?? (isUsual ? undefined : entry.port);
  const request = port === undefined ? sent.request : { ...sent.request, port };
  return formatRequest(request, entry.protocol === 'HTTPS' ? 'https' : 'http');
}

/** The field of the release that declares what was expected, and the step. */
export function placeAt({ release }: Run, step: number | undefined): { readonly path: Path; readonly step?: number } {
  if (step === undefined) return { path: release.path };
  return { path: release.steps[step]?.trafficPath ?? release.path, step };
}
