import { defineRules, type RuleExample } from '../../../core/rule';
import { canary, OBJECTS } from '../../admission/rules/examples';

const ARGO = 'https://github.com/argoproj/argo-rollouts/blob/v1.9.1';
const NGINX =
  'https://github.com/kubernetes/ingress-nginx/blob/dbb11b92ddb77bee9c35e462479129354c84f939/internal/ingress/metric/collectors/socket.go';
const NGINX_LABELS =
  'https://github.com/kubernetes/ingress-nginx/blob/dbb11b92ddb77bee9c35e462479129354c84f939/rootfs/etc/nginx/lua/monitor.lua';
const ISTIO = 'https://istio.io/latest/docs/reference/config/metrics/';
const TRAEFIK =
  'https://github.com/traefik/traefik/blob/fd5a576df2e8aeb0bfc8a96b6ef6e60a61f7ec0a/pkg/observability/metrics/prometheus.go';
const CLOUD_WATCH =
  'https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-cloudwatch-metrics.html';
const EXPORTS = [NGINX, ISTIO, TRAEFIK, CLOUD_WATCH];

const condition = (text: string) => `successCondition: '${text}', count: 3, interval: 1m`;
const template = (query: string, success = 'result[0] >= 0.95'): string => `---
apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: success}
spec:
  metrics:
    - {name: ok, ${condition(success)}, provider: {prometheus: {address: "http://prometheus:9090", query: '${query}'}}}
`;
const alone = (query: string, success?: string): RuleExample => ({
  language: 'yaml',
  text: template(query, success).replace('---\n', ''),
});
const used = (query: string) =>
  canary({
    steps: '- setWeight: 20\n- analysis: {templates: [{templateName: success}]}',
    objects: `${OBJECTS}${template(query)}`,
  });

const REQUESTS = 'nginx_ingress_controller_requests';
const share = (labels: string) => `sum(rate(${REQUESTS}{${labels}}[5m]))`;
const ERRORS = 'each measurement ends with an error, and the fifth in a row aborts the release';
const NO_DATA =
  'the query has no data, so that each measurement ends with an error or without a value. Another name can be that of a recording ' +
  'rule or a relabelled label, which manifests do not show';

/** What is asked of metrics, and what the answers are compared with. */
export const argoQueryRules = defineRules({
  'argo-query-invalid': {
    severity: 'error',
    title: 'a Prometheus query of an analysis cannot be parsed',
    because: ERRORS,
    fix: 'correct the query',
    basis: 'run',
    sources: ['https://github.com/prometheus/prometheus/blob/v3.2.1/promql/parser/generated_parser.y'],
    failing: alone('sum(rate(app_requests_total{code=200}[5m]))'),
    corrected: alone('sum(rate(app_requests_total{code="200"}[5m]))'),
  },
  'argo-query-metric-unknown': {
    severity: 'warning',
    title: 'an analysis asks for a metric that the router does not export',
    because: NO_DATA,
    fix: 'use the name of a metric that the router exports',
    basis: 'read',
    sources: EXPORTS,
    failing: alone('sum(rate(istio_request_total{destination_service_name="web-canary"}[5m]))'),
    corrected: alone('sum(rate(istio_requests_total{destination_service_name="web-canary"}[5m]))'),
  },
  'argo-query-label-unknown': {
    severity: 'warning',
    title: 'an analysis selects a label or dimension that the metric does not have',
    because: NO_DATA,
    fix: 'use a label or dimension of the metric',
    basis: 'read',
    sources: EXPORTS,
    failing: alone(share('canary="shop-web-canary-80", code="200"')),
    corrected: alone(share('canary="shop-web-canary-80", status="200"')),
  },
  'argo-query-canary-indistinct': {
    severity: 'warning',
    title: 'the analysis of a canary measures the requests of both versions',
    because: 'a canary with few requests hides among those of the stable version, so that it passes although it fails',
    fix: 'select a label that differs between the two versions',
    basis: 'read',
    sources: [...EXPORTS, NGINX_LABELS],
    failing: used(share('ingress="shop", service="shop-canary"')),
    corrected: used(share('canary="shop-shop-canary-80"')),
  },
  'argo-condition-invalid': {
    severity: 'error',
    title: 'the controller cannot evaluate a condition of a metric',
    because: ERRORS,
    fix: 'correct the expression',
    basis: 'run',
    sources: [
      `${ARGO}/utils/evaluate/evaluate.go`,
      `${ARGO}/metricproviders/prometheus/prometheus.go`,
      `${ARGO}/metricproviders/cloudwatch/cloudwatch.go`,
    ],
    failing: alone('sum(rate(app_requests_total[5m]))', 'result > 1'),
    corrected: alone('sum(rate(app_requests_total[5m]))', 'result[0] > 1'),
  },
});
