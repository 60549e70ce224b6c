import type { RehearsalRequest } from '../rehearsal';
import { UserError } from './user-error';

/** Reads a request that is written as for curl; a request that cannot be read is a `UserError` that names the place. */
export function readProbe(text: string, place: string): RehearsalRequest {
  // Loaded at the first probe: it leads to the routers.
  const { parseRequest, RequestSyntaxError } = require('../rehearsal/request') as typeof import('../rehearsal/request');
  try {
    return parseRequest(text);
  } catch (error) {
    if (error instanceof RequestSyntaxError) throw new UserError(`${place}: ${error.message}`);
    throw error;
  }
}
