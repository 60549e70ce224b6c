/** What cdk8s-cli hands to a plugin, as far as it is used here: the package itself is not needed to write a plugin. */
export interface ValidationContext {
  /** The files of the synth. */
  readonly manifests: readonly string[];
  /** The paths of constructs, by `metadata.name` of what they made. */
  readonly metadata?: Record<string, RecordedConstruct>;
  /** Whether the manifests go to standard output, and the files are temporary. */
  readonly stdout?: boolean;
  readonly report: ValidationReport;
}

/** What cdk8s-cli knows of the construct that made a resource. */
export interface RecordedConstruct {
  readonly path: string;
}

/** Where a plugin puts what it found. */
export interface ValidationReport {
  addViolation(violation: Violation): void;
  submit(status: 'success' | 'failure', metadata?: Readonly<Record<string, string>>): void;
}

/** A rule, and the resources that violate it in the same way. */
export interface Violation {
  readonly ruleName: string;
  readonly recommendation: string;
  readonly fix: string;
  readonly violatingResources: readonly ViolatingResource[];
}

/** A resource that violates a rule. */
export interface ViolatingResource {
  /** The key under which cdk8s-cli looks for the path of the construct. */
  readonly resourceName: string;
  readonly locations: readonly string[];
  readonly manifestPath: string;
}
