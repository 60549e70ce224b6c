/** Checks of what components get, for programs without a compiler. */
import { RunError } from '@pulumi/pulumi';
import { shapeProblems } from '../core/prop-shape';
import { dataProblems } from '../core/props';
import type { PropShapes } from '../core/shape';
import shapes from './arg-shapes.json';

/** What components and factories of this entry point take. */
export function argShapes(): PropShapes {
  return shapes as unknown as PropShapes;
}

/**
 * Throws one error with all arguments that are missing, unknown, or not as their types say.
 * @param type the class of the component
 * @param name of the component
 */
export function checkArgs(type: string, name: string, args: object | undefined): void {
  const { constructs, types } = argShapes();
  const problems = dataProblems(args);
  if (problems.length === 0 && typeof name !== 'string') problems.push('its name is no string: give the name first');
  if (problems.length === 0) problems.push(...shapeProblems(args === undefined ? {} : args, constructs[type]!, types));
  if (problems.length > 0) throw cannotBeMade(`${type} "${String(name)}"`, problems);
}

/** The error of a component that cannot be made, which Pulumi prints without a stack. */
export function cannotBeMade(title: string, problems: readonly string[]): RunError {
  return new RunError(`${title} cannot be made:\n- ${problems.join('\n- ')}`);
}
