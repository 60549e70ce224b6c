/** The data of a preview of virtual environments: the workloads that answer the requests of each environment. */

/** How the workload of an environment's requests is chosen. */
export type PreviewReason =
  /** Pods of the environment itself. */
  | 'exact'
  /** Pods of the nearest parent environment, because the environment has none for this Service. */
  | 'parent'
  /** Pods of the default environment, because no route matches. */
  | 'default'
  /** Pods of any environment, because no label distinguishes them. */
  | 'any'
  /** No pod: clients get an error. */
  | 'error';

/** The result for one Service and one environment. */
export interface PreviewCell {
  readonly reason: PreviewReason;
  /** The workloads whose pods answer, by name. */
  readonly workloads: readonly string[];
  /** The environments of these workloads. */
  readonly answeredBy: readonly string[];
  /** The reason in one sentence. */
  readonly why: string;
  /**
   * The error that clients get: `503`.
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
  /** The value of the header in each column; undefined for requests without the header. */
  readonly environments: readonly (string | undefined)[];
  readonly rows: readonly PreviewRow[];
}
