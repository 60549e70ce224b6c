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

/** As long as Argo keeps pods by default. */
const LOOK_ON: StoryAction = { watch: 38 };

interface StoriesOfController {
  readonly straight: readonly StoryAction[];
  /** Whether the release stops for people. */
  readonly stops: (rollout: KubernetesObject) => boolean;
  /** What people do there in an incident. */
  readonly told: Stories;
}

const STORIES: Readonly<Record<string, StoriesOfController>> = {
  kruise: {
    straight: STRAIGHT,
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
    straight: [...STRAIGHT, LOOK_ON],
    stops: ({ spec }) => {
      const { canary, blueGreen } = spec.strategy;
      const waits = canary?.steps?.some(({ pause }: KubernetesObject) => pause !== undefined);
      return waits || blueGreen?.autoPromotionEnabled === false;
    },
    told: {
      abort: [{ release: 'v2' }, { until: { phase: 'Paused' } }, 'abort', { until: { phase: 'Degraded' } }, LOOK_ON],
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
  const manifests = (controller === 'argo' ? withEntrance(own) : own).map((object) =>
    object.kind === 'Rollout' ? withShortPauses(object, seconds) : object,
  );
  const { straight, stops, told } = STORIES[controller]!;
  const rollout = manifests.find(({ kind }) => kind === 'Rollout')!;
  return Object.entries({ straight, ...(stops(rollout) && told) }).map(([word, story]) => ({
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

/** With an Ingress where nothing leads to a Rollout of Argo, and a Service if there is none: a rehearsal shows what users see. */
function withEntrance(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const { metadata, spec } = objects.find(({ kind }) => kind === 'Rollout')!;
  const { canary, blueGreen } = spec.strategy;
  const isReached = objects.some(({ kind }) => kind === 'Ingress') || canary?.trafficRouting !== undefined;
  if (isReached || (canary === undefined && blueGreen === undefined)) return objects;
  const named = blueGreen?.activeService ?? canary?.stableService;
  const own = named ?? objects.find(({ kind }) => kind === 'Service')?.metadata.name;
  const selector = spec.selector?.matchLabels;
  if (own === undefined && selector === undefined) return objects;
  const name = own ?? metadata.name;
  return [...objects, ...(own === undefined ? [serviceOf(name, selector)] : []), ingressTo(name)];
}

function ingressTo(name: string): KubernetesObject {
  const annotations = { 'alb.ingress.kubernetes.io/target-type': 'ip' };
  const path = { path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: 80 } } } };
  const spec = { ingressClassName: 'alb', rules: [{ host: 'shop.example.com', http: { paths: [path] } }] };
  return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name, annotations }, spec };
}

function serviceOf(name: string, selector: KubernetesObject): KubernetesObject {
  const spec = { selector, ports: [{ port: 80, targetPort: 8080 }] };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec };
}
