/** Rollouts of Argo that the cluster refuses, and plugins that a rehearsal cannot know. */
import { describe, expect, it } from 'vitest';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
import { checkStack } from '../../../src/check';
import { parseManifests, World } from '../../../src/core';
import { blueGreen, canary, ingress, path, rehearseAll, rehearseYaml, service } from './stack';

const titlesOf = (text: string, options = {}) => rehearseYaml(text, options).moments.map(({ title }) => title);
const rulesOf = (text: string, options = {}) => rehearseYaml(text, options).findings.map(({ rule }) => rule);

describe('a Rollout that is refused', () => {
  it.each([
    ['a weight above 100', { steps: '[{ setWeight: 101 }]' }, 'steps[0].setWeight: 101 is not between 0 and 100'],
    [
      'one Service for both versions',
      { services: 'stableService: web-stable\n      canaryService: web-stable' },
      '"web-stable" is also',
    ],
    [
      'no path to the stable Service',
      { ingress: ingress({ 'shop.example.com': [path('other')] }) },
      'has no path to "web-stable"',
    ],
    ['a field that is required', { alb: '{ ingress: web }' }, 'the API server refuses the Rollout'],
  ])('for %s is not rehearsed', (_, options, reason) => {
    const rehearsal = rehearseYaml(canary(options));

    expect(titlesOf(canary(options))).toEqual(['before']);
    expect(rehearsal.findings).toMatchObject([
      { rule: 'rehearsal-refused', severity: 'error', message: expect.stringContaining(reason) },
    ]);
  });

  it('gets no action from Argo before the release either', () => {
    const { moments } = rehearseYaml(canary({ steps: '[{ setWeight: 101 }]' }), {
      probes: [{ host: 'shop.example.com', path: '/' }],
    });

    expect(moments[0]!.cells.map(({ answer }) => answer.kind)).toEqual(['fixed-response']);
  });

  it('is reported of a blue-green release, also where no load balancer reaches it', () => {
    const unreached = (text: string) => text.replace(/kind: Ingress/g, 'kind: Other');
    const refused = blueGreen().replace('previewService: web-preview', 'previewService: web');
    expect(rehearseAll(unreached(blueGreen()))).toEqual([]);
    expect(rehearseAll(unreached(refused)).map(({ findings }) => findings.map(({ rule }) => rule))).toEqual([
      ['rehearsal-refused'],
    ]);
  });

  it('depends on the release', () => {
    const text = canary({ alb: '{ ingress: web, servicePort: 80 }\n        nginx: { stableIngress: web }' });

    expect(rulesOf(text, { argoVersion: ArgoRolloutsVersion.of('1.8.5') })).not.toContain('rehearsal-refused');
    expect(
      rulesOf(canary({ steps: '[{ plugin: { name: example/wait } }]' }), {
        argoVersion: ArgoRolloutsVersion.of('1.7.2'),
      }),
    ).toContain('rehearsal-refused');
  });

  it('is reported once by a check', () => {
    const { findings } = checkStack(
      World.of(parseManifests(canary({ steps: '[{ setWeight: 101 }]' }), 'a.yaml').manifests),
    );

    expect(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual([
      'argo-set-weight-out-of-range',
    ]);
  });

  it('only gets a note where a Service is not among the manifests', () => {
    const rehearsal = rehearseYaml(canary({ more: [service('web-stable')] }));

    expect(rehearsal.moments.length).toBe(1);
    expect(rehearsal.findings).toMatchObject([
      {
        rule: 'rehearsal-incomplete',
        severity: 'note',
        message:
          'not rehearsed: spec.strategy.canary.canaryService: there is no Service "web-canary" in these manifests',
      },
    ]);
  });
});

describe('a plugin', () => {
  const config = (list: string, name: string) => `apiVersion: v1
kind: ConfigMap
metadata: { name: argo-rollouts-config, namespace: argo-rollouts }
data:
  ${list}: |
    - name: "${name}"
      location: https://plugins.example.com/it
`;
  const steps = '[{ setWeight: 20 }, { plugin: { name: example/wait } }, { setWeight: 50 }]';
  const withConfig = (...configs: readonly string[]) =>
    canary({ steps, more: [service('web-stable'), service('web-canary'), ...configs] });
  const router = (...configs: readonly string[]) =>
    [canary().replace('alb: { ingress: web, servicePort: 80 }', 'plugins: { example/router: {} }'), ...configs].join(
      '---\n',
    );

  it('of a step may hold the release, which is noted', () => {
    for (const text of [withConfig(), withConfig(config('stepPlugins', 'example/wait'))]) {
      const { findings, stopped } = rehearseYaml(text);

      expect(stopped).toBeUndefined();
      expect(findings.filter(({ rule }) => rule === 'rehearsal-incomplete')).toMatchObject([
        { severity: 'note', step: 1, message: expect.stringContaining('steps[1] runs the plugin "example/wait"') },
      ]);
    }
  });

  it('of a step that the controller does not have ends the release there', () => {
    const { findings, stopped, moments } = rehearseYaml(withConfig(config('stepPlugins', 'example/other')));

    expect(stopped).toMatchObject({ class: 'plugin', step: 1 });
    expect(moments.at(-1)!.title).toBe('steps[1]: plugin: 20%');
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      { rule: 'rehearsal-plugin-missing', step: 1, message: expect.stringContaining('never gets beyond steps[1]') },
    ]);
  });

  it('that routes traffic is not rehearsed', () => {
    const known = config('trafficRouterPlugins', 'example/router');
    const results = [router(), router(known), router(config('trafficRouterPlugins', 'example/other'))].map((text) =>
      rehearseYaml(text).findings.map(({ rule, severity }) => `${severity} ${rule}`),
    );

    expect(results).toEqual([
      ['note rehearsal-incomplete'],
      ['note rehearsal-incomplete'],
      ['error rehearsal-plugin-missing'],
    ]);
  });
});
