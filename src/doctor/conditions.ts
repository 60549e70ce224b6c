/** What a controller says of an object in its conditions: the first thing that people ask for. */
import type { Manifest } from '../core';
import { asList, asObject, asText } from '../core/json';

/** `Progressing=True (InRolling): Rollout is in Progressing`, a line for each condition. */
export function conditionLines(manifest: Manifest): readonly string[] {
  return asList(manifest.get('status.conditions'))
    .map(asObject)
    .map(({ type, status, reason, message }) => {
      const why = asText(reason) === '' ? '' : ` (${asText(reason)})`;
      return `${asText(type)}=${asText(status)}${why}${asText(message) === '' ? '' : `: ${asText(message)}`}`;
    });
}
