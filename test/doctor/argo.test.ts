import { describe, expect, it } from 'vitest';
import { declaredOf } from '../../src/doctor';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { ARGO_CONTROLLER, argoCluster } from './argo-cluster';
import { clusterOf, examined, item, problems } from './examined';

describe('a Rollout of Argo, question by question', () => {
  it.each(['paused', 'idle', 'aborted'] as const)('finds what is written in order: %s', (status) => {
    const result = examined(argoCluster({ status }));
    // What is aborted is a problem of the release, not of what was written.
    expect(problems(result)).toEqual(status === 'aborted' ? ['argo-status', 'argo-progress'] : []);
    expect(item(result, 'argo-expected').status).toBe('ok');
  });

  it('tells where requests go', () => {
    expect(item(examined(argoCluster()), 'argo-requests').answer).toContain(
      '20% of plain requests reach the new version: 20% to shop/shop-canary, 80% to shop/shop-stable',
    );
    expect(item(examined(argoCluster({ status: 'idle' })), 'argo-requests').answer).toContain('0% of plain requests');
  });

  it('shows an action that somebody changed', () => {
    const result = examined(argoCluster({ weight: 70 }));
    expect(problems(result)).toEqual(['argo-expected', 'argo-requests']);
    expect(item(result, 'argo-expected').details?.join('\n')).toMatch(/- +Weight: 20[\s\S]*\+ +Weight: 70/);
    expect(item(result, 'argo-requests').answer).toContain('new version 70%, declared 20%');
  });

  it('waits where a weight is just being set', () => {
    const result = examined(argoCluster({ step: 2, weight: 35 }));
    expect(item(result, 'argo-expected').status).toBe('unknown');
    expect(problems(result)).toEqual([]);
  });

  it('sees an Ingress that Argo has not written to, and a Service that leads to no version', () => {
    const without = argoCluster({ status: 'idle' })
      .replace(/ {4}alb.*actions.*\n/, '')
      .replace(/ {4}rollouts\.argo.*\n/, '');
    expect(item(examined(without), 'argo-expected').details?.join('\n')).toContain('actions.shop-stable');
    const lost = argoCluster().replace(
      'rollouts-pod-template-hash: old1}\n  ports',
      'rollouts-pod-template-hash: gone}\n  ports',
    );
    const result = examined(lost);
    expect(item(result, 'argo-expected').details?.join('\n')).toMatch(/- .*"old1"[\s\S]*\+ .*"gone"/);
    expect(item(result, 'argo-requests').status).toBe('problem');
  });

  it('says whether the load balancer has followed, and who asks AWS', () => {
    expect(item(examined(argoCluster({ verified: false })), 'argo-verified').status).toBe('problem');
    expect(item(examined(argoCluster()), 'argo-verification').answer).toContain('arn:aws:iam::123456789012:role/argo');
    const unverified = argoCluster().replace('args: [--aws-verify-target-group]', 'args: []');
    expect(item(examined(unverified), 'argo-verification').status).toBe('not-applicable');
    const keyless = argoCluster().replace(/annotations: \{eks.*\}/, 'labels: {}');
    expect(item(examined(keyless), 'argo-verification').status).toBe('unknown');
  });

  it('says which right is missing', () => {
    const result = item(
      examined(argoCluster().replace('[get, list, patch, update, watch]', '[get, list, watch]')),
      'argo-permissions',
    );
    expect(result).toMatchObject({ status: 'problem' });
    expect(result.answer).toContain('may not patch ingresses.networking.k8s.io');
  });

  it('says that the controller or an object is missing', () => {
    const alone = argoCluster().replace(
      ARGO_CONTROLLER,
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\n',
    );
    expect(item(examined(alone), 'argo-controller').answer).toContain('no Deployment');
    const missing = argoCluster().replace('alb: {ingress: shop,', 'alb: {ingress: shpo,');
    expect(item(examined(missing), 'argo-objects').answer).toContain('Ingress shop/shpo');
  });

  it('compares no objects of another traffic router, and says so', () => {
    const nginx = argoCluster().replace('{alb: {ingress: shop, servicePort: 80}}', '{nginx: {stableIngress: shop}}');
    expect(item(examined(nginx), 'argo-expected').answer).toContain('"nginx" are not compared');
  });

  it('is checked as declared: without hashes, and without actions', () => {
    const { world, written } = declaredOf(clusterOf(argoCluster()).world, KruiseRolloutVersion.LATEST);
    expect(world.find('Service', 'shop-stable', 'shop')?.get('spec.selector')).toEqual({ app: 'shop' });
    const ingress = world.find('Ingress.networking.k8s.io', 'shop', 'shop')!;
    expect(Object.keys(ingress.annotations).sort()).toEqual([
      'alb.ingress.kubernetes.io/scheme',
      'alb.ingress.kubernetes.io/target-type',
    ]);
    expect(written.map(({ live }) => live.name).sort()).toEqual(['shop', 'shop-canary', 'shop-stable']);
    expect(examined(argoCluster()).stack.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });
});

describe('two Rollouts of Argo on one Ingress', () => {
  const second = argoCluster()
    .split('---\n')
    .filter((one) => /kind: (Rollout|Service|Pod)\n/.test(one))
    .map((one) =>
      one
        .replaceAll('shop-', 'api-')
        .replace(/name: shop, namespace/, 'name: api, namespace')
        .replaceAll('app: shop', 'app: api')
        .replaceAll('managed-by-rollouts: shop', 'managed-by-rollouts: api'),
    );
  const action = (name: string, weight: number) =>
    `alb.ingress.kubernetes.io/actions.${name}-stable: '{"Type":"forward","ForwardConfig":{"TargetGroups":[{"ServiceName":"${name}-canary","ServicePort":"80","Weight":${weight}},{"ServiceName":"${name}-stable","ServicePort":"80","Weight":${100 - weight}}]}}'`;
  const objects = (weight: number) =>
    [argoCluster(), ...second]
      .join('---\n')
      .replace('    rollouts.argoproj.io/managed', `    ${action('api', weight)}\n    rollouts.argoproj.io/managed`)
      .replace('shop-stable"]}', 'shop-stable"],"api":["alb.ingress.kubernetes.io/actions.api-stable"]}')
      .replace(
        '        paths:\n',
        '        paths:\n          - {path: /api, pathType: Prefix, backend: {service: {name: api-stable, port: {name: use-annotation}}}}\n',
      );

  it('are told apart', () => {
    expect(problems(examined(objects(20)))).toEqual([]);
    const { checkup } = examined(objects(60));
    const wrong = checkup.sections.filter(({ items }) => items.some(({ status }) => status === 'problem'));
    expect(wrong.map(({ title }) => title)).toEqual(['Rollout shop/api']);
  });
});

describe('a Rollout of Argo with a header route', () => {
  const ROUTE = '[{"field":"http-header","httpHeaderConfig":{"httpHeaderName":"x-beta","values":["1"]}}]';
  const objects = (value = '1') =>
    // Without a pod of the canary the controller takes header routes away.
    argoCluster({ step: 2 })
      // A prefix would come before the route.
      .replace('path: /, pathType: Prefix', "path: '/*', pathType: ImplementationSpecific")
      .replace('trafficRouting: {alb:', 'trafficRouting: {managedRoutes: [{name: beta}], alb:')
      .replace(
        '- setWeight: 20\n',
        "- setCanaryScale: {replicas: 1}\n        - setHeaderRoute: {name: beta, match: [{headerName: x-beta, headerValue: {exact: '1'}}]}\n",
      )
      .replace(/"Weight":20/, '"Weight":0')
      .replace(/"Weight":80/, '"Weight":100')
      .replace(
        '    rollouts.argoproj.io/managed',
        `    alb.ingress.kubernetes.io/actions.beta: '{"Type":"forward","ForwardConfig":{"TargetGroups":[{"ServiceName":"shop-canary","ServicePort":"80","Weight":100}]}}'
    alb.ingress.kubernetes.io/conditions.beta: '${ROUTE.replace('["1"]', `["${value}"]`)}'
    rollouts.argoproj.io/managed`,
      )
      .replace(
        'shop-stable"]}',
        'shop-stable","alb.ingress.kubernetes.io/actions.beta","alb.ingress.kubernetes.io/conditions.beta"]}',
      )
      .replace(
        '        paths:\n',
        "        paths:\n          - {path: '/*', pathType: ImplementationSpecific, backend: {service: {name: beta, port: {name: use-annotation}}}}\n",
      );

  it('is found in order, and is seen when the route differs', () => {
    const result = examined(objects());
    expect(problems(result)).toEqual([]);
    expect(item(result, 'argo-requests').details?.join('\n')).toContain('-H "x-beta: 1": new version 100%');
    expect(item(examined(objects('2')), 'argo-expected').details?.join('\n')).toMatch(/- - "1"[\s\S]*\+ - "2"/);
  });

  it('is declared without the route', () => {
    const ingress = declaredOf(clusterOf(objects()).world, KruiseRolloutVersion.LATEST).world.find(
      'Ingress.networking.k8s.io',
      'shop',
      'shop',
    );
    expect(ingress?.get('spec.rules[0].http.paths')).toHaveLength(1);
    expect(Object.keys(ingress?.annotations ?? {})).toHaveLength(2);
  });
});

describe('a blue-green Rollout of Argo', () => {
  const blueGreen = (active: string, activeHash: string) =>
    argoCluster()
      .replace(
        / {4}canary:\n[\s\S]*?status:\n/,
        '    blueGreen: {activeService: shop-stable, previewService: shop-canary, autoPromotionEnabled: false}\nstatus:\n  controllerPause: true\n',
      )
      .replace(/canary: \{weights.*\}/, `blueGreen: {activeSelector: ${active}, previewSelector: new2}`)
      .replace('rollouts-pod-template-hash: old1}\n  ports', `rollouts-pod-template-hash: ${activeHash}}\n  ports`)
      .replace(/ {4}alb.*actions.*\n/, '')
      .replace('{name: use-annotation}', '{number: 80}');

  it('waits for its promotion', () => {
    const result = examined(blueGreen('old1', 'old1'));
    expect(item(result, 'argo-status').answer).toContain('the old version is active');
    expect(item(result, 'argo-expected').status).toBe('ok');
    expect(item(result, 'argo-requests').answer).toContain('0% of plain requests');
  });

  it('sends users to a version that its status does not tell', () => {
    expect(item(examined(blueGreen('old1', 'new2')), 'argo-expected').status).toBe('problem');
  });
});
