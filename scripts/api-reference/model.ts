/** The content of a page of the reference, without the compiler's objects. */

/** One entry point of the package: `rollout-constructs/lua`. */
export interface EntryPoint {
  readonly name: string;
  /** Its source file, relative to the root of the repository. */
  readonly file: string;
}

/** The content of a doc comment. */
export interface Doc {
  readonly text: string;
  readonly default: string | undefined;
  readonly examples: readonly string[];
  readonly deprecated: string | undefined;
}

/** A prop, a field or a parameter. */
export interface Field extends Doc {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly isStatic: boolean;
  /** The place of its declaration, for messages: `src/kruise/steps.ts:12`. */
  readonly place: string;
}

/** A method, a static factory or a function. */
export interface Method extends Doc {
  readonly name: string;
  readonly isStatic: boolean;
  readonly parameters: readonly Field[];
  readonly returns: string;
  readonly place: string;
}

/** A public name. */
export interface Entry extends Doc {
  readonly name: string;
  readonly kind: 'class' | 'interface' | 'type' | 'function' | 'value' | 'namespace';
  readonly place: string;
  /** A construct of cdk8s or a component of Pulumi. */
  readonly isComponent: boolean;
  /** The parameters of a public constructor; undefined if there is none. */
  readonly construction: readonly Field[] | undefined;
  readonly fields: readonly Field[];
  readonly methods: readonly Method[];
  /** The type of a type alias. */
  readonly alias: string | undefined;
  /** The names of a namespace. */
  readonly names: readonly string[];
  /** The public names in its declarations. */
  readonly mentions: readonly string[];
  /** The public names in its arguments and props. */
  readonly asks: readonly string[];
}

/** The exports of an entry point, by name. */
export interface Api {
  readonly entryPoint: EntryPoint;
  readonly entries: readonly Entry[];
}
