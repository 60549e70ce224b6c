/** The fields of a workload that the controller changes for the time of a release. */
import { groupOf } from '../core/manifest';
import type { RolloutSubject } from './subject';

/** A release pauses a Deployment, and sets the partition of other kinds. */
export function heldPointers(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  style: RolloutSubject['style'],
): readonly string[] | undefined {
  const isKruise = groupOf(apiVersion) === 'apps.kruise.io';
  switch (kind) {
    case 'Deployment':
      return {
        canary: ['/spec/paused'],
        partition: ['/spec/paused', '/spec/strategy'],
        blueGreen: ['/spec/paused', '/spec/strategy', '/spec/minReadySeconds', '/spec/progressDeadlineSeconds'],
      }[style];
    case 'CloneSet':
      return [
        '/spec/updateStrategy/partition',
        '/spec/updateStrategy/paused',
        ...(style === 'blueGreen'
          ? ['/spec/updateStrategy/maxSurge', '/spec/updateStrategy/maxUnavailable', '/spec/minReadySeconds']
          : []),
      ];
    case 'StatefulSet':
    case 'DaemonSet':
      return [
        '/spec/updateStrategy/rollingUpdate/partition',
        ...(isKruise ? ['/spec/updateStrategy/rollingUpdate/paused'] : []),
      ];
    default:
      return undefined;
  }
}
