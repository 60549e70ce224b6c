/** The shapes of what constructs, components and factories take. scripts/write-prop-shapes.ts makes them of their types. */

/** What a value may be. The shapes of all constructs are made of their types: scripts/write-prop-shapes.ts. */
export type Shape =
  | 'any'
  | 'null'
  | 'string'
  | 'number'
  | 'boolean'
  | 'function'
  /** An Output of Pulumi, or a Promise. */
  | 'output'
  /** A resource of Pulumi. */
  | 'resource'
  /** A construct of any class. */
  | 'construct'
  /** One of these. */
  | { readonly values: readonly (string | number | boolean)[] }
  /** A list of such values. */
  | { readonly list: Shape }
  /** An object with any keys and such values. */
  | { readonly map: Shape }
  | ObjectShape
  /** An instance of a class. */
  | { readonly class: string }
  /** A shape by its name. */
  | { readonly type: string }
  | { readonly oneOf: readonly Shape[] };

/** An object with these keys; those with `?` may be missing. An open one may have others. */
export interface ObjectShape {
  readonly props: Readonly<Record<string, Shape>>;
  readonly open?: boolean;
}

/** What a function takes at one place. */
export interface Parameter {
  readonly name: string;
  readonly shape: Shape;
  readonly optional?: boolean;
  /** Whether it is the last one, and takes all that follow. */
  readonly rest?: boolean;
}

/** What an entry point of the package takes. */
export interface PropShapes {
  /** The properties of constructs, or the arguments of components, by the names of classes. */
  readonly constructs: Readonly<Record<string, Shape>>;
  /** The parameters of `Class.staticMethod`, `Class#method` and `function`. */
  readonly calls: Readonly<Record<string, readonly Parameter[]>>;
  /** What they refer to. */
  readonly types: Readonly<Record<string, Shape>>;
}
