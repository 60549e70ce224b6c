/** The examples of this repository as labs: what each prints, as far as the stage serves it, and stories that fit it. */
import { parseManifests } from '../../../src/core';
import type { StoryAction } from '../../../src/release';
import { printedExamples } from '../../printed-examples';
import type { KubernetesObject } from '../cluster/api';
import { asVersion1, withShortPauses } from './adapted';
import { EXAMPLE, type ListedLab } from './listed';

/** An example with a Rollout. */
interface Example {
  /** The file in `examples/`, without `.ts`. */
  readonly file: string;
  readonly controller: 'kruise' | 'argo';
  /** What is played, by the last part of the lab's name. */
  readonly stories: Readonly<Record<string, readonly StoryAction[]>>;
  /**
   * What the stage leaves out.
   * @default - nothing
   */
  readonly without?: readonly Omission[];
}

/** Objects, or a field of the Rollout, that a lab leaves out. */
interface Omission {
  /** Objects whose `Kind/name` this matches. */
  readonly objects: RegExp;
  /**
   * Only this field of them.
   * @default - the objects themselves
   */
  readonly field?: readonly string[];
  readonly reason: string;
}

const STRAIGHT: readonly StoryAction[] = [{ release: 'v2' }, 'finish'];

/** Back to the old image, at the pause of the first step. */
const ROLLBACK: readonly StoryAction[] = [
  { release: 'v2' },
  { until: { step: 1, state: 'StepPaused' } },
  { release: 'v1' },
  'finish',
];

/** Argo keeps old pods for 30 s, unless the Rollout says otherwise. */
const SECONDS_TO_SEE_PODS_GO = 38;
const LOOK_ON: StoryAction = { watch: SECONDS_TO_SEE_PODS_GO };

const ABORT: readonly StoryAction[] = [
  { release: 'v2' },
  { until: { phase: 'Paused' } },
  'abort',
  { until: { phase: 'Degraded' } },
  LOOK_ON,
];

const KRUISE = { straight: STRAIGHT, rollback: ROLLBACK };
const ARGO = { straight: [...STRAIGHT, LOOK_ON], abort: ABORT };

/** Each example that has a Rollout and its workload. */
export const PLAYED: readonly Example[] = [
  {
    file: 'aliyun-alb-canary',
    controller: 'kruise',
    stories: KRUISE,
    without: [{ objects: /echoserver-clone/, reason: 'a lab plays one Rollout, and the second is like the first' }],
  },
  { file: 'aws-alb-canary', controller: 'kruise', stories: KRUISE },
  { file: 'custom-gateway', controller: 'kruise', stories: KRUISE },
  { file: 'kruise-git-ops', controller: 'kruise', stories: KRUISE },
  { file: 'kruise-rollout', controller: 'kruise', stories: KRUISE },
  { file: 'kruise-traffic-routing', controller: 'kruise', stories: KRUISE },
  { file: 'argo-basic', controller: 'argo', stories: ARGO },
  { file: 'argo-blue-green', controller: 'argo', stories: ARGO },
  { file: 'argo-header-route', controller: 'argo', stories: ARGO },
  { file: 'argo-migration', controller: 'argo', stories: ARGO },
  { file: 'argo-ping-pong', controller: 'argo', stories: ARGO },
  {
    file: 'argo-two-albs',
    controller: 'argo',
    stories: ARGO,
    without: [
      {
        objects: /^Rollout\//,
        field: ['spec', 'strategy', 'canary', 'analysis'],
        reason: 'no Prometheus answers on the stage',
      },
    ],
  },
  { file: 'argo-verification', controller: 'argo', stories: ARGO },
];

/** Examples that no lab plays, with the reason. */
export const NOT_PLAYED: Readonly<Record<string, string>> = {
  'argo-install': 'it has no Rollout; the stage installs Argo Rollouts with the same construct',
  'kruise-existing-install': 'it has no Rollout',
  'kruise-install': 'it has no Rollout; the stage installs Kruise Rollouts with the same construct',
  'kruise-rollout-istio': 'its Deployment is not in the example',
  'ktenv-environments': 'the operator of KtEnv does not run on the stage',
};

/** Pauses of Kruise that are longer look as if they waited for people; people look for 3 s before they abort. */
const SECONDS_OF_A_PAUSE = { kruise: 3, argo: 15 };

/** The labs of the examples of a controller. */
export function exampleLabs(controller: string): ListedLab[] {
  return PLAYED.filter((example) => example.controller === controller).flatMap((example) =>
    Object.entries(example.stories).map(([name, story]) => ({
      name: `example-${example.file}-${name}`,
      style: EXAMPLE,
      router: example.file,
      story,
      // The examples run when the first lab is played or compared.
      get manifests() {
        return stackOf(example);
      },
      get install() {
        return installOf(example);
      },
    })),
  );
}

/** The Rollout and what is in its namespace. */
export function stackOf({ file, controller, without = [] }: Example): KubernetesObject[] {
  const objects = objectsOf(file);
  const { namespace } = objects.find(({ kind }) => kind === 'Rollout')!.metadata;
  return objects
    .filter(({ metadata }) => metadata.namespace === namespace)
    .flatMap((object) => without.reduce<KubernetesObject[]>((left, each) => left.flatMap(omit(each)), [object]))
    .map(asVersion1)
    .map((object) => (object.kind === 'Rollout' ? withShortPauses(object, SECONDS_OF_A_PAUSE[controller]) : object));
}

function omit({ objects, field }: Omission): (object: KubernetesObject) => KubernetesObject[] {
  return (object) => {
    if (!objects.test(`${object.kind}/${object.metadata.name}`)) return [object];
    return field === undefined ? [] : [withoutField(object, field)];
  };
}

function withoutField(object: KubernetesObject, [first, ...rest]: readonly string[]): KubernetesObject {
  const { [first!]: value, ...others } = object;
  return rest.length === 0 ? others : { ...others, [first!]: withoutField(value, rest) };
}

/** The routing scripts of the example. */
function installOf({ file }: Example): KubernetesObject[] {
  return objectsOf(file).filter(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.namespace === 'kruise-rollout',
  );
}

/** Some examples print the CRDs of an install, which take long to read. */
const read = new Map<string, readonly KubernetesObject[]>();

function objectsOf(file: string): readonly KubernetesObject[] {
  const known = read.get(file);
  if (known !== undefined) return known;
  const objects = parseManifests(printedExamples()[`${file}.ts`]!.stdout, file).manifests.map(({ object }) => object);
  read.set(file, objects);
  return objects;
}
