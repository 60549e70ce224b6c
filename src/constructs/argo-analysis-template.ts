import type { ApiObject, ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';
import { type ArgoAnalysisTemplateOptions, argoAnalysisTemplate } from '../argo/analysis/template';
import type { AnalysisTemplateRef } from '../argo/api';
import { CheckedObject } from './checked-object';
import { addChecks, type CheckProps } from './checks';
import { checkProps } from './construct-errors';
import { addMainObject, addObject } from './objects';

/** Properties of an `ArgoAnalysisTemplate`. */
export interface ArgoAnalysisTemplateProps extends ArgoAnalysisTemplateOptions, CheckProps {
  /**
   * Name, namespace, labels and annotations of the template.
   * @default - a name made of the construct's path, in the namespace of the chart
   */
  readonly metadata?: ApiObjectMetadata;
}

/**
 * An AnalysisTemplate of Argo Rollouts, or with `clusterScope` a ClusterAnalysisTemplate. Synth checks what the controller
 * refuses, and its queries against the metrics that routers export. docs/analysis.md explains the metrics.
 *
 * @example
 * const success = new ArgoAnalysisTemplate(this, 'Success', {
 *   metrics: [
 *     ArgoMetric.nginxSuccessRate({ namespace: 'shop', canaryService: 'web-canary', port: 80, minSuccessRate: 0.99, interval: '1m', count: 5 }),
 *   ],
 * });
 * ArgoStep.analysis([success.ref]);
 */
export class ArgoAnalysisTemplate extends CheckedObject {
  /** The template itself. */
  readonly apiObject: ApiObject;

  /** The reference to it in an analysis: `ArgoStep.analysis([template.ref])`. */
  readonly ref: AnalysisTemplateRef;

  constructor(scope: Construct, id: string, props: ArgoAnalysisTemplateProps) {
    super(scope, id);
    checkProps(this, props);
    const { clusterScope = false, metadata } = props;
    this.apiObject = clusterScope
      ? addObject(this, 'Resource', argoAnalysisTemplate(props, { ...metadata }))
      : addMainObject(this, () => argoAnalysisTemplate(props, metadata ?? {}));
    this.ref = { templateName: this.apiObject.name, ...(clusterScope && { clusterScope }) };
    addChecks(this, props);
  }
}
