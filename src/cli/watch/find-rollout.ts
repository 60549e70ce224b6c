/** Finds the Rollout that is meant. */
import { groupKindOf, type Manifest } from '../../core';
import { UserError } from '../../settings/user-error';
import { FOLLOWED_SYSTEMS } from '../../watch';
import { ApiError, type Connection } from '../cluster/client';
import type { Discovery, ServedKind } from '../cluster/discovery';
import { type ListOptions, listKind } from '../cluster/list';

/** The Rollout, or a message with those that there are. */
export async function findRollout(
  connection: Connection,
  { kinds }: Discovery,
  { name, namespace }: ListOptions,
): Promise<Manifest> {
  const served = FOLLOWED_SYSTEMS.flatMap(({ groupKind }) => kinds.get(groupKind) ?? []);
  if (served.length === 0) {
    throw new UserError(
      `${connection.from} has neither Kruise Rollouts nor Argo Rollouts`,
      'name another cluster with --context',
    );
  }
  const where = { ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) };
  const lists = await Promise.all(served.map((kind) => rolloutsOf(connection, kind, where)));
  const found = lists.flatMap((list) => list ?? []);
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined) throw noneFound(where, lists.includes(undefined));
  const names = found.map((one) => `${groupKindOf(one.kind, one.apiVersion)} ${one.namespace}/${one.name}`);
  throw new UserError(
    `there are ${found.length} Rollouts, and one is watched at a time`,
    `${name === undefined ? 'name one of' : 'these have this name'}: ${names.slice(0, 20).join(', ')}`,
  );
}

function noneFound({ name, namespace }: ListOptions, isRefused: boolean): UserError {
  if (isRefused) {
    return new UserError(
      `the Rollout "${namespace}/${name}" may not be read, or there is none`,
      'whoever has the rights prints the Role for it: rollout-constructs watch <namespace>/<name> --print-role',
    );
  }
  const where = namespace === undefined ? '' : ` in the namespace "${namespace}"`;
  return new UserError(
    name === undefined ? `there is no Rollout${where}` : `there is no Rollout "${namespace}/${name}"`,
    'list them: kubectl get rollouts.rollouts.kruise.io,rollouts.argoproj.io --all-namespaces',
  );
}

/** Who may read only Rollouts of one system still finds these; undefined if these may not be read. */
async function rolloutsOf(
  connection: Connection,
  kind: ServedKind,
  where: ListOptions,
): Promise<readonly Manifest[] | undefined> {
  try {
    return await listKind(connection, kind, where);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) return [];
    if (error.status === 403 && where.name !== undefined) return undefined;
    const what = error.status === 403 ? 'may not be listed' : 'cannot be listed';
    throw new UserError(
      `the ${kind.plural} of ${connection.from} ${what}: ${error.message}`,
      'name the one to watch: rollout-constructs watch <namespace>/<name>',
    );
  }
}
