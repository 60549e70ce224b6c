import { describe, expect, it } from 'vitest';
import { admissionFindings } from '../../../src/argo/admission';
import { apiSchema } from '../../../src/argo/api/schema';
import { parseManifests, World } from '../../../src/core';
import type { JsonObject } from '../../../src/core/json';
import { checkObject } from '../../../src/core/schema';

const object = (kind: string, spec: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ${kind}\nmetadata: {name: shop}\nspec: ${spec}\n`;

const canary = (fields: string) =>
  object(
    'Rollout',
    `{workloadRef: {apiVersion: apps/v1, kind: Deployment, name: shop}, strategy: {canary: {${fields}}}}`,
  );

/** What the API server rejects or drops, as `rule path`; another test covers the rules of the controller. */
function refused(text: string): string[] {
  const { manifests, findings } = parseManifests(text, 'argo.yaml');
  expect(findings).toEqual([]);
  return admissionFindings(World.of(manifests))
    .filter(({ rule }) => !rule.startsWith('argo-'))
    .map(({ rule, path, fix }) => `${rule} ${path}${fix.startsWith('did you mean') ? `, ${fix}` : ''}`);
}

const WEB = 'provider: {web: {url: "https://shop"}}';

describe('the API server', () => {
  it.each([
    [
      'every router',
      'trafficRouting: {alb: {ingress: a, servicePort: 80, stickinessConfig: {enabled: true, durationSeconds: 60}}, ambassador: {mappings: [a]}, apisix: {route: {name: a, rules: [b]}}, appMesh: {virtualService: {name: a, routes: [b]}, virtualNodeGroup: {canaryVirtualNodeRef: {name: a}, stableVirtualNodeRef: {name: b}}}, istio: {virtualServices: [{name: a, routes: [b], tlsRoutes: [{port: 443, sniHosts: [c]}], tcpRoutes: [{port: 1}]}], destinationRule: {name: a, canarySubsetName: b, stableSubsetName: c, additionalSubsetNames: [d]}}, nginx: {stableIngresses: [a], annotationPrefix: x, canaryIngressAnnotations: {a: b}, additionalIngressAnnotations: {a: b}}, smi: {rootService: a, trafficSplitName: b}, traefik: {weightedTraefikServiceName: a}, plugins: {a/b: {c: [1]}}, managedRoutes: [{name: a}], maxTrafficWeight: 1000}',
    ],
    [
      'every step',
      'steps: [{setWeight: 1}, {pause: {duration: 1h}}, {setCanaryScale: {weight: 1, replicas: 1, matchTrafficWeight: true}}, {setHeaderRoute: {name: a, match: [{headerName: b, headerValue: {exact: c, prefix: d, regex: e}}]}}, {setMirrorRoute: {name: a, percentage: 5, match: [{method: {exact: GET}, path: {prefix: /}, headers: {a: {regex: b}}}]}}, {experiment: {templates: [{name: a, specRef: canary, weight: 5, service: {name: b}}], analyses: [{name: a, templateName: b, requiredForCompletion: true}]}}, {analysis: {templates: [{templateName: a, clusterScope: true}], args: [{name: a, valueFrom: {podTemplateHashValue: Latest}}]}}, {plugin: {name: a/b, config: {c: 1}}}]',
    ],
    [
      'the rest of a canary',
      'pingPong: {pingService: a, pongService: b}, dynamicStableScale: true, minPodsPerReplicaSet: 2, replicaProgressThreshold: {type: Percent, value: 90}, maxSurge: 10%, canaryMetadata: {labels: {a: b}}, antiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {}}, analysis: {startingStep: 2, templates: []}',
    ],
  ])('accepts %s', (_, fields) => {
    expect(refused(canary(fields))).toEqual([]);
  });

  it.each([
    [
      'a misspelt step',
      canary('steps: [{setWieght: 20}]'),
      ['field-unknown spec.strategy.canary.steps[0].setWieght, did you mean "setWeight"?'],
    ],
    [
      'a step of another type',
      canary('steps: [{setWeight: "20"}]'),
      ['field-invalid spec.strategy.canary.steps[0].setWeight'],
    ],
    [
      'an ALB without its port',
      canary('trafficRouting: {alb: {ingress: shop}}'),
      ['field-missing spec.strategy.canary.trafficRouting.alb.servicePort'],
    ],
    [
      'a port by name',
      canary('trafficRouting: {alb: {ingress: shop, servicePort: http}}'),
      ['field-invalid spec.strategy.canary.trafficRouting.alb.servicePort'],
    ],
    [
      'a misspelt field of an ALB',
      canary('trafficRouting: {alb: {ingress: shop, servicePort: 80, rootServce: shop}}'),
      ['field-unknown spec.strategy.canary.trafficRouting.alb.rootServce, did you mean "rootService"?'],
    ],
    [
      'half a ping-pong',
      canary('pingPong: {pingService: a}'),
      ['field-missing spec.strategy.canary.pingPong.pongService'],
    ],
    [
      'blue-green without its Service',
      object('Rollout', '{strategy: {blueGreen: {autoPromotionEnabled: false}}}'),
      ['field-missing spec.strategy.blueGreen.activeService'],
    ],
    [
      'a misspelt provider',
      object('AnalysisTemplate', '{metrics: [{name: ok, provider: {prometeus: {query: up}}}]}'),
      ['field-unknown spec.metrics[0].provider.prometeus, did you mean "prometheus"?'],
    ],
    [
      'a metric without a provider',
      object('ClusterAnalysisTemplate', '{metrics: [{name: ok}]}'),
      ['field-missing spec.metrics[0].provider'],
    ],
    [
      'an aggregator that there is not',
      object('AnalysisTemplate', '{metrics: [{name: ok, provider: {datadog: {query: x, aggregator: averge}}}]}'),
      ['field-invalid spec.metrics[0].provider.datadog.aggregator'],
    ],
    [
      'an interval in figures',
      object('AnalysisTemplate', `{metrics: [{name: ok, interval: 30, ${WEB}}]}`),
      ['field-invalid spec.metrics[0].interval'],
    ],
    ['an AnalysisRun without metrics', object('AnalysisRun', '{args: []}'), ['field-missing spec.metrics']],
    [
      'a secret without its key',
      object('AnalysisRun', `{metrics: [{name: ok, ${WEB}}], args: [{name: a, valueFrom: {secretKeyRef: {name: b}}}]}`),
      ['field-missing spec.args[0].valueFrom.secretKeyRef.key'],
    ],
    [
      'an Experiment without a selector',
      object('Experiment', '{templates: [{name: a, template: {spec: {containers: []}}}]}'),
      ['field-missing spec.templates[0].selector'],
    ],
    [
      'a misspelt field of pods',
      object(
        'Experiment',
        '{templates: [{name: a, selector: {matchLabels: {a: b}}, template: {spec: {containers: [{name: a, imge: b}]}}}]}',
      ),
      ['field-unknown spec.templates[0].template.spec.containers[0].imge, did you mean "image"?'],
    ],
    [
      'the same port twice',
      object(
        'Experiment',
        '{templates: [{name: a, selector: {matchLabels: {a: b}}, template: {spec: {containers: [{name: a, ports: [{containerPort: 1}, {containerPort: 1}]}]}}}]}',
      ),
      ['list-item-duplicate spec.templates[0].template.spec.containers[0].ports[1]'],
    ],
  ])('rejects %s', (_, text, expected) => {
    expect(refused(text)).toEqual(expected);
  });

  it('gives the path of the field', () => {
    const { manifests } = parseManifests(object('AnalysisTemplate', '\n  metrics:\n    - nme: ok'), 'argo.yaml');
    const unknown = admissionFindings(World.of(manifests)).find(({ rule }) => rule === 'field-unknown');
    expect(unknown?.source).toMatchObject({ file: 'argo.yaml', line: 6 });
  });

  it('ignores other kinds of the group', () => {
    expect(
      refused('apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec: {any: thing}\n'),
    ).toEqual([]);
  });
});

describe('values kept unchanged', () => {
  const stored = (kind: 'Experiment' | 'Rollout', spec: JsonObject) => {
    const whole = { apiVersion: 'argoproj.io/v1alpha1', kind, metadata: { name: 'shop' }, spec };
    const { errors, unknown, object: kept } = checkObject(whole, apiSchema(kind));
    expect({ errors, unknown }).toEqual({ errors: [], unknown: [] });
    return kept.spec;
  };

  it('volumes, and the configuration of plugins', () => {
    const spec = {
      template: { spec: { containers: [{ name: 'web' }], volumes: [{ name: 'x', csi: { anything: [1] } }] } },
      strategy: { canary: { trafficRouting: { plugins: { 'a/b': { c: { d: 1 } } } } } },
    };
    expect(stored('Rollout', spec)).toEqual(spec);
  });

  it('amounts of containers, and with defaults the ports', () => {
    const container = { name: 'web', resources: { limits: { cpu: '100m' } }, ports: [{ containerPort: 80 }] };
    const template = { name: 'a', selector: {}, template: { spec: { containers: [container] } } };
    expect(stored('Experiment', { templates: [template] })).toMatchObject({
      templates: [
        { template: { spec: { containers: [{ ...container, ports: [{ containerPort: 80, protocol: 'TCP' }] }] } } },
      ],
    });
  });
});
