/** Which workload answers which environment: what a preview of virtual environments shows. */

/** How the answer to an environment's requests was found. */
export type PreviewReason =
  /** Pods of the environment itself. */
  | 'exact'
  /** Pods of the nearest parent, as the environment has none here. */
  | 'parent'
  /** No route matches, and the default environment answers. */
  | 'default'
  /** Pods of any environment, as nothing tells them apart. */
  | 'any'
  /** Nobody: clients get an error. */
  | 'error';

/** One Service and one environment. */
export interface PreviewCell {
  readonly reason: PreviewReason;
  /** The workloads whose pods answer, by name. */
  readonly workloads: readonly string[];
  /** The environments of these workloads. */
  readonly answeredBy: readonly string[];
  /** A sentence on the reason. */
  readonly why: string;
  /**
   * What clients get instead of an answer: `503`.
   * @default - an answer
   */
  readonly statusCode?: string;
}

/** One port of a Service, with a cell for each environment. */
export interface PreviewRow {
  readonly service: string;
  readonly port: number;
  readonly cells: readonly PreviewCell[];
}

/** The Services of one namespace by its environments. */
export interface EnvironmentPreview {
  readonly namespace: string;
  readonly virtualEnvironment: string;
  /** The header that names the environment. */
  readonly header: string;
  /** What the header holds, column by column; undefined for requests without it. */
  readonly environments: readonly (string | undefined)[];
  readonly rows: readonly PreviewRow[];
}
