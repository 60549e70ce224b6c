import type { JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import * as kubernetes from '../../kubernetes/labels';
import * as pods from '../../kubernetes/pods/template';
import type { Problem } from './problem';

/** What Kubernetes' own code refuses in a pod template, as the controller reports it. */
export function podTemplateProblems(template: JsonObject, path: Path): Problem[] {
  return pods
    .podTemplateProblems(template, path)
    .map((problem) => ({ rule: 'argo-pod-template-invalid', class: 'S4', ...problem }));
}

/** What Kubernetes' own code refuses in a label selector, as the controller reports it. */
export function selectorProblems(selector: JsonObject, path: Path): Problem[] {
  return kubernetes
    .selectorProblems(selector, path)
    .map((problem) => ({ rule: 'argo-selector-invalid', class: 'S2', ...problem }));
}
