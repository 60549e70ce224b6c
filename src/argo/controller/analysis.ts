import { asList, asObject, isSet, type Json } from '../../core/json';

/** Why an analysis that names no template never ends. */
export const NO_TEMPLATE = 'its analysis names no template, and never ends';

/** Whether an analysis is there and names no template: the controller waits for it, and runs none. */
export function lacksTemplate(analysis: Json | undefined): boolean {
  return isSet(analysis) && asList(asObject(analysis).templates).length === 0;
}
