/** What the controller writes to a Rollout of v1alpha1: it writes v1beta1, whose rules are stricter. */
import type { JsonObject } from '../core/json';
import type { Manifest } from '../core/manifest';
import type { Path } from '../core/path';
import { type AdmissionOptions, admitRollout } from './admission';
import { toV1beta1 } from './convert';
import { KruiseRolloutVersion } from './version';

/** Why the webhook refuses it, and the field in the manifest. */
export interface RefusedWrite {
  readonly path: Path;
  readonly text: string;
}

/**
 * Why the webhook refuses every write of the controller to a Rollout that it accepts as v1alpha1; undefined if it refuses none.
 *
 * @example refusedWrite(manifest, { version: KruiseRolloutVersion.V0_6_2 })?.text
 */
export function refusedWrite({ apiVersion, object }: Manifest, options: AdmissionOptions): RefusedWrite | undefined {
  const { version = KruiseRolloutVersion.LATEST } = options;
  if (!apiVersion.endsWith('/v1alpha1') || version.facts.storedApiVersion === 'v1alpha1') return undefined;
  const verdict = admitRollout(toV1beta1(object).rollout as unknown as JsonObject, {}, options);
  if (verdict.allowed || verdict.by !== 'webhook') return undefined;
  const { path, text } = verdict.problems[0]!;
  return { path: path.map((part) => (part === 'traffic' ? 'weight' : part)), text };
}
