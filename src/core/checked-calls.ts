/**
 * Checks of what factories and methods are called with. An entry point asks for them once, for all of its classes, so that
 * the classes themselves trust their types.
 */
import { callProblems } from './prop-shape';
import type { PropShapes } from './shape';

type Method = (this: unknown, ...given: unknown[]) => unknown;

/** Wrapped methods: two entry points share classes. */
const checked = new WeakSet<object>();

/**
 * Lets the methods of classes check their arguments before they run.
 *
 * @param classes of an entry point, by name
 * @param load the shapes, read when the first method is called
 * @example checkCalls({ AlbAuth }, shapes); AlbAuth.cognito({}) // AlbAuth.cognito: "options.userPoolArn" is missing: …
 */
export function checkCalls(classes: Readonly<Record<string, unknown>>, load: () => PropShapes): void {
  for (const [name, each] of Object.entries(classes)) {
    if (typeof each !== 'function' || typeof each.prototype !== 'object') continue;
    checkMethods(each, (method) => `${name}.${method}`, load);
    checkMethods(each.prototype, (method) => `${name}#${method}`, load);
  }
}

function checkMethods(holder: object, titleOf: (method: string) => string, load: () => PropShapes): void {
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
    const { value } = property;
    if (typeof value !== 'function' || key === 'constructor' || checked.has(value)) continue;
    const wrapper = withCheck(value, titleOf(key), load);
    checked.add(wrapper);
    Object.defineProperty(holder, key, { ...property, value: wrapper });
  }
}

/** The method with a check before it, and with the same name and length. */
function withCheck(method: Method, title: string, load: () => PropShapes): Method {
  let known: PropShapes | undefined;
  const wrapper: Method = function (...given) {
    known ??= load();
    checkCall(title, given, known, { of: this, from: wrapper });
    return method.apply(this, given);
  };
  for (const key of ['name', 'length'] as const)
    Object.defineProperty(wrapper, key, { configurable: true, value: method[key] });
  return wrapper;
}

/** What a check is made for: the object of a method, and the function at which the stack of an error begins. */
interface CallSite {
  readonly of?: unknown;
  readonly from: (...given: never[]) => unknown;
}

/**
 * Throws one error with all arguments that are missing or not as their types say.
 * @example checkCall('argoAnalysis', [templates, options], shapes, { from: argoAnalysis })
 */
export function checkCall(
  title: string,
  given: readonly unknown[],
  { calls, types }: PropShapes,
  { of, from }: CallSite,
): void {
  const parameters = Object.hasOwn(calls, title) ? calls[title]! : [];
  const problems = parameters.length === 0 ? [] : callProblems(given, parameters, types);
  if (problems.length === 0) return;
  const error = new Error(`${placeOf(of)}${title.replace('#', '.')}: ${problems.join('; ')}`);
  // The line of the caller is what helps.
  Error.captureStackTrace(error, from);
  throw error;
}

/** The shapes of this package. Loaded on first use, because a program that calls nothing reads no file. */
export function packageShapesOnce(): PropShapes {
  return (require('./package-shapes') as typeof import('./package-shapes')).packageShapes;
}

/** Checks what a function of this package is called with. A function cannot be wrapped where it is exported. */
export function checkPackageCall(title: string, given: readonly unknown[], from: CallSite['from']): void {
  checkCall(title, given, packageShapesOnce(), { from });
}

/** `shop/web: ` for a construct. */
function placeOf(of: unknown): string {
  const { node } = (typeof of === 'object' && of !== null ? of : {}) as { readonly node?: { readonly path?: unknown } };
  return typeof node?.path === 'string' ? `${node.path}: ` : '';
}
