/** Permissions of the controller of Kruise Rollouts for more kinds of traffic routing. */
import { asList, asObject, compact, type JsonObject, sameJson, textOf, textsOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../../kruise/api/names';
import { GatewayKind } from '../../kruise/gateway-kinds';
import { gatewayVerbs } from '../../kruise/gateway-rbac';
import { CONTROLLER_NAME } from '../../kruise/install/names';
import { KruiseRolloutVersion } from '../../kruise/version';
import { type Code, call, list, object, reference, value } from '../code';
import { keyOfManifest } from '../statement';
import { type Context, type Recognised, statementFor } from './context';

const RBAC = 'rbac.authorization.k8s.io';

/** A ClusterRole for kinds of this library, and its binding to the controller. */
export function recogniseGatewayRoleBinding(
  manifest: Manifest,
  { world, statements }: Context,
): Recognised | undefined {
  if (manifest.groupKind !== `ClusterRole.${RBAC}`) return undefined;
  const binding = world
    .list(`ClusterRoleBinding.${RBAC}`)
    .find((one) => one.get('roleRef.kind') === 'ClusterRole' && one.get('roleRef.name') === manifest.name);
  const [subject] = asList(binding?.get('subjects')).map(asObject);
  const rules = asList(manifest.get('rules')).map(asObject);
  const kinds = rules.flatMap(kindsOf);
  const isAll = kinds.length > 0 && rules.every((rule) => kindsOf(rule).length === asList(rule.resources).length);
  if (binding === undefined || subject?.name !== CONTROLLER_NAME || !isAll) return undefined;
  const namespace = textOf(subject.namespace) ?? DEFAULT_CONTROLLER_NAMESPACE;
  const install = world.find('Deployment.apps', CONTROLLER_NAME, namespace);
  const key = install && keyOfManifest(install);
  const isMade = key !== undefined && statements.get(key)?.class === 'KruiseRolloutInstall';
  const statement = (given: Code | undefined) => ({
    ...statementFor(
      manifest,
      'GatewayRoleBinding',
      object({ install: given, kinds: list(kinds.map(kindCode)), name: value(manifest.name) }),
    ),
    writes: [manifest, binding],
  });
  return [...(isMade ? [statement(reference(key))] : []), statement(existing(rules, namespace))];
}

/** The kinds of a rule; none if it has other verbs, or a kind that this library does not know. */
function kindsOf({ apiGroups, resources, verbs }: JsonObject): GatewayKind[] {
  const [group, ...others] = textsOf(apiGroups);
  const isGateway = RELEASES.some((version) => sameJson(verbs, [...gatewayVerbs(version)]));
  if (others.length > 0 || !isGateway) return [];
  return textsOf(resources).flatMap(
    (plural) => GatewayKind.ALL.find((kind) => kind.group === group && kind.plural === plural) ?? [],
  );
}

/** Releases whose controllers need different verbs. */
const RELEASES = [KruiseRolloutVersion.LATEST, KruiseRolloutVersion.NEXT];

function kindCode({ kind, plural, group }: GatewayKind): Code {
  return call('GatewayKind.of', value({ kind, plural, group }));
}

/** An install that has none of the kinds, since the role in the input grants all of them. */
function existing(rules: readonly JsonObject[], namespace: string): Code {
  const version = RELEASES.find((one) => rules.every(({ verbs }) => sameJson(verbs, [...gatewayVerbs(one)])));
  const options = compact({
    namespace: namespace === DEFAULT_CONTROLLER_NAMESPACE ? undefined : value(namespace),
    version:
      version === undefined || version === KruiseRolloutVersion.LATEST
        ? undefined
        : call('KruiseRolloutVersion.of', value(version.version)),
    grantedKinds: value([]),
  });
  return call('KruiseRolloutInstall.fromExisting', object(options));
}
