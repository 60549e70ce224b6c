import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Manifest, World } from '../../src/core';
import {
  type KtEnvInstallOptions,
  ktenvInstall,
  ktenvInstallProblems,
  ktenvNamespaceLabels,
  ktenvOperator,
} from '../../src/ktenv/install';
import { checkKtEnv } from '../../src/ktenv/rules';
import { LOOKALIKE_CERTIFICATE } from '../../src/ktenv/rules/lookalike';

const UPSTREAM = join(__dirname, '..', '..', '..', 'shared', 'upstream', 'ktenv');

const CERT_MANAGER: KtEnvInstallOptions = { certificate: { from: 'cert-manager' } };

// biome-ignore lint/suspicious/noExplicitAny: read as it comes
type Any = any;

function find(objects: readonly Any[], kind: string): Any {
  return objects.find((one) => one.kind === kind);
}

function upstream(...names: readonly string[]): Any[] {
  return names.flatMap((name) =>
    parseAllDocuments(readFileSync(join(UPSTREAM, name), 'utf8')).map((one) => (one as Any).toJS()),
  );
}

describe('ktenvInstall', () => {
  it('writes the global part, with a certificate that cert-manager issues', () => {
    const objects: Any[] = ktenvInstall(CERT_MANAGER);
    expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      'Namespace/kt-virtual-environment',
      'CustomResourceDefinition/virtualenvironments.env.alibaba.com',
      'Issuer/webhook-server',
      'Certificate/webhook-server',
      'Service/webhook-server',
      'Deployment/webhook-server',
      'MutatingWebhookConfiguration/virtual-environment-webhook',
    ]);
    expect(find(objects, 'MutatingWebhookConfiguration').metadata.annotations).toEqual({
      'cert-manager.io/inject-ca-from': 'kt-virtual-environment/webhook-server',
    });
  });

  it('follows its namespace everywhere, the name in the certificate included', () => {
    const objects: Any[] = ktenvInstall({ ...CERT_MANAGER, namespace: 'mesh', createNamespace: false, crd: false });
    expect(JSON.stringify(objects)).not.toContain('kt-virtual-environment');
    expect(find(objects, 'Certificate').spec.dnsNames).toEqual(['webhook-server.mesh.svc']);
    expect(objects.map(({ kind }) => kind)).not.toContain('Namespace');
  });

  it('takes an existing issuer', () => {
    const issuer = { kind: 'ClusterIssuer', name: 'corp' } as const;
    const objects: Any[] = ktenvInstall({ certificate: { from: 'cert-manager', issuer } });
    expect(find(objects, 'Issuer')).toBeUndefined();
    expect(find(objects, 'Certificate').spec.issuerRef).toEqual({ group: 'cert-manager.io', ...issuer });
  });

  it('takes an existing Secret, and trusts its authority', () => {
    const caBundle = 'any text';
    const objects: Any[] = ktenvInstall({ certificate: { from: 'secret', secretName: 'own', caBundle } });
    const { spec } = find(objects, 'Deployment').spec.template;
    expect(spec.volumes[0].secret).toEqual({ secretName: 'own' });
    const { clientConfig } = find(objects, 'MutatingWebhookConfiguration').webhooks[0];
    expect(Buffer.from(clientConfig.caBundle, 'base64').toString()).toBe(caBundle);
  });

  it('hands all labels to the webhook', () => {
    const objects = ktenvInstall({ ...CERT_MANAGER, envLabels: ['env', 'stage'] });
    const [container] = find(objects, 'Deployment').spec.template.spec.containers;
    expect(container.env).toContainEqual({ name: 'envLabel', value: 'env,stage' });
  });

  it('writes no key, and has no findings', () => {
    const objects = [...ktenvInstall(CERT_MANAGER), ...ktenvOperator({ namespace: 'shop' })];
    expect(objects.some(({ kind }) => kind === 'Secret')).toBe(false);
    const environment = {
      apiVersion: 'env.alibaba.com/v1alpha2',
      kind: 'VirtualEnvironment',
      metadata: { name: 'shop', namespace: 'shop' },
      spec: { envHeader: { autoInject: true } },
    };
    const namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shop', labels: ktenvNamespaceLabels() },
    };
    const world = World.of([...objects, environment, namespace].map((object) => Manifest.of(object)));
    expect(checkKtEnv(world, { istioVersion: '1.18' })).toEqual([]);
  });

  it.runIf(existsSync(UPSTREAM))('sends the same pods to the same webhook as upstream', () => {
    const theirs = upstream('webhook.yaml');
    const ours = ktenvInstall(CERT_MANAGER);
    const { webhooks } = find(theirs, 'MutatingWebhookConfiguration');
    delete webhooks[0].clientConfig.caBundle;
    expect(find(ours, 'MutatingWebhookConfiguration').webhooks).toEqual(webhooks);
    expect(find(ours, 'Service')).toEqual(find(theirs, 'Service'));
    const [own, their] = [ours, theirs].map((objects) => find(objects, 'Deployment').spec);
    expect(own.selector).toEqual(their.selector);
    expect(own.template.spec.volumes).toEqual(their.template.spec.volumes);
    const { imagePullPolicy, ...container } = their.template.spec.containers[0];
    expect(own.template.spec.containers[0]).toMatchObject(container);
  });
});

describe('ktenvInstallProblems', () => {
  it('accepts the defaults', () => {
    expect(ktenvInstallProblems(CERT_MANAGER)).toEqual([]);
  });

  it('reports all problems together', () => {
    expect(ktenvInstallProblems({ ...CERT_MANAGER, envLabels: ['a b', 'virtual-env'], replicas: 1.5 })).toEqual([
      expect.stringContaining('envLabels holds "a b"'),
      'replicas is 1.5; give a whole number of pods',
    ]);
    expect(ktenvInstallProblems({ ...CERT_MANAGER, envLabels: [] })).toHaveLength(1);
  });

  it('rejects a bundle without certificate, and the published one of upstream', () => {
    const problems = (caBundle: string) =>
      ktenvInstallProblems({ certificate: { from: 'secret', secretName: 'own', caBundle } });
    expect(problems('own')).toEqual([expect.stringContaining('contains no certificate')]);
    expect(problems(Buffer.from(LOOKALIKE_CERTIFICATE, 'base64').toString())).toEqual([
      expect.stringContaining('upstream publishes'),
    ]);
  });
});

describe('ktenvOperator', () => {
  it('may read Services and workloads, but no Secrets, and has no wildcards', () => {
    const { rules } = find(ktenvOperator({ namespace: 'shop' }), 'Role');
    expect(JSON.stringify(rules)).not.toMatch(/secrets|"\*"/);
  });

  it('checks only its namespace', () => {
    const objects: Any[] = ktenvOperator({ namespace: 'shop', image: 'registry.example.com/operator:1' });
    expect(new Set(objects.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['shop']));
    expect(find(objects, 'Deployment').spec.template.spec.containers[0].image).toBe('registry.example.com/operator:1');
  });

  it.runIf(existsSync(UPSTREAM))('runs as upstream runs it', () => {
    const [theirs] = upstream('operator.yaml');
    const ours = find(ktenvOperator({ namespace: 'shop' }), 'Deployment');
    const { imagePullPolicy, ...container } = theirs.spec.template.spec.containers[0];
    expect(ours.spec.template.spec.containers[0]).toMatchObject(container);
    expect(ours.spec.selector).toEqual(theirs.spec.selector);
  });
});

describe('ktenvNamespaceLabels', () => {
  it('sets the labels for sidecars and tags', () => {
    expect(ktenvNamespaceLabels()).toEqual({ 'istio-injection': 'enabled', 'environment-tag-injection': 'enabled' });
    expect(ktenvNamespaceLabels({ istioRevision: '1-24', tagInjection: false })).toEqual({ 'istio.io/rev': '1-24' });
  });
});
