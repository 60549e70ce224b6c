import { allRouters, nameOfKind, type ObjectSample, RouteKinds } from '../../../routers';
import { annotationKey, USE_ANNOTATION } from '../../../routers/ingress/alb-annotations';
import { CLASS_ANNOTATION } from '../../../routers/ingress/class';
import { INGRESS } from '../../../routers/ingress/kinds';
import type { KruiseRolloutVersion } from '../../version';
import { type ScriptTarget, scriptName } from '../library';
import type { Stage } from './stage';

/** The stable Service of every sample. */
const service = 'web';
const port = 8080;

/** An annotation of the user, which no script may change. */
export const userAnnotation = { key: 'app.example.com/owner', value: 'team-a' } as const;
const userLabels = { 'app.kubernetes.io/part-of': 'shop' };
const userMetadata = { labels: userLabels, annotations: { [userAnnotation.key]: userAnnotation.value } };

const forwardToStable = {
  type: 'forward',
  forwardConfig: { targetGroups: [{ serviceName: service, servicePort: port }] },
};

const awsAnnotations = {
  [userAnnotation.key]: userAnnotation.value,
  [annotationKey('group.name')]: 'demo',
  [annotationKey('group.order')]: '10',
  'rollout-constructs.io/canary-group-order': '9',
  [annotationKey('target-type')]: 'ip',
  [annotationKey(`actions.${service}`)]: JSON.stringify(forwardToStable),
};

/** The settings of {@link restrictedIngress} that the canary must keep. */
export const stableSettings = { sourceAddresses: '10.1.0.0/16', stickinessSeconds: 600 } as const;

/** An Ingress with conditions, a rewrite and stickiness on its stable rule, which the canary must keep. */
const awsRestrictedAnnotations = {
  ...awsAnnotations,
  [annotationKey(`actions.${service}`)]: JSON.stringify({
    ...forwardToStable,
    forwardConfig: {
      ...forwardToStable.forwardConfig,
      targetGroupStickinessConfig: { enabled: true, durationSeconds: stableSettings.stickinessSeconds },
    },
  }),
  [annotationKey(`conditions.${service}`)]: JSON.stringify([
    { field: 'source-ip', sourceIPConfig: { values: [stableSettings.sourceAddresses] } },
  ]),
  [annotationKey(`transforms.${service}`)]: JSON.stringify([
    { type: 'url-rewrite', urlRewriteConfig: { rewrites: [{ regex: '^/old/(.*)$', replace: '/$1' }] } },
  ]),
};

const aliyunAnnotations = (stableOrder: number, canaryOrder: number) => ({
  [userAnnotation.key]: userAnnotation.value,
  [annotationKey('order')]: String(stableOrder),
  'rollout-constructs.io/canary-order': String(canaryOrder),
});

/** The name of the stage on which conditions, transforms and stickiness must survive. */
export const restrictedIngress = 'an Ingress with conditions, transforms and stickiness';
/** The names of the two stages that stand for two applications on one Aliyun ALB. */
export const aliyunNeighbours = ['an Ingress of order 501', 'an Ingress of order 502'] as const;

type IngressSample = readonly [name: string, annotations: Readonly<Record<string, string>> | undefined];

const withoutAnnotations: IngressSample = ['an Ingress without annotations', undefined];

function ingressSamples(ingressClass: string): readonly IngressSample[] {
  if (ingressClass === 'aws-alb')
    return [
      ['an Ingress with an action for its Service', awsAnnotations],
      [restrictedIngress, awsRestrictedAnnotations],
      withoutAnnotations,
    ];
  if (ingressClass === 'aliyun-alb')
    return [
      [aliyunNeighbours[0], aliyunAnnotations(501, 1)],
      [aliyunNeighbours[1], aliyunAnnotations(502, 2)],
      withoutAnnotations,
    ];
  const annotations = { [userAnnotation.key]: userAnnotation.value, [CLASS_ANNOTATION]: ingressClass };
  return [['an Ingress with annotations', annotations], withoutAnnotations];
}

const albIngressSpec = {
  ingressClassName: 'alb',
  rules: [
    {
      host: 'shop.example.com',
      http: {
        paths: [
          {
            path: '/',
            pathType: 'Prefix',
            backend: { service: { name: service, port: { name: USE_ANNOTATION } } },
          },
        ],
      },
    },
  ],
};

/** Ingresses that are edited in place, by a script for an AWS load balancer. */
const editedIngresses: readonly ObjectSample[] = [
  { name: 'an Ingress with an action for its Service', spec: albIngressSpec, annotations: awsAnnotations },
  { name: restrictedIngress, spec: albIngressSpec, annotations: awsRestrictedAnnotations },
];

function objectSamples(target: ScriptTarget): readonly ObjectSample[] {
  const name = scriptName(target);
  if (name === nameOfKind(INGRESS)) return editedIngresses;
  return new RouteKinds(allRouters()).of(name).flatMap((kind) => kind.samplesFor?.(service, port) ?? []);
}

/** The sample stages for a target; empty for a kind without samples. */
export function sampleStages(target: ScriptTarget, version: KruiseRolloutVersion): readonly Stage[] {
  const stage = (name: string, data: Stage['data']): Stage => ({
    name,
    provider: target.provider,
    data,
    stableService: service,
    canaryService: `${service}-canary`,
    routes: true,
    version,
  });
  if (target.provider === 'ingress')
    return ingressSamples(target.classType).map(([name, annotations]) => stage(name, { annotations }));
  return objectSamples(target).flatMap(({ name, spec, annotations }, index) => {
    const complete = stage(name, { ...userMetadata, ...(annotations && { annotations }), spec });
    // One sample without metadata is enough: its handling does not depend on the spec.
    return index === 0 && annotations === undefined
      ? [complete, stage(`${name} and without labels and annotations`, { spec })]
      : [complete];
  });
}
