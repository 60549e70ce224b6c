import { asList, asObject, isSet, type Json, type JsonObject, partOf } from '../../core/json';

/** Why an analysis that names no template never ends. */
export const NO_TEMPLATE = 'its analysis names no template, and never ends';

/** Whether a step runs an analysis, alone or in an experiment. */
export function runsAnalysis(step: JsonObject | undefined): boolean {
  return isSet(step?.analysis) || analysesOfExperiment(step).length > 0;
}

/** The analyses of the experiment of a step. */
export function analysesOfExperiment(step: JsonObject | undefined): readonly JsonObject[] {
  return asList(partOf(step, 'experiment')?.analyses).map(asObject);
}

/** Whether an analysis is there and names no template: the controller waits for it, and runs none. */
export function lacksTemplate(analysis: Json | undefined): boolean {
  return isSet(analysis) && asList(asObject(analysis).templates).length === 0;
}
