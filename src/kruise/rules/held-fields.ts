/** Checks for fields of a workload that belong to the controller for the time of a release. */
import type { Finding } from '../../core/finding';
import { isSet } from '../../core/json';
import { defineRules } from '../../core/rule';
import { isFromCluster } from '../../release';
import { heldPointers } from '../held-fields';
import type { RolloutSubject } from '../subject';
import type { RolloutCheck, RolloutChecker } from './context';
import * as example from './examples';
import { edit, yaml } from './examples';
import { source } from './sources';

/** The rule for fields that a manifest declares. */
export const heldFieldRules = defineRules({
  'kruise-workload-field-held': {
    severity: 'warning',
    title: 'an apply in the middle of a release replaces all pods',
    because:
      'the controller sets the field for the time of a release, so that the workload keeps pods of both versions. An apply of the manifest, as ' +
      'a GitOps tool does at each sync, sets it back: all pods get the new version, and the stable Service, which selects the old ones, has none',
    fix: 'leave the field out of the manifest, or have the GitOps tool ignore it, as KruiseGitOps lists it',
    basis: 'run',
    sources: [source.batchRelease],
    failing: yaml(
      example.BLUE_GREEN_ROLLOUT,
      edit(example.DEPLOYMENT, ['  replicas: 5\n', '  replicas: 5\n  minReadySeconds: 10\n']),
      example.SERVICE,
      example.INGRESS,
    ),
    corrected: yaml(example.BLUE_GREEN_ROLLOUT, example.DEPLOYMENT, example.SERVICE, example.INGRESS),
  },
});

/** Checks the workload of every Rollout with routes. */
export const checkHeldFields: RolloutChecker = (check) => check.rollouts.flatMap((rollout) => held(check, rollout));

function held({ world }: RolloutCheck, { route, style, workload, namespace }: RolloutSubject): Finding[] {
  const object = workload && world.get({ ...workload.ref, namespace });
  if (object === undefined || isFromCluster(object) || route === undefined) return [];
  // These two leave the stable Service without pods.
  const field = style === 'blueGreen' ? 'minReadySeconds' : 'partition';
  return (heldPointers(object, style) ?? [])
    .filter((pointer) => pointer.endsWith(`/${field}`))
    .map((pointer) => pointer.split('/').slice(1))
    .filter((path) => isSet(object.get(path)))
    .map((path) =>
      object.finding(heldFieldRules['kruise-workload-field-held'], {
        message: `${object.kind} "${object.name}" declares ${path.slice(1).join('.')}: an apply in the middle of a release replaces all pods, and the stable Service has none`,
        path,
      }),
    );
}
