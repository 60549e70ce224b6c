import { describe, expect, it } from 'vitest';
import { declaredOf } from '../../src/doctor';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { clusterOf, examined, item, problems } from './examined';
import { CONFIGURATION, ENVIRONMENT, ktenvCluster, NAMESPACE, OPERATOR, pod, WEBHOOK } from './ktenv-cluster';

const without = (...parts: readonly string[]) => parts.reduce((text, part) => text.replace(part, ''), ktenvCluster());
const OTHER = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x, namespace: demo}\n';

describe('document 004, question by question', () => {
  it('finds nothing wrong with a namespace in order', () => {
    const result = examined(ktenvCluster());
    expect(problems(result)).toEqual([]);
    expect(item(result, 'ktenv-written').answer).toContain('2 VirtualServices and 2 DestinationRules');
    expect(item(result, 'ktenv-pods').looked).toEqual(['3 pods of demo with the label virtual-env']);
    expect(result.checkup.sections.map(({ title }) => title)).toEqual([
      'KtEnv',
      'Namespace demo (VirtualEnvironment demo/demo)',
    ]);
  });

  it('takes what the operator wrote for nobody’s declaration', () => {
    const { world, written } = declaredOf(clusterOf(ktenvCluster()).world, KruiseRolloutVersion.LATEST);
    expect(world.list('VirtualService.networking.istio.io')).toEqual([]);
    expect(written.map(({ live }) => live.kind).sort()).toEqual([
      'DestinationRule',
      'DestinationRule',
      'VirtualService',
      'VirtualService',
    ]);
  });

  it.each([
    ['ktenv-webhook', without(WEBHOOK), 'the webhook has no Deployment'],
    ['ktenv-webhook', ktenvCluster().replace('availableReplicas: 1', 'readyReplicas: 0'), 'no pod that is available'],
    ['ktenv-webhook-asked', ktenvCluster().replace(/caBundle: .*/, "caBundle: ''"), 'no caBundle'],
    [
      'ktenv-webhook-asked',
      ktenvCluster().replace(/caBundle: .*/, 'caBundle: Y2VydGlmaWNhdGU='),
      'holds no certificate',
    ],
    [
      'ktenv-labels',
      ktenvCluster().replace(NAMESPACE, NAMESPACE.replace('istio-injection: enabled, ', '')),
      'istio-injection=enabled',
    ],
    [
      'ktenv-labels',
      ktenvCluster()
        .replace('environment-tag-injection: enabled}}\n', 'x: y}}\n')
        .replace(/environment-tag-injection: enabled\}\}$/m, 'x: y}}')
        .replace('{name: ali-env-mark}', '{name: ali-env-mark, autoInject: true}'),
      'environment-tag-injection=enabled',
    ],
    ['ktenv-operator', ktenvCluster().replace(OPERATOR, OTHER), 'nothing writes routes'],
    ['ktenv-environment', `${ktenvCluster()}---\n${ENVIRONMENT('second')}`, 'deletes all but one'],
    [
      'ktenv-services',
      ktenvCluster().replaceAll('ports: [{name: http,', 'ports: [{name: web,'),
      'no port named "http…"',
    ],
    ['ktenv-pods', `${ktenvCluster()}---\n${pod('app-x', 'dev', 'other')}`, 'has the tag "other" and the label "dev"'],
    ['ktenv-pods', `${ktenvCluster()}---\n${pod('app-x', 'dev').replace('istio-proxy', 'other')}`, 'has no sidecar'],
    [
      'ktenv-pods',
      `${ktenvCluster()}---\n${pod('app-x', 'dev').replace(/env: \[\{name: VIRTUAL.*/, 'env: []')}`,
      'has no VIRTUAL_ENVIRONMENT_TAG',
    ],
  ])('%s: %#', (id, objects, answer) => {
    const found = item(examined(objects), id);
    expect(found.answer).toContain(answer);
    expect(found.status).toBe('problem');
  });

  it('says that the authority of the webhook has ended', () => {
    const asked = (now: string) => item(examined(ktenvCluster(), now), 'ktenv-webhook-asked');
    expect(asked('2119-01-01T00:00:00Z').status).toBe('ok');
    expect(asked('2121-01-01T00:00:00Z').answer).toContain('ended on Mon, 01 Jan 2120 00:00:00 GMT');
  });

  it('says that nothing asks the webhook', () => {
    const other = CONFIGURATION.replace('virtual-environment-webhook', 'other').replace(
      'environment-tag-injection',
      'x',
    );
    const found = item(examined(ktenvCluster().replace(CONFIGURATION, other)), 'ktenv-webhook-asked');
    expect(found).toMatchObject({ status: 'problem', answer: 'no configuration makes the API server ask the webhook' });
  });

  it('shows the route that is not the operator’s', () => {
    const objects = ktenvCluster().replace(
      '{ali-env-mark: {exact: dev.proj1.feature1}}, port: 8080}], route: [{destination: {host: app-js, subset: dev-proj1,',
      '{ali-env-mark: {exact: dev.proj1.feature1}}, port: 8080}], route: [{destination: {host: app-js, subset: dev,',
    );
    const found = item(examined(objects), 'ktenv-written');
    expect(found.status).toBe('problem');
    expect(found.answer).toContain('VirtualService demo/app-js');
    expect(found.details?.join('\n')).toMatch(/- .*"dev-proj1"/);
  });

  it('shows what is missing, and what is there without reason', () => {
    const [gone, kept] = [
      'name: app-js, namespace: demo, ownerReferences',
      'name: old, namespace: demo, ownerReferences',
    ];
    const found = item(examined(ktenvCluster().replace(gone, kept)), 'ktenv-written');
    expect(found.details).toContain('VirtualService demo/app-js should be there');
    expect(found.details).toContain('VirtualService demo/old should not be there');
  });

  it('needs no label for tags without autoInject', () => {
    const untagged = ktenvCluster().replaceAll('environment-tag-injection: enabled', 'x: y');
    expect(item(examined(untagged), 'ktenv-labels').status).toBe('ok');
  });

  it('expects the EnvoyFilter of autoInject', () => {
    const objects = ktenvCluster().replace('{name: ali-env-mark}', '{name: ali-env-mark, autoInject: true}');
    // A dump without any EnvoyFilter may just not hold them.
    expect(item(examined(objects), 'ktenv-written')).toMatchObject({ status: 'unknown' });
    const other =
      'apiVersion: networking.istio.io/v1alpha3\nkind: EnvoyFilter\nmetadata: {name: x, namespace: demo}\nspec: {}\n';
    const found = item(examined(`${objects}---\n${other}`), 'ktenv-written');
    expect(found.details).toContain('EnvoyFilter demo/demo should be there');
  });
});
