import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { declaredOf } from '../../src/doctor';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { clusterOf, examined, item, problems } from './examined';
import { configMap, kruiseCluster, ROLES } from './kruise-cluster';

const OTHER_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kube-root-ca.crt, namespace: kruise-rollout}\n';

describe('what people declared', () => {
  it('is found again under what the controller wrote', () => {
    const { world, written } = declaredOf(clusterOf(kruiseCluster()).world, KruiseRolloutVersion.LATEST);
    expect(written.map(({ live, action }) => `${action} ${live.kind} ${live.name}`).sort()).toEqual([
      'changed Deployment web',
      'changed Service web',
      'created Ingress web-canary',
      'created Service web-canary',
    ]);
    expect(world.find('Service', 'web', 'shop')?.get('spec.selector')).toEqual({ app: 'web' });
    expect(world.find('Deployment.apps', 'web', 'shop')?.get('spec.paused')).toBeUndefined();
    expect(world.list('Service', 'shop')).toHaveLength(1);
    expect(world.list('Pod')).toEqual([]);
    expect(world.find('Ingress.networking.k8s.io', 'web', 'shop')?.get('metadata.managedFields')).toBeUndefined();
  });

  it('keeps an object of that name which the Rollout does not own', () => {
    const objects = kruiseCluster().replaceAll(/ownerReferences: \[.*?\]/g, 'labels: {}');
    const { world } = declaredOf(clusterOf(objects).world, KruiseRolloutVersion.LATEST);
    expect(world.list('Service', 'shop').map(({ name }) => name)).toEqual(['web', 'web-canary']);
  });

  it('is the same with and without a release', () => {
    const during = declaredOf(clusterOf(kruiseCluster()).world, KruiseRolloutVersion.LATEST).world;
    const idle = declaredOf(clusterOf(kruiseCluster({ phase: 'Healthy' })).world, KruiseRolloutVersion.LATEST).world;
    for (const kind of ['Service', 'Ingress.networking.k8s.io']) {
      expect(during.list(kind).map(({ object }) => object)).toEqual(idle.list(kind).map(({ object }) => object));
    }
  });

  it('is rehearsed as ever: nothing of the release counts twice', () => {
    const { stack } = examined(kruiseCluster());
    expect(stack.rehearsals).toHaveLength(1);
    expect(stack.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('document 000, question by question', () => {
  it('finds nothing wrong with a release in order', () => {
    expect(problems(examined(kruiseCluster()))).toEqual([]);
    expect(problems(examined(kruiseCluster({ phase: 'Healthy' })))).toEqual([]);
  });

  it('says that the ConfigMap is missing, with the key, and that no restart is needed', () => {
    const result = examined(
      kruiseCluster({ configMap: OTHER_MAP, hasCanaryIngress: false, stepState: 'StepTrafficRouting' }),
    );
    expect(problems(result)).toEqual(['kruise-config-map', 'kruise-progress', 'kruise-script', 'kruise-expected']);
    expect(item(result, 'kruise-config-map').answer).toContain('lua.traffic.routing.ingress.aws-alb');
    expect(item(result, 'kruise-config-map').fix).toContain('no restart');
    expect(item(result, 'kruise-script').answer).toContain('aws-alb lua script is not found');
    expect(item(result, 'kruise-expected').fix).toContain('newNetworkProvider failed');
  });

  it('says that the ConfigMap is in the wrong namespace', () => {
    const result = examined(kruiseCluster({ configMap: configMap('shop') }));
    expect(item(result, 'kruise-config-map')).toMatchObject({ status: 'problem' });
    expect(item(result, 'kruise-config-map').answer).toContain(
      'there is ConfigMap shop/kruise-rollout-configuration, which the controller never reads',
    );
  });

  it('looks where the controller looks when the option says so', () => {
    const result = examined(kruiseCluster({ configMap: configMap('shop') }), undefined, {
      controllerNamespace: 'shop',
    });
    expect(item(result, 'kruise-config-map').status).toBe('ok');
  });

  it('runs the script of the document and tells what it does to requests', () => {
    const document = readFileSync(
      join(__dirname, '..', 'kruise/scripts/rejected/document-000/trafficrouting_ingress/aws-alb.lua'),
      'utf8',
    );
    const result = examined(kruiseCluster({ configMap: configMap('kruise-rollout', document) }));
    expect(item(result, 'kruise-script-runs').status).toBe('ok');
    expect(item(result, 'kruise-expected').status).toBe('problem');
  });

  it.each([
    ['return {', 'kruise-script-runs'],
    ['return nil', 'kruise-script-runs'],
    ['error("refused")', 'kruise-script-runs'],
  ])('says why a script fails: %s', (script, id) => {
    const result = examined(kruiseCluster({ configMap: configMap('kruise-rollout', script) }));
    expect(item(result, id).status).toBe('problem');
    expect(item(result, id).answer).toContain('at steps[0]');
    expect(item(result, id).fix).toContain('log of the controller');
  });

  it('shows what somebody changed in the canary Ingress', () => {
    const result = examined(kruiseCluster({ weight: 50 }));
    expect(problems(result)).toEqual(['kruise-expected', 'kruise-requests']);
    const { details = [] } = item(result, 'kruise-expected');
    const action = 'metadata.annotations["alb.ingress.kubernetes.io/actions.web-canary"].forwardConfig.targetGroups';
    expect(details).toEqual([
      '- should be, + is',
      'Ingress shop/web-canary',
      `  ${action}[0]`,
      '    - weight: 20',
      '    + weight: 50',
      `  ${action}[1]`,
      '    - weight: 80',
      '    + weight: 50',
    ]);
    expect(item(result, 'kruise-requests').answer).toContain('new version 50%, declared 20%');
  });

  it('shows a pinned Service and a canary Service that are left over', () => {
    const [during, idle] = [kruiseCluster(), kruiseCluster({ phase: 'Healthy' })].map((text) => text.split('---\n'));
    const rollout = idle!.find((one) => one.includes('kind: Rollout'))!;
    const mixed = during!.map((one) => (one.includes('kind: Rollout\n') ? rollout : one)).join('---\n');
    const expected = item(examined(mixed), 'kruise-expected');
    expect(expected.status).toBe('problem');
    expect(expected.details?.join('\n')).toContain('Service shop/web-canary should not be there');
    expect(expected.details?.join('\n')).toContain('pod-template-hash: "aaa1"');
  });

  it('waits for a step that has just begun, and not for ever', () => {
    const objects = kruiseCluster({ hasCanaryIngress: false, stepState: 'StepTrafficRouting' });
    expect(item(examined(objects, '2026-01-01T00:00:30Z'), 'kruise-expected').status).toBe('unknown');
    const late = item(examined(objects, '2026-01-01T01:00:00Z'), 'kruise-expected');
    expect(late.status).toBe('problem');
    expect(late.answer).toContain('since 2026-01-01T00:00:00Z');
    expect(late.details?.join('\n')).toContain('Ingress shop/web-canary should be there');
  });

  it('says that the controller is not there, or does not run', () => {
    const OTHER =
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x, namespace: shop}\nspec: {template: {spec: {containers: []}}}\n';
    expect(item(examined(kruiseCluster({ controller: OTHER })), 'kruise-controller').answer).toContain('no Deployment');
    const down = kruiseCluster().replace('status: {replicas: 2, availableReplicas: 2}', 'status: {replicas: 2}');
    expect(item(examined(down), 'kruise-controller').answer).toContain('none of its 2 pods is available');
  });

  it('says which right the controller lacks', () => {
    const roles = ROLES.replace('create, delete, get, list, patch, update, watch', 'get, list, watch');
    const result = item(examined(kruiseCluster({ roles })), 'kruise-permissions');
    expect(result.status).toBe('problem');
    expect(result.answer).toContain('may not create, delete, patch ingresses');
  });

  it('says what a Rollout names that does not exist', () => {
    const objects = kruiseCluster().replaceAll('ingress: {name: web,', 'ingress: {name: wbe,');
    const result = item(examined(objects), 'kruise-objects');
    expect(result).toMatchObject({ status: 'problem' });
    expect(result.answer).toContain('Ingress shop/wbe does not exist');
  });

  it('says that the load balancer takes no changes', () => {
    const broken = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: broken, namespace: shop, annotations: {alb.ingress.kubernetes.io/group.name: shop}}
spec:
  ingressClassName: alb
  rules: [{http: {paths: [{path: /x, pathType: Prefix, backend: {service: {name: web, port: {number: 81}}}}]}}]
`;
    const result = item(examined(`${kruiseCluster()}---\n${broken}`), 'kruise-requests');
    expect(result.status).toBe('problem');
    expect(result.answer).toContain('load balancer shop takes no changes');
  });

  it('counts pods that are ready only', () => {
    const objects = kruiseCluster().replace(/(name: web-canary-1,[\s\S]*?type: Ready, status: )'True'/, "$1'False'");
    const result = item(examined(objects), 'kruise-requests');
    expect(result.looked).toContain('3 ready pods in shop');
    expect(result).toMatchObject({ status: 'problem' });
    expect(result.answer).toContain('selects no pod');
  });

  it('takes the status for the pods where pods were not dumped', () => {
    const objects = kruiseCluster()
      .split('---\n')
      .filter((one) => !one.includes('kind: Pod'))
      .join('---\n');
    const result = item(examined(objects), 'kruise-requests');
    expect(result.status).toBe('ok');
    expect(result.looked.at(-1)).toContain('the status');
    expect(result.answer).toContain('20% of plain requests');
  });
});

describe('does the release go on?', () => {
  const pod = (waiting: string) => `---
apiVersion: v1
kind: Pod
metadata: {name: web-canary-2, namespace: shop, labels: {app: web, pod-template-hash: bbb2}}
status:
  conditions: [{type: Ready, status: 'False'}]
  containerStatuses: [{name: web, state: {waiting: ${waiting}}}]
`;
  const upgrading = kruiseCluster({ stepState: 'StepUpgrade', hasCanaryIngress: false });

  it('when somebody approves', () => {
    const { status, answer } = item(examined(kruiseCluster()), 'kruise-progress');
    expect([status, answer]).toEqual([
      'ok',
      'when somebody approves steps[0]: kubectl-kruise rollout approve rollout/web -n shop',
    ]);
  });

  it('after a pause, at a time', () => {
    const paused = kruiseCluster().replace('replicas: 1, pause: {}', 'replicas: 1, pause: {duration: 90}');
    expect(item(examined(paused), 'kruise-progress').answer).toBe(
      'yes, after the pause of 90 s, at 2026-01-01T00:01:30.000Z',
    );
  });

  it('when pods are ready', () => {
    const starting = item(examined(`${upgrading}${pod('{reason: ContainerCreating}')}`), 'kruise-progress');
    expect([starting.status, starting.answer]).toEqual([
      'ok',
      'yes, when the pods of the new version are ready, 1 of 1 are',
    ]);
  });

  it('not with pods that never are', () => {
    const waiting = '{reason: ImagePullBackOff, message: \'Back-off pulling image "web:2"\'}';
    const { status, answer, details } = item(examined(`${upgrading}${pod(waiting)}`), 'kruise-progress');
    expect([status, answer]).toEqual([
      'problem',
      'no: pods of the new version do not become ready, 1 of 1 are: web-canary-2',
    ]);
    expect(details).toEqual(['web-canary-2: ImagePullBackOff: Back-off pulling image "web:2"']);
  });

  it('of itself, where none is in progress', () => {
    expect(item(examined(kruiseCluster({ phase: 'Healthy' })), 'kruise-progress').status).toBe('not-applicable');
  });
});
