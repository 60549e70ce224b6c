/** What Kustomize has to know of the kinds of Argo Rollouts. */
import { type KustomizeConfiguration, type KustomizeKind, nameReference } from '../core/kustomize';

const kindOf = (kind: string): KustomizeKind => ({ group: 'argoproj.io', kind });
const ROLLOUT = kindOf('Rollout');
const EXPERIMENT = kindOf('Experiment');
const TEMPLATES = [kindOf('AnalysisTemplate'), kindOf('ClusterAnalysisTemplate')] as const;

const CANARY = 'spec/strategy/canary';
const BLUE_GREEN = 'spec/strategy/blueGreen';
const ROUTING = `${CANARY}/trafficRouting`;

/** Where a pod template names ConfigMaps or Secrets. */
function inPods(source: 'configMap' | 'secret', pods = 'spec/template/spec'): string[] {
  const name = source === 'secret' ? 'secretName' : 'name';
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].map((list) => `${pods}/${list}`);
  return [
    `${pods}/volumes/${source}/${name}`,
    `${pods}/volumes/projected/sources/${source}/name`,
    ...containers.flatMap((list) => [
      `${list}/env/valueFrom/${source}KeyRef/name`,
      `${list}/envFrom/${source}Ref/name`,
    ]),
  ];
}

const ANALYSES = [
  `${CANARY}/analysis/templates/templateName`,
  `${CANARY}/steps/analysis/templates/templateName`,
  `${CANARY}/steps/experiment/analyses/templateName`,
  `${BLUE_GREEN}/prePromotionAnalysis/templates/templateName`,
  `${BLUE_GREEN}/postPromotionAnalysis/templates/templateName`,
];

/** The configuration for Rollouts, Experiments and analysis templates. */
export const ARGO_KUSTOMIZE: KustomizeConfiguration = {
  nameReference: [
    nameReference({ kind: 'Service' }, [
      ROLLOUT,
      [
        `${CANARY}/canaryService`,
        `${CANARY}/stableService`,
        `${CANARY}/pingPong/pingService`,
        `${CANARY}/pingPong/pongService`,
        `${ROUTING}/alb/rootService`,
        `${BLUE_GREEN}/activeService`,
        `${BLUE_GREEN}/previewService`,
      ],
    ]),
    nameReference({ group: 'networking.k8s.io', kind: 'Ingress' }, [
      ROLLOUT,
      [
        `${ROUTING}/alb/ingress`,
        `${ROUTING}/alb/ingresses`,
        `${ROUTING}/nginx/stableIngress`,
        `${ROUTING}/nginx/stableIngresses`,
      ],
    ]),
    nameReference({ group: 'networking.istio.io', kind: 'VirtualService' }, [
      ROLLOUT,
      [`${ROUTING}/istio/virtualService/name`, `${ROUTING}/istio/virtualServices/name`],
    ]),
    nameReference({ group: 'networking.istio.io', kind: 'DestinationRule' }, [
      ROLLOUT,
      [`${ROUTING}/istio/destinationRule/name`],
    ]),
    nameReference({ kind: 'TraefikService' }, [ROLLOUT, [`${ROUTING}/traefik/weightedTraefikServiceName`]]),
    nameReference({ group: 'apps', kind: 'Deployment' }, [ROLLOUT, ['spec/workloadRef/name']]),
    ...TEMPLATES.map((template) =>
      nameReference(
        template,
        [ROLLOUT, ANALYSES],
        [EXPERIMENT, ['spec/analyses/templateName']],
        ...TEMPLATES.map((referrer) => [referrer, ['spec/templates/templateName']] as const),
      ),
    ),
    nameReference(ROLLOUT, [{ group: 'autoscaling', kind: 'HorizontalPodAutoscaler' }, ['spec/scaleTargetRef/name']]),
    nameReference({ kind: 'ConfigMap' }, [ROLLOUT, inPods('configMap')]),
    nameReference(
      { kind: 'Secret' },
      [ROLLOUT, [...inPods('secret'), 'spec/template/spec/imagePullSecrets/name']],
      ...TEMPLATES.map((template) => [template, ['spec/args/valueFrom/secretKeyRef/name']] as const),
    ),
    nameReference({ kind: 'ServiceAccount' }, [ROLLOUT, ['spec/template/spec/serviceAccountName']]),
    nameReference({ kind: 'PersistentVolumeClaim' }, [
      ROLLOUT,
      ['spec/template/spec/volumes/persistentVolumeClaim/claimName'],
    ]),
  ],
  commonLabels: [
    { ...ROLLOUT, path: 'spec/selector/matchLabels', create: true },
    { ...ROLLOUT, path: 'spec/template/metadata/labels', create: true },
  ],
  labels: [{ ...ROLLOUT, path: 'spec/template/metadata/labels', create: true }],
  commonAnnotations: [{ ...ROLLOUT, path: 'spec/template/metadata/annotations', create: true }],
  replicas: [{ ...ROLLOUT, path: 'spec/replicas', create: true }],
};
