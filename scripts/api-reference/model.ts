/** What a page of the reference says, without the compiler's own objects. */

/** One way into the package: `rollout-constructs/lua`. */
export interface EntryPoint {
  readonly name: string;
  /** The source that it is compiled from, from the root of the repository. */
  readonly file: string;
}

/** What a doc comment says. */
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
  /** Where it is declared, for messages: `src/kruise/steps.ts:12`. */
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
  /** A construct of cdk8s or a component of Pulumi: what a stack is made of. */
  readonly isComponent: boolean;
  /** The parameters of a constructor that may be called; undefined where there is none. */
  readonly construction: readonly Field[] | undefined;
  readonly fields: readonly Field[];
  readonly methods: readonly Method[];
  /** What a type alias stands for. */
  readonly alias: string | undefined;
  /** The names of a namespace. */
  readonly names: readonly string[];
  /** The public names in its declarations. */
  readonly mentions: readonly string[];
  /** The public names among what a user gives it: arguments and props. */
  readonly asks: readonly string[];
}

/** All of an entry point, by name. */
export interface Api {
  readonly entryPoint: EntryPoint;
  readonly entries: readonly Entry[];
}
