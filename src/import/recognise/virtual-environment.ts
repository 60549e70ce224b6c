/** VirtualEnvironments of KtEnv, with the Namespace and the operator that belong to them. */
import { asObject, isJsonObject, sameJson, textOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { API_GROUP, ENVIRONMENTS_ANNOTATION } from '../../ktenv/api/names';
import { ktenvOperator, OPERATOR, TAG_INJECTION_LABEL } from '../../ktenv/install';
import { type Code, maybe, object, value } from '../code';
import { type Context, type Recognised, statementFor } from './context';

/** A VirtualEnvironment. It brings the operator and the Namespace if the input has exactly those. */
export function recogniseVirtualEnvironment(manifest: Manifest, { world }: Context): Recognised | undefined {
  if (manifest.groupKind !== `VirtualEnvironment.${API_GROUP}`) return undefined;
  const { name, namespace } = manifest;
  if (namespace === undefined) return { refusal: 'it names no namespace, which a KtVirtualEnvironment needs' };
  const { envHeader, envLabel } = asObject(manifest.object.spec);
  const environments = manifest.annotations[ENVIRONMENTS_ANNOTATION]?.split(',');
  const operator = operatorIn(namespace, world);
  const created = world.find('Namespace', namespace);
  const base = {
    namespace: value(namespace),
    name: value(name),
    envHeader: maybe(envHeader),
    envLabel: maybe(envLabel),
    environments: maybe(environments),
    ...(operator === undefined
      ? { operator: value(false) }
      : { operatorImage: operator.isDefaultImage ? undefined : maybe(operator.image) }),
  };
  const statement = (more: Readonly<Record<string, Code | undefined>>, others: readonly Manifest[]) => ({
    ...statementFor(manifest, 'KtVirtualEnvironment', object({ ...base, ...more })),
    writes: [manifest, ...others],
  });
  const own = operator?.objects ?? [];
  return [
    ...(created === undefined ? [] : [statement(namespaceProps(created, envHeader), [...own, created])]),
    statement({}, own),
  ];
}

function namespaceProps({ labels }: Manifest, envHeader: unknown): Readonly<Record<string, Code | undefined>> {
  const tags = labels[TAG_INJECTION_LABEL] !== undefined;
  const isDefault = tags === (isJsonObject(envHeader) && envHeader.autoInject === true);
  return {
    createNamespace: value(true),
    istioRevision: maybe(labels['istio.io/rev']),
    tagInjection: isDefault ? undefined : value(tags),
  };
}

/** The operator of a namespace, if the input has all of its objects as the construct writes them. */
function operatorIn(namespace: string, world: Context['world']) {
  const deployment = world.find('Deployment.apps', OPERATOR, namespace);
  const image = textOf(deployment?.get('spec.template.spec.containers[0].image'));
  if (image === undefined) return undefined;
  const written = ktenvOperator({ namespace, image });
  const objects = written.map((one) => {
    const { apiVersion, kind, metadata } = one as { apiVersion: string; kind: string; metadata: { name: string } };
    return world.get({ apiVersion, kind, namespace, name: metadata.name });
  });
  if (objects.some((one, index) => one === undefined || !sameJson(one.object, written[index]))) return undefined;
  const isDefaultImage = sameJson(written, ktenvOperator({ namespace }));
  return { objects: objects as Manifest[], image, isDefaultImage };
}
