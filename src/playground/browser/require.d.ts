/** The bundle resolves it. */
declare function require(name: string): unknown;

/** Calls of constructs use it, which no page makes. */
interface ErrorConstructor {
  captureStackTrace(target: object, made?: unknown): void;
}
