/** What goes wrong when an API server is asked, in a few words. */
import { isJsonObject, type JsonObject } from '../../core/json';

/** An answer of the API server that is no success. */
export class ApiError extends Error {
  constructor(
    /** Of HTTP; 0 where there was no answer. */
    readonly status: number,
    message: string,
    /** Seconds after which it may be asked again. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** The JSON object of a text; undefined if it is none. */
export function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The API server says in a `Status` what it did not like. */
export function messageOf(status: number, body: JsonObject | undefined): string {
  const message = typeof body?.message === 'string' ? body.message : '';
  if (message !== '') return message;
  return status === 200 ? 'the answer is no JSON object' : `the answer has the status ${status}`;
}

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** What a failed connection means. */
export function problemOf(error: Error): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (UNTRUSTED.has(code)) return `its certificate is not trusted: ${message}`;
  if (code === 'ECONNREFUSED') return 'the connection is refused';
  if (code === 'ENOTFOUND') return 'its name is not known';
  return message || code || 'the connection broke';
}
