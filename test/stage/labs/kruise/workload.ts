/** What is written into a workload, and changes its releases: a release id, marks of the controllers, and how it replaces its pods. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import { BROKEN, type KruiseLab, lab, patchOf, STYLES, upTo } from './lab';
import { containersOf, type StackOptions, WORKLOADS } from './stack';

const RELEASE_ID = 'rollouts.kruise.io/rollout-id';

type Workload = NonNullable<StackOptions['workload']>;

/** A write of another image, with or without another id. */
function write(workload: Workload, version: string, id?: string): StoryAction {
  const { apiVersion, kind } = WORKLOADS[workload];
  const change: KubernetesObject = {
    ...(id !== undefined && { metadata: { annotations: { [RELEASE_ID]: id } } }),
    spec: { template: { spec: { containers: containersOf(version) } } },
  };
  return { patch: { apiVersion, kind, name: 'shop', with: change } };
}

const LOOK: StoryAction = { watch: 20 };
/** A new version, with a look at it before somebody approves a step. */
const RELEASED: readonly StoryAction[] = [{ release: 'v2' }, LOOK, 'finish'];
const PAUSED: StoryAction = { until: { step: 1, state: 'StepPaused' } };

function storiesOf(workload: Workload): Readonly<Record<string, readonly StoryAction[]>> {
  const to = (version: string, id?: string) => write(workload, version, id);
  return {
    '': [to('v2', '2'), 'finish'],
    '-kept': [to('v2'), LOOK, to('v3', '2'), 'finish'],
    '-kept-third': [to('v2', '2'), PAUSED, to('v3'), LOOK, 'finish'],
    // Other workloads can have the old version back before the controller finds anything to roll back.
    ...(workload === 'Deployment' && { '-kept-undo': [to('v2', '2'), PAUSED, to('v1'), LOOK, 'finish'] }),
  };
}

export function workloads(): KruiseLab[] {
  return [...releaseIds(), ...marks(), ...replacements()];
}

/** Marks that controllers write, in the manifest of the workload. */
function marks(): KruiseLab[] {
  const inProgressing = { annotations: { 'rollouts.kruise.io/in-progressing': '{"rolloutName":"shop"}' } };
  return STYLES.flatMap((style) => [
    lab(`${style}-in-progressing`, { style, route: 'nginx', workloadMetadata: inProgressing }, RELEASED),
    // A GitOps tool writes the annotation again after each release.
    lab(`${style}-in-progressing-later`, { style, route: 'nginx' }, [
      patchOf('Deployment', 'apps/v1', { metadata: inProgressing }),
      ...RELEASED,
      { release: 'v3' },
      'finish',
    ]),
    lab(`${style}-pod-template-hash`, { style, route: 'nginx', podLabels: { 'pod-template-hash': 'mine' } }, RELEASED),
    // A Deployment that is paused from its beginning never has a pod.
    lab(`${style}-paused-workload`, { style, route: 'nginx' }, [
      patchOf('Deployment', 'apps/v1', { spec: { paused: true } }),
      ...RELEASED,
    ]),
  ]);
}

/** How a workload replaces its pods. */
function replacements(): KruiseLab[] {
  const workloadSpec = { strategy: { type: 'Recreate' } };
  const onDelete: StackOptions = {
    style: 'partition',
    route: 'nginx',
    workloadSpec: { updateStrategy: { type: 'OnDelete' } },
  };
  return [
    ...STYLES.flatMap((style) => [
      lab(`${style}-recreate`, { style, route: 'nginx', workloadSpec }, RELEASED),
      lab(`${style}-recreate-undo`, { style, route: 'nginx', workloadSpec }, [...upTo(2), { release: 'v1' }, 'finish']),
      lab(`${style}-recreate-third`, { style, route: 'nginx', workloadSpec }, [
        ...upTo(1),
        { release: 'v3' },
        LOOK,
        'finish',
      ]),
      lab(`${style}-recreate-delete`, { style, route: 'nginx', workloadSpec }, [...upTo(2), 'delete', LOOK]),
    ]),
    lab('canary-recreate-broken-delete', { style: 'canary', route: 'nginx', workloadSpec }, [
      BROKEN,
      { watch: 15 },
      'delete',
      LOOK,
    ]),
    lab('statefulset-on-delete', { ...onDelete, workload: 'StatefulSet' }, RELEASED),
    lab('advanced-statefulset-on-delete', { ...onDelete, workload: 'AdvancedStatefulSet' }, RELEASED),
    lab('advanced-daemonset-on-delete', { ...onDelete, route: 'none', workload: 'AdvancedDaemonSet' }, RELEASED),
  ];
}

function releaseIds(): KruiseLab[] {
  const stacks: Readonly<Record<string, StackOptions>> = {
    ...Object.fromEntries(STYLES.map((style) => [style, { style, route: 'nginx' }] as const)),
    cloneset: { style: 'partition', route: 'nginx', workload: 'CloneSet' },
    'cloneset-blueGreen': { style: 'blueGreen', route: 'nginx', workload: 'CloneSet' },
    statefulset: { style: 'partition', route: 'nginx', workload: 'StatefulSet' },
  };
  return Object.entries(stacks).flatMap(([name, options]) => {
    const annotated = { ...options, workloadMetadata: { annotations: { [RELEASE_ID]: '1' } } };
    const labelled = { ...options, workloadMetadata: { labels: { [RELEASE_ID]: '1' } } };
    return [
      ...Object.entries(storiesOf(options.workload ?? 'Deployment')).map(([what, story]) =>
        lab(`${name}-release-id${what}`, annotated, story),
      ),
      lab(`${name}-release-id-label`, labelled, [{ release: 'v2' }, 'finish', { release: 'v3' }, 'finish']),
    ];
  });
}
