/** Where findings point: the field of the Rollout, and the request as text. */
import type { Path } from '../core';
import { formatRequest } from './request';
import type { Run, SentRequest } from './run';

/** A request as the user would send it. */
export function textOf(run: Run, sent: SentRequest): string {
  const entry = run.entries[sent.entry]!;
  const isUsual = entry.port === (entry.protocol === 'HTTPS' ? 443 : 80);
  const port = sent.request.port ?? (isUsual ? undefined : entry.port);
  const request = port === undefined ? sent.request : { ...sent.request, port };
  return formatRequest(request, entry.protocol === 'HTTPS' ? 'https' : 'http');
}

/** The field of the Rollout that declares what was expected. */
export function pathAt({ rollout }: Run, step: number | undefined): Path {
  const subject = step === undefined ? undefined : rollout.steps[step];
  if (subject === undefined) return rollout.strategy.path;
  const field = ['matches', 'traffic', 'weight', 'setHeaderRoute', 'setWeight', 'experiment'].find((name) =>
    Object.hasOwn(subject.object, name),
  );
  return field === undefined ? subject.path : [...subject.path, field];
}
