/** The experiment of a canary step: its own pods of one version or the other, some with a Service that gets requests. */
import { asList, asObject, asText, isSet, type JsonObject, numberOf, partOf } from '../../core/json';
import { Manifest } from '../../core/manifest';
import type { ArgoRolloutsVersion } from '../version';
import { analysesOfExperiment } from './analysis';
import { ARGO_REVISION_LABEL, type ArgoWorkload } from './play';

/** The templates of an experiment that get requests. */
export function weightedTemplates(step: JsonObject | undefined): JsonObject[] {
  return asList(partOf(step, 'experiment')?.templates)
    .map(asObject)
    .filter(({ weight }) => numberOf(weight) !== undefined);
}

/** Whether the experiment of a step runs until somebody goes on: nothing else ends it. */
export function isEndless(step: JsonObject | undefined): boolean {
  const experiment = partOf(step, 'experiment');
  const isRequired = analysesOfExperiment(step).some((analysis) => analysis.requiredForCompletion === true);
  return experiment !== undefined && !isSet(experiment.duration) && !isRequired;
}

/** The name of the Service of a template: its own, or else one of the names of Rollout, step and template. */
export function defaultServiceName(rollout: string, template: JsonObject, step: number): string {
  return asText(partOf(template, 'service')?.name) || `${rollout}-${step}-${asText(template.name)}`;
}

/** The Service of a template; none without a container port. */
export function serviceNameOf({ containerPorts, manifest }: ArgoWorkload, template: JsonObject, step: number): string {
  return containerPorts.length === 0 ? '' : defaultServiceName(manifest.name, template, step);
}

/** A Service as the controller makes it, with the ports of the containers. */
export function serviceOf(
  { namespace, containerPorts, labels }: ArgoWorkload,
  name: string,
  hash: string,
  { facts }: ArgoRolloutsVersion,
): Manifest {
  return Manifest.of({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: {
      selector: { ...(facts.experimentServicesSelectLabels && labels), [ARGO_REVISION_LABEL]: hash },
      ports: containerPorts.map(({ name: portName, port }) => ({
        ...(portName !== '' && { name: portName }),
        port,
        targetPort: port,
      })),
    },
  });
}
