/** Middlewares that redirect requests. */
import { type Json, type Manifest, ownValue, type World } from '../../core';
import { compileRegex } from '../../core/regex';
import type { Candidate } from '../listener';
import { methodOf, type RequestTest } from '../request';
import type { HttpRequest } from '../router';
import { listOf, nameOf, textOf, valueIn } from '../values';
import { findIn, GROUPS } from './kinds';
import { type Redirect, RouteError } from './route';

/** The redirects of a route of an IngressRoute. A Middleware that does not exist drops the route. */
export function redirectsOfRoute(world: World, route: Json, home: string): readonly Redirect[] {
  return listOf(ownValue(route, 'middlewares')).flatMap((middleware) => {
    const name = textOf(ownValue(middleware, 'name')) ?? '';
    const namespace = nameOf(ownValue(middleware, 'namespace')) ?? home;
    const found = findIn(world, 'Middleware', name, namespace);
    if (found !== undefined) return redirectsOf(found);
    if (!name.includes('@') && knowsMiddlewares(world, namespace)) {
      throw new RouteError(`Middleware ${namespace}/${name} does not exist`);
    }
    return [];
  });
}

/** The end of a middleware's name in an annotation: it comes from a Middleware. */
const OF_CRD = '@kubernetescrd';

/** The redirects of an annotation: `shop-to-https@kubernetescrd, shop-auth@kubernetescrd`. */
export function redirectsOfNames(world: World, names: readonly string[]): readonly Redirect[] {
  return names.flatMap((name) => {
    if (!name.includes('@')) {
      const hint = `write the namespace, the name and the provider: shop-${name}${OF_CRD}`;
      throw new RouteError(`the provider of Ingresses has no middleware ${name}: ${hint}`);
    }
    if (!name.endsWith(OF_CRD)) return [];
    const wanted = name.slice(0, -OF_CRD.length);
    const known = GROUPS.flatMap((group) => world.list(`Middleware.${group}`));
    const namespaceOf = (manifest: Manifest) => world.namespaceOf(manifest);
    const found = known.find((each) => `${namespaceOf(each)}-${each.name}` === wanted);
    if (found !== undefined) return redirectsOf(found);
    if (!known.some((each) => wanted.startsWith(`${namespaceOf(each)}-`))) return [];
    throw new RouteError(`no Middleware has the name ${wanted}, which is NAMESPACE-NAME`);
  });
}

/** A stack without Middlewares of a namespace says nothing about them: others may own them. */
function knowsMiddlewares(world: World, namespace: string): boolean {
  return GROUPS.some((group) => world.list(`Middleware.${group}`, namespace).length > 0);
}

function redirectsOf({ object }: Manifest): readonly Redirect[] {
  const byScheme = valueIn(object, 'spec', 'redirectScheme');
  const scheme = nameOf(ownValue(byScheme, 'scheme'));
  const port = nameOf(ownValue(byScheme, 'port'));
  if (scheme !== undefined) {
    const permanent = ownValue(byScheme, 'permanent') === true;
    return [{ permanent, scheme: scheme.toUpperCase(), ...(port === undefined ? {} : { port }) }];
  }
  const byRegex = valueIn(object, 'spec', 'redirectRegex');
  const regex = textOf(ownValue(byRegex, 'regex')) ?? '';
  const urls = compileRegex(regex);
  if (byRegex === undefined || urls === undefined) return [];
  const location = replaced(regex, textOf(ownValue(byRegex, 'replacement')) ?? '');
  return [{ permanent: ownValue(byRegex, 'permanent') === true, urls, location }];
}

/** The requests of a route that a middleware redirects; those with a body keep their method. */
export function redirected(
  candidate: Candidate,
  { permanent, scheme, port: target, urls, location }: Redirect,
  protocol: 'HTTP' | 'HTTPS',
  port: number,
): readonly Candidate[] {
  if (scheme === protocol) return [];
  const isMeant: RequestTest = (request) => urls?.(urlOf(request, protocol, port)) ?? true;
  const answers: readonly (readonly [isGet: boolean, statusCode: string])[] = [
    [true, permanent ? '301' : '302'],
    [false, permanent ? '308' : '307'],
  ];
  return answers.map(([isGet, statusCode]) => ({
    ...candidate,
    matches: (request) => candidate.matches(request) && (methodOf(request) === 'GET') === isGet && isMeant(request),
    answer: {
      kind: 'redirect',
      statusCode,
      ...(scheme === undefined ? {} : { protocol: scheme }),
      ...(target === undefined ? {} : { port: target }),
      ...(location === undefined ? {} : { location }),
    },
  }));
}

/** The new URL. Groups of the expression, and what it leaves of the URL, are not modelled: the text says what makes it. */
function replaced(regex: string, replacement: string): string {
  const takesAll = regex.startsWith('^') && /(\$|\.\*)$/.test(regex);
  return takesAll && !replacement.includes('$') ? replacement : `what redirectRegex makes of the URL: ${replacement}`;
}

function urlOf(request: HttpRequest, protocol: 'HTTP' | 'HTTPS', port: number): string {
  const isUsual = port === (protocol === 'HTTP' ? 80 : 443);
  const search = Object.entries(request.query ?? {}).map((pair) => pair.map(encodeURIComponent).join('='));
  const target = request.target ?? `${encodeURI(request.path)}${search.length === 0 ? '' : `?${search.join('&')}`}`;
  return `${protocol.toLowerCase()}://${request.host}${isUsual ? '' : `:${port}`}${target}`;
}
