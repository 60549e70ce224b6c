/** The part of KtEnv that a cluster has once. */
import { fromBase64, textOfUtf8 } from '../../../core/bytes';
import { asList, asObject, compact, textOf } from '../../../core/json';
import type { Manifest } from '../../../core/manifest';
import type { World } from '../../../core/world';
import { API_GROUP, DEFAULT_LABEL } from '../../../ktenv/api/names';
import { type KtEnvCertificate, ktenvInstall, WEBHOOK_CONFIGURATION, WEBHOOK_DEPLOYMENT } from '../../../ktenv/install';
import { type Code, call, value } from '../../code';
import { type Context, type Recognised, statementFor, type Target } from '../context';
import { bestReading, inputOf, noNamespace, propsOf, type ReadOptions, type Write } from './options';

/** The Deployment of the webhook, with everything that belongs to it. */
export function recogniseKtEnvInstall(manifest: Manifest, { world, target }: Context): Recognised | undefined {
  if (manifest.groupKind !== 'Deployment.apps' || manifest.name !== WEBHOOK_DEPLOYMENT) return undefined;
  const { namespace } = manifest;
  if (namespace === undefined) return { refusal: noNamespace('a KtEnvInstall') };
  const container = asObject(asList(manifest.get('spec.template.spec.containers'))[0]);
  const variables = asList(container.env).map(asObject);
  const variable = (name: string) => textOf(variables.find((one) => one.name === name)?.value);
  const envLabels = variable('envLabel')?.split(',') ?? [];
  const unserved = labelsInUse(world).find((label) => !envLabels.includes(label));
  if (unserved !== undefined) {
    return {
      refusal: `the construct adds the label ${unserved} of a VirtualEnvironment, which this webhook does not serve`,
    };
  }
  const [webhook] = asList(configurationOf(world)?.get('webhooks')).map(asObject);
  const write: Write = (options) => ktenvInstall(options);
  const reading = (certificate: KtEnvCertificate): ReadOptions => ({
    certificate,
    namespace,
    createNamespace: world.find('Namespace', namespace) !== undefined,
    crd: world.find(CRD, `virtualenvironments.${API_GROUP}`) !== undefined,
    envLabels,
    image: container.image,
    replicas: manifest.get('spec.replicas'),
    failurePolicy: webhook?.failurePolicy,
    logLevel: variable('logLevel'),
  });
  const { certificate, ...rest } = bestReading([reading(certificateOf(manifest, world))], write, world);
  const written = write({ ...rest, certificate });
  const props = (of: Target) => propsOf(rest, { certificate: certificateCode(certificate as KtEnvCertificate, of) });
  return [
    {
      ...statementFor(manifest, 'KtEnvInstall', props(target)),
      proof: props('cdk8s'),
      writes: [manifest, ...inputOf(written, world).filter((one) => one !== manifest)],
    },
  ];
}

const CRD = 'CustomResourceDefinition.apiextensions.k8s.io';

function configurationOf(world: World): Manifest | undefined {
  return world.find('MutatingWebhookConfiguration.admissionregistration.k8s.io', WEBHOOK_CONFIGURATION);
}

/** The labels of the environments of the input. */
function labelsInUse(world: World): string[] {
  return world
    .list(`VirtualEnvironment.${API_GROUP}`)
    .map((environment) => textOf(environment.get('spec.envLabel.name')) ?? DEFAULT_LABEL);
}

/** Issued by cert-manager where the input has a Certificate, and from a Secret otherwise. */
function certificateOf(deployment: Manifest, world: World): KtEnvCertificate {
  const { namespace = '' } = deployment;
  const issued = world.find('Certificate.cert-manager.io', WEBHOOK_DEPLOYMENT, namespace);
  if (issued !== undefined) {
    const isOwn = world.find('Issuer.cert-manager.io', WEBHOOK_DEPLOYMENT, namespace) !== undefined;
    const { name, kind } = asObject(issued.get('spec.issuerRef'));
    const issuer = { name: textOf(name) ?? '', ...(kind === 'ClusterIssuer' && { kind: 'ClusterIssuer' as const }) };
    return compact({ from: 'cert-manager' as const, issuer: isOwn ? undefined : issuer });
  }
  const [webhook] = asList(configurationOf(world)?.get('webhooks')).map(asObject);
  const bundle = textOf(asObject(webhook?.clientConfig).caBundle) ?? '';
  const [volume] = asList(deployment.get('spec.template.spec.volumes')).map(asObject);
  const secretName = textOf(asObject(volume?.secret).secretName) ?? '';
  return { from: 'secret', secretName, caBundle: textOfUtf8(fromBase64(bundle)) };
}

/** cdk8s has a class for the certificate, and the component of Pulumi takes the options themselves. */
function certificateCode(certificate: KtEnvCertificate | undefined, target: Target): Code | undefined {
  if (certificate === undefined) return undefined;
  if (target === 'pulumi') return value({ ...certificate } as never);
  if (certificate.from === 'secret') {
    const { secretName, caBundle } = certificate;
    return call('KtEnvWebhookCertificate.fromSecret', value(secretName), value(caBundle));
  }
  const { issuer } = certificate;
  return call('KtEnvWebhookCertificate.fromCertManager', ...(issuer === undefined ? [] : [value({ ...issuer })]));
}
