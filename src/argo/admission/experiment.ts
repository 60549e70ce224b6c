import type { JsonObject } from '../../core/json';
import { asList, asObject, asText, numberOf, stringMapOf } from '../../core/json';
import type { Path } from '../../core/path';
import { selects } from '../../kubernetes/labels';
import { API_GROUP, API_VERSION } from '../api/names';
import { type ArgoCluster, beside, existsElsewhere, nameOf } from './cluster';
import { podTemplateProblems, selectorProblems } from './pod-template';
import type { Problem } from './problem';

const DEFAULT_PROGRESS_DEADLINE_SECONDS = 600;
const SPEC: Path = ['spec'];

/** The controller's and the API server's checks of an Experiment. */
export function experimentProblems(experiment: JsonObject, cluster: ArgoCluster): Problem[] {
  const spec = asObject(experiment.spec);
  const templates = asList(spec.templates).map(asObject);
  const names = templates.map(({ name }) => asText(name));
  const deadline = numberOf(spec.progressDeadlineSeconds) ?? DEFAULT_PROGRESS_DEADLINE_SECONDS;
  return [
    ...templates.flatMap((template, index) => {
      const path = [...SPEC, 'templates', index];
      return [
        ...nameProblems(names, index, path),
        ...readyProblems(template, deadline, path),
        ...podProblems(template, path),
      ];
    }),
    ...asList(spec.analyses).flatMap((analysis, index) =>
      missingTemplate(experiment, asObject(analysis), cluster, [...SPEC, 'analyses', index]),
    ),
  ];
}

function nameProblems(names: readonly string[], index: number, path: Path): Problem[] {
  const name = names[index]!;
  if (name !== '' && names.indexOf(name) === index) return [];
  const text = name === '' ? 'is empty' : `another template already has the name "${name}"`;
  return [invalid([...path, 'name'], name === '' ? 'empty template name' : `repeated template name '${name}'`, text)];
}

function readyProblems({ minReadySeconds }: JsonObject, deadline: number, path: Path): Problem[] {
  const ready = numberOf(minReadySeconds) ?? 0;
  if (ready <= deadline) return [];
  const message = 'MinReadySeconds cannot be longer than ProgressDeadlineSeconds';
  return [invalid([...path, 'minReadySeconds'], message, `${ready} is more than progressDeadlineSeconds, ${deadline}`)];
}

function podProblems(template: JsonObject, path: Path): Problem[] {
  const selector = asObject(template.selector);
  const at = [...path, 'selector'];
  if (stringMapOf(selector.matchLabels).size === 0 && asList(selector.matchExpressions).length === 0) {
    const message = 'This experiment is selecting all pods. A non-empty selector is required.';
    return [invalid(at, message, 'is empty and selects all pods')];
  }
  const pods = asObject(template.template);
  const labels = stringMapOf(asObject(pods.metadata).labels);
  const mistakes = selectorProblems(selector, at);
  const mismatch =
    mistakes.length > 0 || selects(selector, labels)
      ? []
      : [invalid(at, '`selector` does not match template `labels`', 'does not select the labels of the pod template')];
  return [...mistakes, ...podTemplateProblems(pods, [...path, 'template']), ...mismatch].map((problem) =>
    invalid(problem.path, problem.message, problem.text),
  );
}

function missingTemplate(experiment: JsonObject, analysis: JsonObject, cluster: ArgoCluster, path: Path): Problem[] {
  const name = asText(analysis.templateName);
  const isShared = analysis.clusterScope === true;
  const found = isShared
    ? cluster.clusterAnalysisTemplates?.find((one) => nameOf(one) === name)
    : beside(experiment, cluster.analysisTemplates, name);
  const kind = isShared ? 'ClusterAnalysisTemplate' : 'AnalysisTemplate';
  if (found !== undefined || existsElsewhere(experiment, cluster, kind, name, `${API_GROUP}/${API_VERSION}`)) return [];
  return [
    {
      rule: 'argo-experiment-template-not-found',
      class: 'experiment',
      path: [...path, 'templateName'],
      message: `${kind} verification failed for analysis '${asText(analysis.name)}'`,
      text: `there is no ${kind} "${name}"`,
      absent: { apiVersion: `${API_GROUP}/${API_VERSION}`, kind, name },
    },
  ];
}

function invalid(path: Path, message: string, text: string): Problem {
  return { rule: 'argo-experiment-invalid', class: 'experiment', path, message, text };
}
