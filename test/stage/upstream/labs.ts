/** Upstream's stacks as labs: what their tests leave to the cluster is filled in by the same rules for all. */
import type { StoryAction } from '../../../src/release';
import type { KubernetesObject } from '../cluster/api';
import { asVersion1, withShortPauses } from '../labs/adapted';
import type { Lab } from '../play';
import type { UpstreamStack } from './stack';

/** A lab, and the stack and story that it plays. */
export interface UpstreamLab extends Lab {
  readonly stack: string;
  readonly told: string;
}

type Stories = Readonly<Record<string, readonly StoryAction[]>>;

const STRAIGHT: readonly StoryAction[] = [{ release: 'v2' }, 'finish'];

/** What people do in an incident, where the release stops for them. */
const INCIDENTS: Readonly<Record<string, { readonly stops: (rollout: KubernetesObject) => boolean; told: Stories }>> = {
  kruise: {
    stops: ({ spec }) => {
      const { canary, blueGreen } = spec.strategy;
      const [first] = (canary ?? blueGreen).steps;
      return first.pause?.duration === undefined;
    },
    told: {
      rollback: [{ release: 'v2' }, { until: { step: 1, state: 'StepPaused' } }, { release: 'v1' }, 'finish'],
    },
  },
  argo: {
    stops: ({ spec }) => {
      const { canary, blueGreen } = spec.strategy;
      const waits = canary?.steps?.some(({ pause }: KubernetesObject) => pause !== undefined);
      return waits || blueGreen?.autoPromotionEnabled === false;
    },
    // As long as Argo keeps pods by default.
    told: {
      abort: [
        { release: 'v2' },
        { until: { phase: 'Paused' } },
        'abort',
        { until: { phase: 'Degraded' } },
        { watch: 38 },
      ],
    },
  },
};

/** Pauses of Kruise that are longer look as if they waited for people; people look for 3 s before they abort. */
const SECONDS_OF_A_PAUSE: Readonly<Record<string, number>> = { kruise: 3, argo: 15 };

/** The namespace of the controller. */
const OF_INSTALL = 'kruise-rollout';

/** Names of namespaces have at most 63 letters. */
const LONGEST_NAME = 50;

/** The labs of a stack. */
export function labsOfStack({ name, objects }: UpstreamStack, controller: string, index: number): UpstreamLab[] {
  const isOfInstall = ({ metadata }: KubernetesObject) => metadata.namespace === OF_INSTALL;
  const seconds = SECONDS_OF_A_PAUSE[controller]!;
  const own = objects
    .filter((object) => !isOfInstall(object))
    .map(served)
    .map(asVersion1);
  const manifests = withService(own).map((object) =>
    object.kind === 'Rollout' ? withShortPauses(object, seconds) : object,
  );
  const { stops, told } = INCIDENTS[controller]!;
  const rollout = manifests.find(({ kind }) => kind === 'Rollout')!;
  return Object.entries({ straight: STRAIGHT, ...(stops(rollout) && told) }).map(([word, story]) => ({
    name: `${name.slice(0, LONGEST_NAME).replace(/-$/, '')}-${index}-${word}`,
    stack: name,
    told: word,
    story,
    manifests,
    install: objects.filter(isOfInstall),
  }));
}

/** Versions of APIs that upstream's tests bring CRDs for, and those that the stage has instead. */
const API_VERSIONS: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io/v1alpha2': 'gateway.networking.k8s.io/v1',
};

/** As a cluster takes it that many tests share: node ports are the cluster's to choose. */
function served({ apiVersion, ...object }: KubernetesObject): KubernetesObject {
  const whole = { apiVersion: API_VERSIONS[apiVersion] ?? apiVersion, ...object };
  return JSON.parse(JSON.stringify(whole), (key, value) => (key === 'nodePort' ? undefined : value));
}

/** With a Service and an Ingress where a Rollout of Argo has none: a rehearsal shows what users see. */
function withService(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const rollout = objects.find(({ kind }) => kind === 'Rollout')!;
  const selector = rollout.spec.selector?.matchLabels;
  if (selector === undefined || objects.some(({ kind }) => kind === 'Service')) return objects;
  const { name } = rollout.metadata;
  const service = { name, port: { number: 80 } };
  return [
    ...objects,
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { selector, ports: [{ port: 80, targetPort: 8080 }] },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name },
      spec: { ingressClassName: 'nginx', defaultBackend: { service } },
    },
  ];
}
