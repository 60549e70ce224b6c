import type { RehearsalRequest } from '../../rehearsal';
import { UserError } from '../user-error';

/** A request as somebody wrote it; one that cannot be read is a `UserError` that names the place. */
export function readProbe(text: string, place: string): RehearsalRequest {
  const { parseRequest, RequestSyntaxError } =
    require('../../rehearsal/request') as typeof import('../../rehearsal/request');
  try {
    return parseRequest(text);
  } catch (error) {
    if (error instanceof RequestSyntaxError) throw new UserError(`${place}: ${error.message}`);
    throw error;
  }
}
