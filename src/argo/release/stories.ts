/** The stories that a Rollout of Argo can take. */
import { asObject, isJsonObject, isSet, type JsonObject, numberOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { appliedAgain, boundsOf, type Story, type StoryAction, type StoryPatch, stepsToActAt } from '../../release';
import { backgroundStart, runsAnalysis } from '../controller';
import type { ArgoSubject } from './subject';

const RELEASE: StoryAction = { release: 'v2' };
const NEVER_READY: StoryAction = { release: 'v2', ready: 'never' };

/** Seconds after which pods have gone, unless their delay is very long. */
const LONG = 3600;

/** What stories depend on besides the Rollout. */
interface Beside {
  readonly autoscaler: Manifest | undefined;
  readonly world: World;
  /** Whether the controller verifies what a load balancer has. */
  readonly isVerified: boolean;
}

/** All stories of a Rollout. The straight road comes first. Each place where a story can happen has its own. */
export function storiesOf(subject: ArgoSubject, beside: Beside): readonly Story[] {
  const { autoscaler, isVerified } = beside;
  const spec = asObject(subject.manifest.get('spec'));
  return [
    story('straight', RELEASE, 'finish'),
    ...(subject.style === 'argo-canary' ? canaryStories(subject, spec, beside) : blueGreenStories(spec, autoscaler)),
    ...(isVerified ? keptStories(subject, spec) : []),
    ...(isJsonObject(spec.rollbackWindow)
      ? [story('rollback-window', RELEASE, 'finish', { release: 'v1' }, 'finish')]
      : []),
    story('never-ready', NEVER_READY, { watch: 60 }, 'abort'),
    story('deadline', NEVER_READY, { watch: numberOf(spec.progressDeadlineSeconds) ?? 600 }),
  ];
}

function story(name: string, ...actions: StoryAction[]): Story {
  return { name, actions };
}

function canaryStories(subject: ArgoSubject, spec: JsonObject, { autoscaler, world }: Beside): readonly Story[] {
  const { steps } = subject;
  const places = stepsToActAt(steps.map(({ pause }) => pause));
  const at = (step: number): StoryAction[] => [RELEASE, { until: { step } }];
  const everywhere = (name: string, ...actions: StoryAction[]) =>
    places.map((step) => story(`${name}@${step}`, ...at(step), ...actions));
  const analysed = steps.flatMap((step, index) => (runsAnalysis(step) ? [index] : []));
  const inBackground = placesInBackground(subject, places);
  return [
    ...everywhere('abort', 'abort'),
    ...everywhere('retry', 'abort', 'retry', 'finish'),
    ...everywhere('undo', { release: 'v1' }),
    ...everywhere('third-revision', { release: 'v3' }, 'finish'),
    ...everywhere('promote-full', 'promote-full'),
    ...everywhere('delete', 'delete'),
    ...places
      .slice(0, 1)
      .flatMap((step) => [
        story(`scale@${step}`, ...at(step), twiceAsMany(spec), 'finish'),
        ...(autoscaler ? [story(`hpa@${step}`, ...at(step), { scale: boundsOf(autoscaler).max }, 'finish')] : []),
      ]),
    ...places.slice(-1).flatMap((step) => {
      const patch = editOf(subject, step);
      return patch === undefined ? [] : [story(`edit-step@${step}`, ...at(step), { patch }, 'finish')];
    }),
    ...places.slice(0, 1).flatMap((step) => {
      const patches = synced(subject, world).map((patch) => ({ patch }));
      return patches.length === 0 ? [] : [story(`sync@${step}`, ...at(step), ...patches, 'finish')];
    }),
    ...[...new Set([...analysed, ...inBackground])].flatMap((step) => [
      story(`analysis-failed@${step}`, ...at(step), { analysis: 'failed' }),
      story(`analysis-error@${step}`, ...at(step), { analysis: 'error' }),
      story(`analysis-inconclusive@${step}`, ...at(step), { analysis: 'inconclusive' }, 'promote', 'finish'),
    ]),
  ];
}

/** The places at which an analysis in the background already runs; the step at which it starts, if it runs at none of them. */
function placesInBackground({ manifest, steps }: ArgoSubject, places: readonly number[]): readonly number[] {
  const from = backgroundStart(manifest.object);
  if (from === undefined || from >= steps.length) return [];
  const reached = places.filter((step) => step >= from);
  return reached.length > 0 ? reached : [from];
}

/** The load balancer takes over no weight, or no pod, while the controller waits for it. */
function keptStories({ style, steps, ingresses }: ArgoSubject, spec: JsonObject): readonly Story[] {
  if (style === 'argo-blue-green') {
    return [story('targets-kept', ...begunStory(spec), { loadBalancer: 'keeps-targets' }, 'finish')];
  }
  // Only weights of an ALB are verified.
  if (ingresses.length === 0) return [];
  const places = stepsToActAt(steps.map(({ pause }) => pause));
  return [
    ...places.map((step) =>
      story(`weights-kept@${step}`, RELEASE, { until: { step } }, { loadBalancer: 'keeps-weights' }, 'finish'),
    ),
    story('targets-kept', RELEASE, { loadBalancer: 'keeps-targets' }, 'finish'),
  ];
}

/** A blue-green release before its switch. */
function begunStory(spec: JsonObject): StoryAction[] {
  const { blueGreen } = asObject(spec.strategy);
  const waits = asObject(blueGreen).autoPromotionEnabled === false;
  return waits ? [RELEASE, { until: { phase: 'Paused' } }] : [RELEASE];
}

/** What happens before the switch; a release that waits for nobody is still starting then. */
function blueGreenStories(spec: JsonObject, autoscaler: Manifest | undefined): readonly Story[] {
  const { blueGreen } = asObject(spec.strategy);
  const { autoPromotionEnabled, prePromotionAnalysis, postPromotionAnalysis } = asObject(blueGreen);
  const begun = begunStory(spec);
  const switched: StoryAction[] = [...begun, ...(autoPromotionEnabled === false ? (['promote'] as const) : [])];
  const analysed: readonly (readonly [string, readonly StoryAction[]])[] = [
    ...(isSet(prePromotionAnalysis) ? [['pre-promotion', [RELEASE]] as const] : []),
    ...(isSet(postPromotionAnalysis) ? [['post-promotion', switched] as const] : []),
  ];
  return [
    story('abort', ...begun, 'abort'),
    story('retry', ...begun, 'abort', { watch: LONG }, 'retry', 'finish'),
    story('retry@soon', ...begun, 'abort', 'retry', 'finish'),
    story('undo', ...begun, { release: 'v1' }),
    ...(isSet(postPromotionAnalysis)
      ? [story('undo@post-promotion', ...switched, { analysis: 'inconclusive' }, { release: 'v1' })]
      : []),
    story('undo@released', RELEASE, 'finish', { release: 'v1' }, 'finish'),
    ...(isJsonObject(spec.rollbackWindow)
      ? [story('rollback-window@late', RELEASE, 'finish', { watch: LONG }, { release: 'v1' }, 'finish')]
      : []),
    story('third-revision', ...begun, { release: 'v3' }, 'finish'),
    story('promote-full', ...begun, 'promote-full'),
    story('delete', ...begun, 'delete'),
    story('scale', ...begun, twiceAsMany(spec), 'finish'),
    ...(autoscaler ? [story('hpa', ...begun, { scale: boundsOf(autoscaler).max }, 'finish')] : []),
    ...analysed.flatMap(([place, before]) => [
      story(`analysis-failed@${place}`, ...before, { analysis: 'failed' }),
      story(`analysis-error@${place}`, ...before, { analysis: 'error' }),
      story(`analysis-inconclusive@${place}`, ...before, { analysis: 'inconclusive' }, 'promote', 'finish'),
    ]),
  ];
}

/** A GitOps tool applies again what the controller rewrites in place; an Ingress does not declare the action of an ALB. */
function synced({ traffic, namespace }: ArgoSubject, world: World): StoryPatch[] {
  const rewritten = traffic.objects.filter(({ kind }) => kind === 'VirtualService' || kind === 'DestinationRule');
  return appliedAgain(world, rewritten, namespace);
}

/** Somebody halves the weight that a step has. */
function editOf({ manifest, steps }: ArgoSubject, step: number): StoryPatch | undefined {
  const at = steps.map(({ setWeight }, index) => index <= step && (numberOf(setWeight) ?? 0) > 1).lastIndexOf(true);
  if (at < 0) return undefined;
  const half = Math.floor(numberOf(steps[at]!.setWeight)! / 2);
  const edited = steps.map((each, index) => (index === at ? { ...each, setWeight: half } : each));
  const { apiVersion, kind, name } = manifest;
  return { apiVersion, kind, name, with: { spec: { strategy: { canary: { steps: edited } } } } };
}

function twiceAsMany(spec: JsonObject): StoryAction {
  return { scale: (numberOf(spec.replicas) ?? 1) * 2 };
}
