/** The controllers of the stage. */
import { argoOnStage } from './argo';
import type { ControllerOnStage } from './controller';
import { kruiseOnStage } from './kruise';

const CONTROLLERS: readonly ControllerOnStage[] = [kruiseOnStage, argoOnStage];

/** The controller of a name. Throws an error that lists the names, where there is none. */
export function controllerNamed(name: string): ControllerOnStage {
  const found = CONTROLLERS.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new Error(`there is no controller "${name}"; there are ${CONTROLLERS.map((each) => each.name).join(', ')}`);
}
