import { describe, expect, it } from 'vitest';
import { applicationElbProblems, METRIC_FAMILIES, promqlProblems, seriesOf } from '../../src/metrics';

const found = (query: string, separates = false) =>
  promqlProblems(query, separates).map(({ kind, text, fix }) => `${kind}: ${text}. ${fix}`);

describe('metrics of routers', () => {
  it.each(METRIC_FAMILIES)('have what $router exports', (family) => {
    const { metrics, separating, otherWords } = family;
    expect(new Set(metrics.map(({ name }) => name)).size).toBe(metrics.length);
    for (const name of seriesOf(family)) expect(found(`max(${name})`)).toEqual([]);
    for (const label of Object.values(otherWords)) {
      expect(
        metrics.some(({ labels }) => labels.includes(label)),
        label,
      ).toBe(true);
    }
    expect(separating.length).toBeGreaterThan(0);
  });

  it.each([
    [
      'rate(istio_request_total[5m])',
      'metric-unknown: Istio exports no metric "istio_request_total". did you mean "istio_requests_total"?',
    ],
    [
      'rate(istio_requests[5m])',
      'metric-unknown: Istio exports no metric "istio_requests". did you mean "istio_requests_total"?',
    ],
    [
      'rate(nginx_ingress_controller_requests_total[5m])',
      'metric-unknown: ingress-nginx exports no metric "nginx_ingress_controller_requests_total". did you mean "nginx_ingress_controller_requests"?',
    ],
    [
      'sum(rate(istio_request_duration_seconds_bucket[5m])) by (le)',
      'metric-unknown: Istio exports no metric "istio_request_duration_seconds_bucket". did you mean "istio_request_duration_milliseconds_bucket"?',
    ],
    [
      'rate(nginx_ingress_controller_requests{code="200"}[5m])',
      'label-unknown: ingress-nginx gives "nginx_ingress_controller_requests" no label "code". did you mean "status"?',
    ],
    [
      'rate(traefik_service_requests_total{status="200"}[5m])',
      'label-unknown: Traefik gives "traefik_service_requests_total" no label "status". did you mean "code"?',
    ],
  ])('are meant by %s', (query, message) => {
    expect(found(query)).toEqual([message]);
  });

  it.each([
    'rate(app_request_total{code="200"}[5m])',
    'nginx_ingress_controller_requests:rate5m{code="200"}',
    // Labels of relabelling, of the target, and of a collision with it.
    'rate(nginx_ingress_controller_requests{team="a", pod="b", exported_namespace="shop", exported_service="web"}[5m])',
    'rate(istio_requests_total{rollouts_pod_template_hash="{{args.hash}}"}[5m])',
    'rate(istio_requests_total{code!="200", status=""}[5m])',
    'rate(nginx_ingress_controller_request_duration_seconds_bucket{le="0.5"}[5m])',
    // A dashboard for old and new releases.
    'rate(istio_request_duration_milliseconds_bucket[5m]) or rate(istio_request_duration_seconds_bucket[5m])',
    'rate(istio_dns_requests_total[5m])',
  ])('are not missed by %s', (query) => {
    expect(found(query)).toEqual([]);
  });

  it.each([
    'sum(rate(nginx_ingress_controller_requests{ingress="web", service="web-canary"}[5m]))',
    'sum(rate(nginx_ingress_controller_requests[5m])) by (status)',
    'sum(rate(istio_requests_total{destination_workload="web"}[5m]))',
    'sum(rate(traefik_router_requests_total{router="web"}[5m]))',
    'sum(rate(envoy_cluster_upstream_rq_xx{envoy_response_code_class="5"}[5m]))',
  ])('do not tell the canary from the stable version in %s', (query) => {
    expect(promqlProblems(query, true).map(({ kind }) => kind)).toEqual(['canary-indistinct']);
    expect(found(query)).toEqual([]);
  });

  it.each([
    'sum(rate(nginx_ingress_controller_requests{canary!=""}[5m]))',
    'sum by (canary) (rate(nginx_ingress_controller_requests[5m]))',
    'sum(rate(istio_requests_total{destination_service=~"{{args.service}}"}[5m]))',
    'sum(rate(istio_requests_total{version_of_our_own="canary"}[5m]))',
    'sum(rate(traefik_service_requests_total{service=~"shop-web-canary-.*"}[5m]))',
    // One of the selectors may be of the canary.
    'sum(rate(nginx_ingress_controller_requests{canary!=""}[5m])) / sum(rate(nginx_ingress_controller_requests[5m]))',
    'sum(rate(app_requests_total[5m]))',
  ])('tell the canary from the stable version in %s', (query) => {
    expect(found(query, true)).toEqual([]);
  });
});

describe('metrics of Application Load Balancers', () => {
  const ofBoth = [
    { name: 'LoadBalancer', value: 'app/web/0123456789abcdef' },
    { name: 'TargetGroup', value: 'targetgroup/{{args.target-group}}' },
  ];
  const problems = (metricName: string, dimensions = ofBoth) =>
    applicationElbProblems({ metricName, dimensions }, true).map(({ text, fix }) => `${text}: ${fix}`);

  it.each([
    [
      'HTTPCode_Target_5xx_Counts',
      ofBoth,
      'AWS/ApplicationELB has no metric "HTTPCode_Target_5xx_Counts": did you mean "HTTPCode_Target_5XX_Count"?',
    ],
    [
      'HTTPCode_ELB_5XX_Count',
      ofBoth,
      'HTTPCode_ELB_5XX_Count has no dimension TargetGroup: use HTTPCode_Target_5XX_Count, which counts the responses of the targets',
    ],
    [
      'TargetResponseTime',
      ofBoth.slice(1),
      'TargetResponseTime of a TargetGroup alone has no data: add the dimension LoadBalancer',
    ],
    [
      'RequestCount',
      [{ name: 'LoadBalancer', value: 'arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/app/web/0123' }],
      'no metric has the LoadBalancer "arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/app/web/0123": write the end of its ARN: app/<name>/<id>',
    ],
    [
      'RequestCount',
      [{ name: 'Targetgroup', value: 'x' }],
      'AWS/ApplicationELB has no dimension "Targetgroup": did you mean "TargetGroup"?',
    ],
  ])('are not what %s asks for', (metricName, dimensions, message) => {
    expect(problems(metricName, dimensions)).toEqual([message]);
  });

  it('need the target group of the canary', () => {
    expect(problems('RequestCount', ofBoth.slice(0, 1))).toEqual([
      'RequestCount without the dimension TargetGroup measures the requests of both versions: add the dimension TargetGroup with the target group of the canary Service',
    ]);
    expect(problems('RequestCount')).toEqual([]);
    expect(problems('{{args.metric}}', [])).toEqual([]);
  });
});
