import type { StructuralSchema } from '../../core/schema/structural';
import { rolloutSchema } from '../admission/schema/rollout';

/** The kinds of the API, in the order of their names. */
export const API_KINDS = [
  'AnalysisRun',
  'AnalysisTemplate',
  'ClusterAnalysisTemplate',
  'Experiment',
  'Rollout',
] as const;

/** A kind of the API. */
export type ApiKind = (typeof API_KINDS)[number];

/** The schema of a kind as its CRD has it. */
export function apiSchema(kind: ApiKind): StructuralSchema {
  if (kind === 'Rollout') return rolloutSchema;
  return { type: 'object', required: ['spec'], 'x-kubernetes-preserve-unknown-fields': true };
}
