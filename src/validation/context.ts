/** What cdk8s-cli hands to a plugin, as far as it is used here: the package itself is not needed to write a plugin. */
export interface ValidationContext {
  /** The files of the synth. */
  readonly manifests: readonly string[];
  /**
   * The paths of constructs, by `metadata.name` of what they made.
   * @default - unknown
   */
  readonly metadata?: Record<string, RecordedConstruct>;
  /**
   * Whether the manifests go to standard output, and the files are temporary.
   * @default false
   */
  readonly stdout?: boolean;
  /** Where findings go. */
  readonly report: ValidationReport;
}

/** What cdk8s-cli knows of the construct that made a resource. */
export interface RecordedConstruct {
  /** The path of the construct: `app/shop/web`. */
  readonly path: string;
}

/** Where a plugin puts what it found. */
export interface ValidationReport {
  /** Adds what is wrong. */
  addViolation(violation: Violation): void;
  /** Ends the report; `failure` fails the synth. */
  submit(status: 'success' | 'failure', metadata?: Readonly<Record<string, string>>): void;
}

/** A rule, and the resources that violate it in the same way. */
export interface Violation {
  /** The id of the rule. */
  readonly ruleName: string;
  /** What is wrong, and why it matters. */
  readonly recommendation: string;
  /** What to do. */
  readonly fix: string;
  /** Where it is. */
  readonly violatingResources: readonly ViolatingResource[];
}

/** A resource that violates a rule. */
export interface ViolatingResource {
  /** The key under which cdk8s-cli looks for the path of the construct. */
  readonly resourceName: string;
  /** The fields within the resource. */
  readonly locations: readonly string[];
  /** The file of the synth. */
  readonly manifestPath: string;
}
