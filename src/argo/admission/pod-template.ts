import { asList, asObject, type Json, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import * as kubernetes from '../../kubernetes/labels';
import * as pods from '../../kubernetes/pods/template';
import type { ArgoRolloutsFacts } from '../facts';
import type { Problem } from './problem';

/** What Kubernetes' own code refuses in a pod template, as the controller reports it. */
export function podTemplateProblems(
  template: JsonObject,
  path: Path,
  { seesPrivileges = true }: Partial<ArgoRolloutsFacts> = {},
): Problem[] {
  return pods
    .podTemplateProblems(seesPrivileges ? template : withoutPrivileges(template), path)
    .map((problem) => ({ rule: 'argo-pod-template-invalid', class: 'S4', ...problem }));
}

function withoutPrivileges(template: JsonObject): JsonObject {
  const spec = asObject(template.spec);
  const ofAll = (containers: Json | undefined) =>
    asList(containers).map((container) => {
      const { securityContext, ...others } = asObject(container);
      return { ...others, securityContext: { ...asObject(securityContext), privileged: false } };
    });
  const { containers, initContainers } = spec;
  return {
    ...template,
    spec: { ...spec, containers: ofAll(containers), initContainers: ofAll(initContainers) },
  };
}

/** What Kubernetes' own code refuses in a label selector, as the controller reports it. */
export function selectorProblems(selector: JsonObject, path: Path): Problem[] {
  return kubernetes
    .selectorProblems(selector, path)
    .map((problem) => ({ rule: 'argo-selector-invalid', class: 'S2', ...problem }));
}
