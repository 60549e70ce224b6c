import { describe, expect, test } from 'vitest';
import { namesOf, run } from './program';

const CRD = 'kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition';
const WEBHOOK = 'kubernetes:admissionregistration.k8s.io/v1:MutatingWebhookConfiguration';
const ENVIRONMENT = 'kubernetes:env.alibaba.com/v1alpha2:VirtualEnvironment';

describe('KtEnvInstall', () => {
  test('keeps the CRD, and ignores what cert-manager writes', async () => {
    const { of } = await run(({ library, recorded }) => {
      new library.KtEnvInstall('ktenv', {}, recorded);
    });
    expect(of(CRD).options.retainOnDelete).toBe(true);
    expect(of(WEBHOOK).options.ignoreChanges).toEqual(['webhooks[0].clientConfig.caBundle']);
    // Nobody answers the webhook before the Deployment does.
    expect(await namesOf(of(WEBHOOK).options.dependsOn)).toContain('ktenv-deployment');
  });

  test('deletes the CRD on request, and writes the CA bundle of the user', async () => {
    const { of } = await run(({ library, recorded, pulumi }) => {
      const certificate = { from: 'secret', secretName: 'tls', caBundle: pulumi.output('PEM') } as const;
      new library.KtEnvInstall('ktenv', { retainCrd: false, certificate }, recorded);
    });
    expect(of(CRD).options.retainOnDelete).toBeUndefined();
    expect(of(WEBHOOK).options.ignoreChanges).toBeUndefined();
  });

  test('reports all problems together', async () => {
    const { result } = await run(({ library }) => {
      try {
        new library.KtEnvInstall('ktenv', { envLabels: ['no label!'], replicas: -1 });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(result).toMatch(/^KtEnvInstall "ktenv" cannot be made:\n- envLabels holds "no label!".*\n- replicas is -1/);
  });
});

describe('KtVirtualEnvironment', () => {
  test('is made after the install, with the operator of its namespace', async () => {
    const { of, resources } = await run(({ library, recorded, pulumi }) => {
      const install = new library.KtEnvInstall('ktenv', {}, recorded);
      new library.KtVirtualEnvironment('shop', { install, namespace: pulumi.output('shop') }, recorded);
    });
    expect(of(ENVIRONMENT).inputs.metadata).toEqual({ name: 'shop', namespace: 'shop' });
    expect(await namesOf(of(ENVIRONMENT).options.dependsOn)).toEqual(['ktenv']);
    const operator = resources.filter(({ name, type }) => name.startsWith('shop-') && type.startsWith('kubernetes:'));
    expect(operator.map(({ inputs }) => inputs.metadata.namespace)).toEqual(operator.map(() => 'shop'));
    expect(operator.map(({ name }) => name)).toContain('shop-deployment');
  });

  test('is checked with the stack: the operator deletes one of two in a namespace', async () => {
    const program = (namespace: string) =>
      run(({ library }) => {
        new library.KtVirtualEnvironment('one', { namespace: 'shop' });
        new library.KtVirtualEnvironment('two', { namespace, operator: namespace !== 'shop' });
      });
    const wrong = await program('shop');
    expect(wrong.findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual([
      'ktenv-virtual-environment-second',
    ]);
    const right = await program('other');
    expect(right.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
