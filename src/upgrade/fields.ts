/** The fields of kinds in the stack that only one of two releases has. */

import { API_GROUP as ARGO_GROUP, API_KINDS as ARGO_KINDS, API_VERSION as ARGO_VERSION } from '../argo/api/names';
import { apiSchema as argoSchema } from '../argo/api/schema';
import { groupedBy } from '../core/grouped';
import { isJsonObject, type Json } from '../core/json';
import type { Manifest } from '../core/manifest';
import { formatPath } from '../core/path';
import type { StructuralSchema } from '../core/schema';
import type { Software, UpgradedFields } from '../core/upgrade-result';
import type { World } from '../core/world';
import { API_GROUP as KRUISE_GROUP } from '../kruise/api/names';
import { apiVersionsOf, API_KINDS as KRUISE_KINDS, apiSchemaOf as kruiseSchemaOf } from '../kruise/api/schema';
import type { Versions } from '../settings/versions';

/** The schemas of a kind on both sides, and the versions of its API that only the new side serves. */
interface KindOfBoth {
  readonly software: Software;
  readonly from: StructuralSchema | undefined;
  readonly to: StructuralSchema | undefined;
  readonly newVersions: readonly string[];
}

/**
 * What becomes available, or ends, in objects that the stack has. A new field counts where the stack has the object around
 * it: a stack without experiments need not know of their new fields.
 */
export function differentFields(world: World, from: Versions, to: Versions): UpgradedFields[] {
  const kinds = groupedBy(world.manifests, ({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, manifests]) => fieldsOf(manifests, from, to));
}

function fieldsOf(manifests: readonly Manifest[], from: Versions, to: Versions): UpgradedFields[] {
  const { apiVersion, kind } = manifests[0]!;
  const both = kindOf(apiVersion, kind, from, to);
  if (both === undefined) return [];
  const values = manifests.map(({ object: { status: _status, ...object } }) => object);
  const added = onlyIn(both.to, both.from, values, 'offered');
  const removed = onlyIn(both.from, both.to, values, 'used');
  const { software, newVersions } = both;
  if (added.length === 0 && removed.length === 0 && newVersions.length === 0) return [];
  return [{ software, kind, apiVersion, added, removed, newVersions }];
}

function kindOf(apiVersion: string, kind: string, from: Versions, to: Versions): KindOfBoth | undefined {
  const kruiseKind = KRUISE_KINDS.find((one) => one === kind);
  if (kruiseKind !== undefined && apiVersion.startsWith(`${KRUISE_GROUP}/`)) {
    const [before, after] = [from.kruiseVersion, to.kruiseVersion];
    if (before === undefined || after === undefined) return undefined;
    const served = apiVersionsOf(kruiseKind, before);
    return {
      software: 'kruise',
      from: kruiseSchemaOf({ apiVersion, kind }, before),
      to: kruiseSchemaOf({ apiVersion, kind }, after),
      newVersions: apiVersionsOf(kruiseKind, after).filter((one) => !served.includes(one)),
    };
  }
  const argoKind = ARGO_KINDS.find((one) => one === kind);
  if (argoKind === undefined || apiVersion !== `${ARGO_GROUP}/${ARGO_VERSION}`) return undefined;
  const [before, after] = [from.argoVersion, to.argoVersion];
  if (before === undefined || after === undefined) return undefined;
  return {
    software: 'argo',
    from: argoSchema(argoKind, before.facts.lacksFields),
    to: argoSchema(argoKind, after.facts.lacksFields),
    newVersions: [],
  };
}

/**
 * The fields of one schema that the other one does not have: those that the values use, or those that are offered to them.
 * Fields within such a field are not named again.
 */
function onlyIn(
  schema: StructuralSchema | undefined,
  other: StructuralSchema | undefined,
  values: readonly Json[],
  which: 'used' | 'offered',
): string[] {
  if (schema === undefined || other === undefined) return [];
  const found: string[] = [];
  const walk = (one: StructuralSchema, two: StructuralSchema, here: readonly Json[], path: string): void => {
    const objects = here.filter(isJsonObject);
    for (const [name, field] of Object.entries(one.properties ?? {})) {
      if (objects.length === 0) break;
      const inside = objects.flatMap((object) => (Object.hasOwn(object, name) ? [object[name]!] : []));
      const text = formatPath([name]);
      const at = path === '' || text.startsWith('[') ? `${path}${text}` : `${path}.${text}`;
      const partner = two.properties?.[name];
      if (partner !== undefined) walk(field, partner, inside, at);
      // A schema without properties takes everything.
      else if (two.properties !== undefined && (which === 'offered' || inside.length > 0)) found.push(at);
    }
    const items = here.flatMap((value) => (Array.isArray(value) ? (value as readonly Json[]) : []));
    if (one.items !== undefined && two.items !== undefined && items.length > 0)
      walk(one.items, two.items, items, `${path}[*]`);
  };
  walk(schema, other, values, '');
  return found;
}
