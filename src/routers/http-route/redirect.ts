import { type Json, ownValue } from '../../core';
import type { RedirectAnswer } from '../router';
import { nameOf, numberOf, textOf } from '../values';

/** The answer of a `requestRedirect` of the Gateway API. Kuma's routes have the same fields. */
export function redirectAnswer(redirect: Json | undefined): RedirectAnswer {
  const scheme = nameOf(ownValue(redirect, 'scheme'));
  const host = nameOf(ownValue(redirect, 'hostname'));
  const port = numberOf(ownValue(redirect, 'port'));
  const path = ownValue(redirect, 'path');
  const newPath = textOf(ownValue(path, 'replaceFullPath')) ?? textOf(ownValue(path, 'replacePrefixMatch'));
  return {
    kind: 'redirect',
    statusCode: String(numberOf(ownValue(redirect, 'statusCode')) ?? 302),
    ...(scheme === undefined ? {} : { protocol: scheme.toUpperCase() }),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port: String(port) }),
    ...(newPath === undefined ? {} : { path: newPath }),
  };
}
