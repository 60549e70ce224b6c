import type { Finding, ObjectRef, Severity } from '../core/finding';
import type { JsonObject } from '../core/json';

/** The file that a manifest came from, as kustomize and kpt annotate it. */
export interface KrmFile {
  readonly path: string;
  /** @default - the only document of the file */
  readonly index?: number;
}

const SEVERITIES: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'info' };

/** Findings as the `results` of a ResourceList, which the specification of KRM functions defines. */
export function krmResults(
  findings: readonly Finding[],
  fileOf: (object: ObjectRef) => KrmFile | undefined,
): JsonObject[] {
  return findings.map((finding) => {
    const { rule, severity, message, because, fix, object, path } = finding;
    const file = object && fileOf(object);
    return {
      message: `${message}: ${because}; fix: ${fix}`,
      severity: SEVERITIES[severity],
      ...(object && { resourceRef: { ...object } }),
      ...(path !== undefined && { field: { path } }),
      ...(file && { file: { ...file } }),
      tags: { rule },
    };
  });
}
