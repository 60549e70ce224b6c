/** Steps and matches of Kruise Rollouts, with the helpers that write them. */
import { asList, asObject, type Json, type JsonObject } from '../../core/json';
import { type Code, call, isEmpty, list, maybe, object, value } from '../code';

/** One step, by the helper that says what it does; as a plain object where none fits. */
export function stepCode(json: Json): Code {
  const { traffic, matches, replicas, pause, requestHeaderModifier, ...others } = asObject(json);
  const plain = (): Code =>
    object({
      ...Object.fromEntries(Object.entries(asObject(json)).map(([key, entry]) => [key, value(entry)])),
      ...(matches === undefined ? {} : { matches: matchesCode(matches) }),
    });
  if (Object.keys(others).length > 0 || replicas === undefined) return plain();
  const common = { requestHeaderModifier: maybe(requestHeaderModifier), pause: maybe(pause) };
  if (traffic !== undefined && matches === undefined) {
    const options = object({ replicas: replicas === traffic ? undefined : value(replicas), ...common });
    return call('KruiseRolloutStep.traffic', value(traffic), ...(isEmpty(options) ? [] : [options]));
  }
  if (matches !== undefined && traffic === undefined) {
    return call('KruiseRolloutStep.matches', matchesCode(matches), object({ replicas: value(replicas), ...common }));
  }
  if (traffic !== undefined || requestHeaderModifier !== undefined) return plain();
  return call(
    'KruiseRolloutStep.replicas',
    value(replicas),
    ...(pause === undefined ? [] : [object({ pause: value(pause) })]),
  );
}

/** A list of matches. */
export function matchesCode(json: Json): Code {
  return list(asList(json).map(matchCode));
}

const TYPES: Readonly<Record<string, string>> = {
  Exact: 'exact',
  PathPrefix: 'prefix',
  RegularExpression: 'regularExpression',
};

function matchCode(json: Json): Code {
  const conditions = conditionsOf(asObject(json));
  if (conditions === undefined || conditions.length === 0) return value(json);
  return conditions.length === 1 ? conditions[0]! : call('RouteMatch.allOf', ...conditions);
}

/** The conditions of a match; undefined where one of them has no helper. */
function conditionsOf({ path, headers, queryParams, ...others }: JsonObject): Code[] | undefined {
  const isEmptyList = (given: Json | undefined) => given !== undefined && asList(given).length === 0;
  if (Object.keys(others).length > 0 || isEmptyList(headers) || isEmptyList(queryParams)) return undefined;
  const codes = [
    ...asList(headers).map((header) => condition('HeaderMatch', asObject(header))),
    ...asList(queryParams).map((param) => condition('QueryParamMatch', asObject(param))),
    ...(path === undefined ? [] : [condition('PathMatch', asObject(path))]),
  ];
  return codes.includes(undefined) ? undefined : (codes as Code[]);
}

function condition(
  name: 'HeaderMatch' | 'QueryParamMatch' | 'PathMatch',
  { type, name: field, value: given, ...others }: JsonObject,
): Code | undefined {
  const method = TYPES[String(type)];
  const isPath = name === 'PathMatch';
  const isKnown = method !== undefined && (isPath || method !== 'prefix');
  const hasName = isPath ? field === undefined : field !== undefined;
  if (!isKnown || !hasName || given === undefined || Object.keys(others).length > 0) return undefined;
  return call(`${name}.${method}`, ...(isPath ? [] : [value(field!)]), value(given));
}
