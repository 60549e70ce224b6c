/** The fields of an HTTPRoute that a release of the controller knows. The Go client removes all others when it writes. */
import { isJsonObject, type Json, type JsonObject } from '../core/json';
import type { Path } from '../core/path';
import type { GatewayApiTypes } from './facts';

/** The fields of an object, or of the items of a list; `true` for a field without fields of its own. */
interface Fields {
  readonly [name: string]: Fields | true;
}

const HEADERS: Fields = { set: { name: true, value: true }, add: { name: true, value: true }, remove: true };
const BACKEND: Fields = { group: true, kind: true, name: true, namespace: true, port: true };
const PATH: Fields = { type: true, replaceFullPath: true, replacePrefixMatch: true };
const MATCH: Fields = { type: true, name: true, value: true };

const FILTERS_0_4: Fields = {
  type: true,
  requestHeaderModifier: HEADERS,
  requestMirror: { backendRef: BACKEND },
  requestRedirect: { scheme: true, hostname: true, port: true, statusCode: true },
  extensionRef: { group: true, kind: true, name: true },
};

const FILTERS_0_5: Fields = {
  ...FILTERS_0_4,
  requestRedirect: { scheme: true, hostname: true, port: true, statusCode: true, path: PATH },
  urlRewrite: { hostname: true, path: PATH },
};

const FILTERS_0_7: Fields = { ...FILTERS_0_5, responseHeaderModifier: HEADERS };

const PARENT_0_4: Fields = { group: true, kind: true, namespace: true, name: true, sectionName: true };
const PARENT: Fields = { ...PARENT_0_4, port: true };

const SPECS: Readonly<Record<GatewayApiTypes, Fields>> = {
  '0.4': specOf(PARENT_0_4, FILTERS_0_4),
  '0.5': specOf(PARENT, FILTERS_0_5),
  '0.7': specOf(PARENT, FILTERS_0_7),
};

function specOf(parentRefs: Fields, filters: Fields): Fields {
  return {
    parentRefs,
    hostnames: true,
    rules: {
      matches: { path: { type: true, value: true }, headers: MATCH, queryParams: MATCH, method: true },
      filters,
      backendRefs: { ...BACKEND, weight: true, filters },
    },
  };
}

/** A field that the controller does not write back. */
export interface LostField {
  readonly path: Path;
  /**
   * The `type` of the filter that this field configures. The API server accepts no such filter without the field, so it
   * refuses the whole HTTPRoute.
   * @default - the HTTPRoute is valid without the field
   */
  readonly filter?: string;
}

/** The fields of an HTTPRoute's spec that types of this version do not have. */
export function lostFields(spec: Json | undefined, types: GatewayApiTypes): readonly LostField[] {
  return lostIn(spec, SPECS[types], ['spec']);
}

/** The spec as the controller writes it back: without the fields that types of this version do not have. */
export function keptSpec(spec: JsonObject, types: GatewayApiTypes): JsonObject {
  return keptIn(spec, SPECS[types]) as JsonObject;
}

function keptIn(value: Json, fields: Fields): Json {
  if (Array.isArray(value)) return value.map((item) => keptIn(item, fields));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, child]) => {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (known === undefined) return [];
    return [[name, known === true ? child : keptIn(child, known)]];
  });
  return Object.fromEntries(kept);
}

function lostIn(value: Json | undefined, fields: Fields, path: Path): LostField[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => lostIn(item, fields, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const at = [...path, name];
    if (known === undefined) return [{ path: at, ...(isConfiguredBy(value.type, name) && { filter: value.type }) }];
    return known === true ? [] : lostIn(child, known, at);
  });
}

/** Whether a field has the name of a filter's type: `cors` of a CORS filter, `externalAuth` of an ExternalAuth filter. */
function isConfiguredBy(type: Json | undefined, field: string): type is string {
  return typeof type === 'string' && type.toLowerCase() === field.toLowerCase();
}
