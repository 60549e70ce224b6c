/** Releases that are not rehearsed, because the cluster never gets to play them. */
import { formatPath, type Manifest, type World } from '../../core';
import { fieldText } from '../../core/schema';
import { isFromCluster, type Remark } from '../../release';
import { type AdmissionOptions, type AdmissionVerdict, admitRollout } from '../admission';
import { IN_PROGRESSING_ANNOTATION, TRAFFIC_ROUTING_ANNOTATION } from '../api';
import { workloadOf } from '../controller';
import { refusedWrite } from '../refused-write';
import { ROLLOUT, type RolloutSubject, type RouteSubject } from '../subject';
import { KruiseRolloutVersion } from '../version';

/** The remark about a Rollout that the API server or the webhook refuses; undefined if both accept it. */
export function refusalOf(manifest: Manifest, options: AdmissionOptions): Remark | undefined {
  const verdict = admitRollout(manifest.object, {}, options);
  if (verdict.allowed) return refusalOfWrites(manifest, options);
  const { version = KruiseRolloutVersion.LATEST } = options;
  const { by, text, path = ['spec'] } = reasonOf(verdict, version);
  return { rule: 'rehearsal-refused', message: `${by} refuses the Rollout, so it is not rehearsed: ${text}`, path };
}

function refusalOfWrites(manifest: Manifest, options: AdmissionOptions): Remark | undefined {
  const refused = refusedWrite(manifest, options);
  if (refused === undefined) return undefined;
  return {
    rule: 'rehearsal-refused',
    message: `the webhook refuses what the controller writes to the Rollout, so it is not rehearsed: ${refused.text}`,
    path: refused.path,
  };
}

/** The remark about a Rollout that is disabled. */
export function disabledOf(manifest: Manifest): Remark | undefined {
  if (manifest.get('spec.disabled') !== true) return undefined;
  return {
    rule: 'rehearsal-incomplete',
    message: 'the Rollout is disabled, so no release has steps, and none is rehearsed',
    path: ['spec', 'disabled'],
    because: 'the workload of a disabled Rollout replaces all of its pods by itself',
    fix: 'remove spec.disabled to see the release',
  };
}

/** The remark about a Rollout whose workload has no release, or is in one from the beginning. */
export function unreleasedOf(
  { manifest, namespace, workload, style }: RolloutSubject,
  world: World,
): Remark | undefined {
  const object = workload && world.get({ ...workload.ref, namespace });
  if (object === undefined || isFromCluster(object)) return undefined;
  const who = `${object.kind} "${object.name}"`;
  const incomplete = (why: string, because: string, fix: string): Remark => ({
    rule: 'rehearsal-incomplete',
    message: `${who} ${why}, so no release of Rollout "${manifest.name}" is rehearsed`,
    path: workload!.path,
    because,
    fix,
  });
  if (workloadOf(workload!.ref, object).waitsForDeletion) {
    return incomplete(
      'replaces its pods only when somebody deletes them',
      'the webhook starts no release with updateStrategy OnDelete',
      'use updateStrategy RollingUpdate',
    );
  }
  // In canary style, the first release is as if the manifest had no annotation.
  if (style === 'canary' || object.annotations[IN_PROGRESSING_ANNOTATION] === undefined) return undefined;
  return incomplete(
    `has the annotation ${IN_PROGRESSING_ANNOTATION}`,
    'the annotation begins a release before anybody changes the pods',
    'remove the annotation from the manifest',
  );
}

function reasonOf(verdict: AdmissionVerdict & { readonly allowed: false }, version: KruiseRolloutVersion) {
  switch (verdict.by) {
    case 'kind':
      return {
        by: 'the API server',
        text: `Kruise Rollouts ${version.version} does not serve this apiVersion`,
        path: ['apiVersion'],
      };
    case 'schema': {
      const { path, detail, type } = verdict.errors[0]!;
      return { by: 'the API server', text: `${fieldText(path)}: ${detail || type}`, path };
    }
    case 'decode':
      return { by: 'the webhook', text: verdict.message, path: verdict.problem.path };
    case 'crash':
      return { by: 'the webhook', text: 'it panics, and a missing answer counts as a refusal' };
    case 'webhook': {
      const { path, text } = verdict.problems[0]!;
      return { by: 'the webhook', text: `${formatPath(path)}: ${text}`, path };
    }
  }
}

/**
 * The remark about a TrafficRouting that Rollouts name only by a field that no controller reads. A TrafficRouting that no
 * Rollout names at all may belong to a Rollout elsewhere.
 */
export function unusedOf({ manifest, namespace }: RouteSubject, world: World): Remark | undefined {
  const rollouts = world.list(ROLLOUT, namespace);
  if (rollouts.some(({ annotations }) => annotations[TRAFFIC_ROUTING_ANNOTATION] === manifest.name)) return undefined;
  const naming = rollouts.find((rollout) =>
    ['canary', 'blueGreen'].some((style) => rollout.get(`spec.strategy.${style}.trafficRoutingRef`) === manifest.name),
  );
  if (naming === undefined) return undefined;
  return {
    rule: 'rehearsal-incomplete',
    message:
      `Rollout "${naming.name}" names this TrafficRouting only in trafficRoutingRef, which no controller reads: it is ` +
      'never applied, so it is not rehearsed',
    because: `the controllers read only the annotation ${TRAFFIC_ROUTING_ANNOTATION} of the Rollout`,
    fix: `add the annotation ${TRAFFIC_ROUTING_ANNOTATION}: ${manifest.name} to Rollout "${naming.name}"`,
  };
}
