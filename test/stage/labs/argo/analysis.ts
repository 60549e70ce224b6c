/** Templates of analyses. */
import type { KubernetesObject } from '../../cluster/api';

/** A template with one metric. */
export function templateOf(metric: KubernetesObject): KubernetesObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AnalysisTemplate',
    metadata: { name: 'shop' },
    spec: { metrics: [metric] },
  };
}

function versionMetric(successCondition: string, failureCondition?: string): KubernetesObject {
  return {
    name: 'version',
    successCondition,
    ...(failureCondition && { failureCondition }),
    provider: { web: { url: 'https://127.0.0.1:6443/version', insecure: true, jsonPath: '{$.major}' } },
  };
}

/** Asks the API server for its version: the major version is 1. */
export function analysisTemplate(successCondition: string, failureCondition?: string): KubernetesObject {
  return templateOf(versionMetric(successCondition, failureCondition));
}

/** Asks where nobody answers: the first error is one too many. */
export function unanswered(): KubernetesObject {
  const metric = versionMetric('result == "1"');
  const web = { ...metric.provider.web, url: 'https://127.0.0.1:1/version' };
  return templateOf({ ...metric, consecutiveErrorLimit: 0, provider: { web } });
}
