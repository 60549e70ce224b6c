import { isJsonObject, type Json, type JsonObject, ownValue } from '../../core/json';

/**
 * The HTTPRoute in the Istio types of the operator. The operator decodes a route twice: first the `rule` annotation, then
 * the generated route over it. So unknown fields are dropped, and known fields are merged one by one, as Go's JSON decoder
 * does.
 */

/** The type of a field. With `keep`, an empty value is written. */
type Shape =
  | { readonly is: 'text' | 'number' | 'flag' }
  | { readonly is: 'list' | 'map'; readonly of: Shape }
  | { readonly is: 'struct'; readonly fields: { readonly [name: string]: Shape & Field }; readonly inline?: boolean };

interface Field {
  readonly keep?: boolean;
}

const text = { is: 'text' } as const;
const number = { is: 'number' } as const;
const flag = { is: 'flag' } as const;
const texts = { is: 'list', of: text } as const;
const textMap = { is: 'map', of: text } as const;
const struct = (fields: { readonly [name: string]: Shape & Field }) => ({ is: 'struct', fields }) as const;
/** A struct that is not behind a pointer, which is written even if it is empty. */
const inline = (fields: { readonly [name: string]: Shape & Field }) =>
  ({ is: 'struct', fields, inline: true }) as const;

const stringMatch = struct({ exact: text, prefix: text, suffix: text, regex: text });
const operations = struct({ set: textMap, add: textMap, remove: texts });
const headers = struct({ request: operations, response: operations });
const destinationFields = {
  host: { ...text, keep: true },
  subset: text,
  port: inline({ number, name: text }),
};

const HTTP_ROUTE: Shape = struct({
  match: {
    is: 'list',
    of: struct({
      uri: stringMatch,
      scheme: stringMatch,
      method: stringMatch,
      authority: stringMatch,
      headers: { is: 'map', of: stringMatch },
      port: number,
      sourceLabels: textMap,
      gateways: texts,
    }),
  },
  route: {
    is: 'list',
    of: struct({ destination: inline(destinationFields), weight: { ...number, keep: true }, headers }),
  },
  redirect: struct({ uri: text, authority: text }),
  rewrite: struct({ uri: text, authority: text }),
  websocketUpgrade: flag,
  timeout: text,
  retries: struct({ attempts: { ...number, keep: true }, perTryTimeout: { ...text, keep: true } }),
  fault: struct({
    delay: struct({ percent: number, fixedDelay: { ...text, keep: true }, exponentialDelay: text }),
    abort: struct({ percent: number, httpStatus: { ...number, keep: true } }),
  }),
  mirror: struct(destinationFields),
  appendHeaders: textMap,
  removeResponseHeaders: textMap,
  headers,
  corsPolicy: struct({
    allowOrigin: texts,
    allowMethods: texts,
    allowHeaders: texts,
    exposeHeaders: texts,
    maxAge: text,
    allowCredentials: flag,
  }),
});

/** The result of reading a `rule` annotation. */
export interface RuleAnnotation {
  /** The base of the routes; undefined if the annotation is not a JSON object, which the operator ignores. */
  readonly base?: JsonObject;
  /** Fields without effect, because the operator does not know them or expects another type. */
  readonly dropped: readonly string[];
  /** Why the operator ignores the annotation. */
  readonly problem?: string;
}

/** Reads a `rule` annotation as the operator does. */
export function readRule(annotation: string): RuleAnnotation {
  let json: Json;
  try {
    json = JSON.parse(annotation);
  } catch (error) {
    return { dropped: [], problem: (error as Error).message };
  }
  if (!isJsonObject(json)) return { dropped: [], problem: 'it is not an object' };
  const dropped: string[] = [];
  return { base: decode(HTTP_ROUTE, undefined, json, '', dropped) as JsonObject, dropped };
}

/** The generated route merged into the annotation, as the operator sends it to the API server. */
export function mergeRoute(base: JsonObject | undefined, route: JsonObject): JsonObject {
  return encode(HTTP_ROUTE, decode(HTTP_ROUTE, base, route, '', [])) as JsonObject;
}

/** Decodes JSON into a value that may already have content, as Go does. */
function decode(shape: Shape, held: Json | undefined, json: Json, at: string, dropped: string[]): Json | undefined {
  // In Go a null leaves a plain value as it is, and empties a list, a map or a pointer.
  if (json === null) return isPlain(shape) ? held : undefined;
  switch (shape.is) {
    case 'struct':
      return isJsonObject(json) ? decodeStruct(shape.fields, held, json, at, dropped) : refused(held, at, dropped);
    case 'map':
      return isJsonObject(json)
        ? { ...(held as JsonObject | undefined), ...mapOf(shape.of, json, at, dropped) }
        : refused(held, at, dropped);
    case 'list':
      // Go decodes into existing elements, and drops those beyond the new length.
      return Array.isArray(json)
        ? json.map((one, index) => decode(shape.of, ownValue(held, index), one, `${at}[${index}]`, dropped) ?? null)
        : refused(held, at, dropped);
    default:
      return fits(shape.is, json) ? json : refused(held, at, dropped);
  }
}

function decodeStruct(
  fields: { readonly [name: string]: Shape },
  held: Json | undefined,
  json: JsonObject,
  at: string,
  dropped: string[],
): JsonObject {
  const result: Record<string, Json> = { ...(held as JsonObject | undefined) };
  for (const [key, value] of Object.entries(json)) {
    const name = Object.hasOwn(fields, key) ? key : Object.keys(fields).find((field) => folded(field) === folded(key));
    const path = at === '' ? key : `${at}.${key}`;
    if (name === undefined) {
      dropped.push(path);
      continue;
    }
    const decoded = decode(fields[name]!, result[name], value, path, dropped);
    if (decoded === undefined) delete result[name];
    else result[name] = decoded;
  }
  return result;
}

/** Go decodes the values of a map into new values, unlike the elements of a list. */
function mapOf(shape: Shape, json: JsonObject, at: string, dropped: string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      decode(shape, undefined, value, `${at}.${key}`, dropped) ?? (shape.is === 'text' ? '' : {}),
    ]),
  );
}

function refused(held: Json | undefined, at: string, dropped: string[]): Json | undefined {
  dropped.push(at);
  return held;
}

/** Encodes a value with Go's `omitempty`; undefined if it is left out. */
function encode(shape: Shape & Field, value: Json | undefined): Json | undefined {
  switch (shape.is) {
    case 'text':
      return emptyUnlessKept(shape, value ?? '', '');
    case 'number':
      return emptyUnlessKept(shape, value ?? 0, 0);
    case 'flag':
      return emptyUnlessKept(shape, value ?? false, false);
    case 'list':
      return Array.isArray(value) && value.length > 0 ? value.map((one) => element(shape.of, one)) : undefined;
    case 'map':
      return isJsonObject(value) && Object.keys(value).length > 0
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, element(shape.of, one)]))
        : undefined;
    case 'struct': {
      if (!isJsonObject(value)) return shape.inline ? encodeStruct(shape.fields, {}) : undefined;
      return encodeStruct(shape.fields, value);
    }
  }
}

/** Elements of a list or a map are always written. */
function element(shape: Shape, value: Json): Json {
  if (shape.is === 'struct') return encodeStruct(shape.fields, isJsonObject(value) ? value : {});
  return encode({ ...shape, keep: true }, value ?? undefined) ?? null;
}

function encodeStruct(fields: { readonly [name: string]: Shape & Field }, value: JsonObject): JsonObject {
  const members = Object.entries(fields).map(([name, field]) => [name, encode(field, value[name])] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as JsonObject;
}

function emptyUnlessKept(shape: Field, value: Json, empty: Json): Json | undefined {
  return value === empty && shape.keep !== true ? undefined : value;
}

function isPlain(shape: Shape): boolean {
  return shape.is === 'text' || shape.is === 'number' || shape.is === 'flag' || ('inline' in shape && !!shape.inline);
}

function fits(is: 'text' | 'number' | 'flag', json: Json): boolean {
  if (is === 'number') return Number.isInteger(json);
  return typeof json === (is === 'text' ? 'string' : 'boolean');
}

/** Go matches the names of fields without regard to case. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase();
}
