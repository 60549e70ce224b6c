/** Templates of analyses. */
import type { KubernetesObject } from '../../cluster/api';

/** Asks the API server for its version: the major version is 1. */
export function analysisTemplate(successCondition: string, failureCondition?: string): KubernetesObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AnalysisTemplate',
    metadata: { name: 'shop' },
    spec: {
      metrics: [
        {
          name: 'version',
          successCondition,
          ...(failureCondition && { failureCondition }),
          provider: { web: { url: 'https://127.0.0.1:6443/version', insecure: true, jsonPath: '{$.major}' } },
        },
      ],
    },
  };
}

/** Asks where nobody answers: the first error is one too many. */
export function unanswered(): KubernetesObject {
  const template = analysisTemplate('result == "1"');
  const [metric] = template.spec.metrics;
  const web = { ...metric.provider.web, url: 'https://127.0.0.1:1/version' };
  return { ...template, spec: { metrics: [{ ...metric, consecutiveErrorLimit: 0, provider: { web } }] } };
}
