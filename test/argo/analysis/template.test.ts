/** AnalysisTemplates from options. */
import { describe, expect, it } from 'vitest';
import { argoAnalysisTemplate, templateKind } from '../../../src/argo/analysis/template';

const metric = (name: string, query: string) => ({ name, provider: { prometheus: { query } } });

describe('an AnalysisTemplate', () => {
  it('has the arguments that its metrics use, each once and in their order', () => {
    const metrics = [metric('a', '{{args.b}} + {{ args.a }}'), metric('c', '{{args.b}}')];
    expect(argoAnalysisTemplate({ metrics }, { name: 'web' })).toStrictEqual({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AnalysisTemplate',
      metadata: { name: 'web' },
      spec: { args: [{ name: 'b' }, { name: 'a' }], metrics },
    });
    const without = argoAnalysisTemplate({ metrics: [metric('a', 'up')] }, { name: 'web' });
    expect(without.spec).toStrictEqual({ metrics: [metric('a', 'up')] });
  });

  it('has the arguments that it is given instead, and names for whole objects', () => {
    const retention = [{ metricName: 'a', limit: 5 }];
    const { spec } = argoAnalysisTemplate(
      {
        metrics: [metric('a', '{{args.b}}')],
        args: ['x', { name: 'y', value: '1' }],
        templates: ['other', { templateName: 'shared', clusterScope: true }],
        dryRun: ['a', { metricName: 'b.*' }],
        measurementRetention: retention,
      },
      {},
    );
    expect(spec).toStrictEqual({
      args: [{ name: 'x' }, { name: 'y', value: '1' }],
      metrics: [metric('a', '{{args.b}}')],
      templates: [{ templateName: 'other' }, { templateName: 'shared', clusterScope: true }],
      dryRun: [{ metricName: 'a' }, { metricName: 'b.*' }],
      measurementRetention: retention,
    });
    expect(argoAnalysisTemplate({ metrics: [metric('a', '{{args.b}}')], args: [] }, {}).spec).not.toHaveProperty(
      'args',
    );
  });

  it('has its namespace, unless it is one of the whole cluster', () => {
    const metrics = [metric('a', 'up')];
    const metadata = { name: 'web', namespace: 'shop', labels: { a: 'b' } };
    expect(argoAnalysisTemplate({ metrics }, metadata).metadata).toStrictEqual(metadata);
    const shared = argoAnalysisTemplate({ metrics, clusterScope: true }, metadata);
    expect(shared.kind).toBe('ClusterAnalysisTemplate');
    expect(shared.metadata).toStrictEqual({ name: 'web', labels: { a: 'b' } });
    expect(argoAnalysisTemplate({ metrics }, { name: 'web' }).metadata).toStrictEqual({ name: 'web' });
    expect(templateKind({ clusterScope: false }).kind).toBe('AnalysisTemplate');
  });
});
