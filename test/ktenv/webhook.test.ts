/** The webhook with one part missing or wrong at a time, and the key pair that everybody has. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { collectFindings, type Finding, Manifest, World } from '../../src/core';
import { type KtEnvInstallOptions, ktenvInstall, ktenvOperator } from '../../src/ktenv/install';
import { holdsPrivateKey, publicKeyDigests } from '../../src/ktenv/install/certificate';
import { checkKtEnv, type KtEnvCheckOptions } from '../../src/ktenv/rules';
import { LOOKALIKE_CERTIFICATE } from '../../src/ktenv/rules/lookalike';

// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds
type Any = any;

const CERT_MANAGER: KtEnvInstallOptions = { certificate: { from: 'cert-manager' } };

/** A certificate for webhook-server.mesh.svc that signs itself; its key is nowhere. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBnjCCAUWgAwIBAgIUfoaphn9+GIEcHVEnqPLjWNq/NjAwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHd2ViaG9vazAgFw0yNjExMjIwMDA5MjhaGA8yMTI2MTAyOTAw
MDkyOFowEjEQMA4GA1UEAwwHd2ViaG9vazBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABKiTs7Hb1obKx2FnBdIszxs8boqTuDK9cSX7IOwJ+Gf0DYwJ4yq2MKkrBUjd
GuCpRlbnh1XOoXKu5DRQWHATWFOjdzB1MB0GA1UdDgQWBBQXuyCHgINjZTF95Fj4
52p8EoZPczAfBgNVHSMEGDAWgBQXuyCHgINjZTF95Fj452p8EoZPczAPBgNVHRMB
Af8EBTADAQH/MCIGA1UdEQQbMBmCF3dlYmhvb2stc2VydmVyLm1lc2guc3ZjMAoG
CCqGSM49BAMCA0cAMEQCIFTXP2+mFiCJQtK+waZA0fqSPfCxJ4Cygtno2SnWGHoS
AiB5VhZKKJJj6dOn7cg+lmmZNmG3Ms3O3lMn3VX9DZk5Sg==
-----END CERTIFICATE-----
`;

function findingsIn(objects: readonly Any[], options: KtEnvCheckOptions = {}): Finding[] {
  const world = World.of(objects.map((object) => Manifest.of(object)));
  return collectFindings(checkKtEnv(world, { istioVersion: '1.18', ...options }));
}

const short = (findings: readonly Finding[]) =>
  findings.map(({ rule, severity, message }) => [rule, severity, message]);

/** The install with some of its objects changed, or left out. */
function install(change: (object: Any) => Any, options = CERT_MANAGER): Any[] {
  return ktenvInstall(options).flatMap((object) => change(structuredClone(object)) ?? []);
}

const without = (kind: string) => install((object) => (object.kind === kind ? undefined : object));
const changed = (kind: string, change: (object: Any) => void, options = CERT_MANAGER) =>
  install((object) => {
    if (object.kind === kind) change(object);
    return object;
  }, options);

describe('an install of the webhook', () => {
  it('is complete', () => {
    expect(findingsIn(ktenvInstall(CERT_MANAGER))).toEqual([]);
    expect(findingsIn(ktenvInstall({ ...CERT_MANAGER, namespace: 'mesh' }))).toEqual([]);
    const certificate = { from: 'secret', secretName: 'own', caBundle: CERTIFICATE } as const;
    expect(findingsIn(ktenvInstall({ certificate }))).toEqual([]);
  });

  it.each([
    [
      'CustomResourceDefinition',
      'the CustomResourceDefinition "virtualenvironments.env.alibaba.com" of the webhook is missing',
    ],
    ['Service', 'there is no Service "webhook-server" in the namespace "kt-virtual-environment"'],
    [
      'Deployment',
      'the Service "webhook-server" of the webhook selects the pods of no Deployment in "kt-virtual-environment"',
    ],
    ['MutatingWebhookConfiguration', 'no MutatingWebhookConfiguration makes the API server call the webhook'],
  ])('misses its %s', (kind, message) => {
    expect(short(findingsIn(without(kind)))).toEqual([['ktenv-webhook-incomplete', 'warning', message]]);
  });

  it('misses its Certificate on both sides: for the pods and for the API server', () => {
    expect(findingsIn(without('Certificate')).map(({ message }) => message)).toEqual([
      'there is no Certificate "webhook-server" in the namespace "kt-virtual-environment" for the authority',
      'nothing creates the Secret "webhook-server-tls" with the certificate of the webhook',
    ]);
  });

  it.each([
    ['CustomResourceDefinition', 'virtualenvironments.env.alibaba.com'],
    ['Service', 'webhook-server'],
    ['Deployment', 'webhook-server'],
    ['MutatingWebhookConfiguration', 'virtual-environment-webhook'],
  ])('does not report its %s as missing if it is external', (kind, name) => {
    expect(findingsIn(without(kind), { external: [{ kind, name }] })).toEqual([]);
  });

  it('finds a broken path to the webhook', () => {
    const port = changed('Service', ({ spec }) => {
      spec.ports[0].port = 8443;
    });
    const target = changed('Service', ({ spec }) => {
      spec.ports[0].targetPort = 'https';
    });
    const selector = changed('Service', ({ spec }) => {
      spec.selector = { app: 'webhook' };
    });
    expect([port, target, selector].flatMap((objects) => findingsIn(objects)).map(({ message }) => message)).toEqual([
      'the Service "webhook-server" has no port 443, which the API server calls',
      'no container of Deployment "webhook-server" has a port named "https"',
      'the Service "webhook-server" of the webhook selects the pods of no Deployment in "kt-virtual-environment"',
    ]);
  });

  it('needs an authority', () => {
    const bundle = (caBundle: string | undefined) =>
      findingsIn(
        changed('MutatingWebhookConfiguration', ({ metadata, webhooks }) => {
          delete metadata.annotations;
          webhooks[0].clientConfig.caBundle = caBundle;
        }),
      );
    for (const none of [undefined, '', 'Cg==']) {
      expect(bundle(none).map(({ rule, severity }) => [rule, severity])).toEqual([
        ['ktenv-webhook-untrusted', 'error'],
      ]);
    }
  });

  it('accepts that OpenShift writes the authority', () => {
    const written = changed('MutatingWebhookConfiguration', ({ metadata }) => {
      metadata.annotations = { 'service.beta.openshift.io/inject-cabundle': 'true' };
    });
    expect(findingsIn(written)).toEqual([]);
  });

  it('needs a certificate for the name of its Service', () => {
    const elsewhere = changed('Certificate', ({ spec }) => {
      spec.dnsNames = ['webhook-server.kt-virtual-environment'];
    });
    expect(short(findingsIn(elsewhere))).toEqual([
      [
        'ktenv-webhook-host',
        'error',
        'the Certificate "webhook-server" is for webhook-server.kt-virtual-environment, but the API server calls webhook-server.kt-virtual-environment.svc',
      ],
    ]);
    const secret = (namespace: string) => {
      const certificate = { from: 'secret', secretName: 'own', caBundle: CERTIFICATE } as const;
      const data = { 'tls.crt': Buffer.from(CERTIFICATE).toString('base64') };
      return [
        ...ktenvInstall({ certificate, namespace }),
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'own', namespace }, data },
      ];
    };
    expect(findingsIn(secret('mesh'))).toEqual([]);
    expect(findingsIn(secret('other')).map(({ rule, path }) => [rule, path])).toEqual([
      ['ktenv-webhook-host', 'data["tls.crt"]'],
    ]);
  });

  it('must run after the injector of Istio, unless it is reinvoked', () => {
    const first = changed('MutatingWebhookConfiguration', ({ metadata }) => {
      metadata.name = 'a-webhook';
    });
    expect(findingsIn(first).map(({ rule }) => rule)).toEqual(['ktenv-webhook-order']);
    first.find(({ kind }) => kind === 'MutatingWebhookConfiguration').webhooks[0].reinvocationPolicy = 'IfNeeded';
    expect(findingsIn(first)).toEqual([]);
  });

  it('is not identified by the name of a Deployment alone', () => {
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'webhook-server' }, spec: {} };
    expect(findingsIn([deployment])).toEqual([]);
  });
});

describe('the labels of the webhook', () => {
  const environment = (name?: string) => ({
    apiVersion: 'env.alibaba.com/v1alpha2',
    kind: 'VirtualEnvironment',
    metadata: { name: 'shop', namespace: 'shop' },
    spec: { envLabel: { ...(name === undefined ? {} : { name }) } },
  });
  const namespace = (labels: object) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', labels: { 'istio-injection': 'enabled', ...labels } },
  });
  const TAGGED = { 'environment-tag-injection': 'enabled' };

  it('matter if the namespace has the tag label, even without autoInject', () => {
    const objects = (labels: object) => [...ktenvInstall(CERT_MANAGER), namespace(labels), environment('stage')];
    expect(findingsIn(objects(TAGGED)).map(({ message }) => message)).toEqual([
      'envLabel of the webhook is "virtual-env", without "stage" of the VirtualEnvironment "shop"',
    ]);
    expect(findingsIn(objects({}))).toEqual([]);
  });

  it('matter if the list is missing', () => {
    const objects = changed('Deployment', ({ spec }) => {
      spec.template.spec.containers[0].env = [];
    });
    expect(findingsIn([...objects, namespace(TAGGED), environment()]).map(({ rule }) => rule)).toEqual([
      'ktenv-webhook-labels',
    ]);
  });

  it('show that a VirtualEnvironment is missing', () => {
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { template: { metadata: { labels: { stage: 'dev' } } } },
    };
    const objects = [...ktenvInstall({ ...CERT_MANAGER, envLabels: ['stage'] }), deployment];
    expect(findingsIn(objects)).toEqual([]);
    expect(findingsIn([...objects, ...ktenvOperator({ namespace: 'shop' })]).map(({ rule }) => rule)).toEqual([
      'ktenv-virtual-environment-missing',
    ]);
  });
});

describe('the published key pair', () => {
  const plain = Buffer.from(LOOKALIKE_CERTIFICATE, 'base64').toString();

  it.each([
    ['a Secret', { kind: 'Secret', stringData: { 'any.pem': plain } }, 'stringData["any.pem"]'],
    ['a ConfigMap', { kind: 'ConfigMap', data: { 'ca.pem': plain } }, 'data["ca.pem"]'],
    [
      'another webhook',
      { kind: 'ValidatingWebhookConfiguration', webhooks: [{ clientConfig: { caBundle: LOOKALIKE_CERTIFICATE } }] },
      'webhooks[0].clientConfig.caBundle',
    ],
    [
      'a CRD',
      {
        kind: 'CustomResourceDefinition',
        spec: { conversion: { webhook: { clientConfig: { caBundle: LOOKALIKE_CERTIFICATE } } } },
      },
      'spec.conversion.webhook.clientConfig.caBundle',
    ],
    [
      'a values file of Helm',
      { kind: 'HelmRelease', spec: { values: { tls: [{ cert: plain }] } } },
      'spec.values.tls[0].cert',
    ],
  ])('is found in %s', (_, object, path) => {
    const findings = findingsIn([{ apiVersion: 'v1', metadata: { name: 'any' }, ...object }]);
    expect(findings.map((finding) => [finding.rule, finding.severity, finding.path])).toEqual([
      ['ktenv-public-certificate', 'warning', path],
    ]);
  });

  it('is not found in a certificate of the user’s own', () => {
    const data = {
      'tls.crt': CERTIFICATE,
      text: 'x'.repeat(500),
      almost: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    };
    expect(findingsIn([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'any' }, data }])).toEqual([]);
  });

  it.each(['rsa', 'ec'] as const)('is identified by the private key (%s)', (kind) => {
    const { privateKey } =
      kind === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 1024 })
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const forms = [
      privateKey.export({ type: 'pkcs8', format: 'pem' }),
      privateKey.export({ type: kind === 'rsa' ? 'pkcs1' : 'sec1', format: 'pem' } as never),
    ].map(String);
    const [digest] = publicKeyDigests(forms[0]!);
    for (const form of forms) {
      expect(publicKeyDigests(`before\n${form}after`)).toEqual([digest]);
      expect(holdsPrivateKey(form, new Set([digest!]))).toBe(true);
      expect(holdsPrivateKey(form)).toBe(false);
    }
    expect(publicKeyDigests('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----')).toEqual([]);
  });
});
