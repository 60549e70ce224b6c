/** Checks certificates and keys that are public, or that readers of a manifest can see. */
import type { Finding } from '../../core/finding';
import { isJsonObject, type Json, ownValue } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { defineRules } from '../../core/rule';
import { decoded, holdsPrivateKey, isPublished } from '../install/certificate';
import { WEBHOOK_SECRET } from '../install/names';
import type { KtEnvChecker } from './context';
import { yaml } from './examples';
import { LOOKALIKE_CERTIFICATE } from './lookalike';
import { source } from './sources';

const CERTIFICATE_SECRET = `apiVersion: v1
kind: Secret
metadata: { name: webhook-server-tls, namespace: kt-virtual-environment }
type: kubernetes.io/tls
data:
  tls.crt: ${LOOKALIKE_CERTIFICATE}
`;

const CERT_MANAGER = `apiVersion: cert-manager.io/v1
kind: Certificate
metadata: { name: webhook-server, namespace: kt-virtual-environment }
spec:
  secretName: webhook-server-tls
  dnsNames: [webhook-server.kt-virtual-environment.svc]
  issuerRef: { name: webhook-server }
`;

/** Rules on certificates and keys. */
export const certificateRules = defineRules({
  'ktenv-public-certificate': {
    severity: 'warning',
    title: 'the webhook uses the certificate of upstream, whose private key is public',
    because:
      'upstream’s manifests contain a key pair of 2021 for the webhook; anyone with access to the network can impersonate ' +
      'the webhook with it, and change every new pod in namespaces with environments',
    fix: 'issue your own certificate, with cert-manager or by hand, and set caBundle to its authority',
    basis: 'read',
    sources: [source.install],
    failing: yaml(CERTIFICATE_SECRET),
    corrected: yaml(CERT_MANAGER),
  },
  'ktenv-private-key': {
    severity: 'warning',
    title: 'a manifest contains the private key of the webhook',
    because:
      'anyone who can read the manifest can impersonate the webhook, and change every new pod in namespaces with environments',
    fix: 'let cert-manager issue the certificate, or create the Secret outside of the repository',
    basis: 'read',
    sources: [source.install],
    failing: yaml(
      `apiVersion: v1
kind: Secret
metadata: { name: webhook-server-tls, namespace: kt-virtual-environment }
type: kubernetes.io/tls
stringData: { tls.crt: "from your authority", tls.key: "from your authority" }
`,
    ),
    corrected: yaml(CERT_MANAGER),
  },
});

/** Checks every manifest for upstream's certificates and keys, and Secrets for private keys. */
export const checkCertificates: KtEnvChecker = ({ world }) => [
  ...world.manifests.flatMap(published),
  ...world.list('Secret').flatMap(privateKeys),
];

type Place = readonly (string | number)[];

/** The strings of an object that are long enough for a key, with their paths. */
function* longTexts(value: Json, place: Place = []): Generator<readonly [place: Place, text: string]> {
  if (typeof value === 'string') {
    if (isLong(value)) yield [place, value];
  } else if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) yield* longTexts(one, [...place, index]);
  } else if (isJsonObject(value)) {
    for (const [key, one] of Object.entries(value)) yield* longTexts(one, [...place, key]);
  }
}

/** Whether there is such a string: most objects have none, and need no paths. */
function holdsLongText(value: Json): boolean {
  if (typeof value === 'string') return isLong(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLongText);
}

function isLong(text: string): boolean {
  return text.length > 150;
}

/** Secrets, ConfigMaps, webhooks and CRDs contain certificates and keys, as text or in base64. */
function published(manifest: Manifest): Finding[] {
  if (!holdsLongText(manifest.object)) return [];
  return [...longTexts(manifest.object)].flatMap(([path, text]) => {
    const plain = text.includes('-----BEGIN ')
      ? text
      : text.trimStart().startsWith('LS0tLS1CRUdJTi')
        ? decoded(text)
        : '';
    const what = isPublished(plain) ? 'certificate' : holdsPrivateKey(plain) ? 'private key' : undefined;
    if (what === undefined) return [];
    return manifest.finding(certificateRules['ktenv-public-certificate'], {
      message: `${manifest.kind} "${manifest.name}" contains the ${what} that upstream publishes`,
      path,
    });
  });
}

function privateKeys(secret: Manifest): Finding[] {
  if (secret.name !== WEBHOOK_SECRET) return [];
  const part = ['data', 'stringData'].find((one) => ownValue(secret.get(one), 'tls.key') !== undefined);
  if (part === undefined) return [];
  return [
    secret.finding(certificateRules['ktenv-private-key'], {
      message: `the Secret "${secret.name}" contains tls.key`,
      path: [part, 'tls.key'],
    }),
  ];
}
