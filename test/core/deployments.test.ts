import { describe, expect, it, test } from 'vitest';
import { parseManifests } from '../../src/core';
import { deploymentsOf } from '../../src/core/reader/deployments';

const CLUSTER_A = 'https://a.example.com';

function deployed(kind: string, spec: string, file = 'clusters/one/apps.yaml'): string[] {
  const [manifest] = parseManifests(`apiVersion: ${kind}\nmetadata: {name: web}\nspec: ${spec}\n`, file).manifests;
  return deploymentsOf(manifest!, file).map(({ path, cluster }) => `${path} to ${cluster}`);
}

const application = (spec: string) => deployed('argoproj.io/v1alpha1\nkind: Application', spec);
const set = (generators: string, path: string, destination = `{server: ${CLUSTER_A}}`) =>
  deployed(
    'argoproj.io/v1alpha1\nkind: ApplicationSet',
    `{generators: ${generators}, template: {spec: {source: {path: '${path}'}, destination: ${destination}}}}`,
  );
const flux = (spec: string) => deployed('kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization', spec);

describe('what an Application deploys', () => {
  test.each([
    ['{source: {path: deploy/web}, destination: {server: a}}', ['deploy/web to a']],
    ['{source: {path: ./deploy/web/}, destination: {name: in-cluster}}', ['deploy/web to in-cluster']],
    ['{source: {path: /deploy}, destination: {server: a, name: b}}', ['deploy to a']],
    ['{sources: [{path: one}, {chart: x}, {path: two}], destination: {}}', ['one to ', 'two to ']],
    ['{source: {path: one}, sources: [{path: two}]}', ['one to ', 'two to ']],
    ['{source: {chart: web}, destination: {server: a}}', []],
    ['{source: {path: .}, destination: {server: a}}', [' to a']],
    ['{source: {path: 5}}', []],
    ['{}', []],
  ])('%s', (spec, paths) => {
    // `.` is the root of the repository.
    expect(application(spec).map((text) => text.replace(/^\. /, ' '))).toEqual(paths);
  });
});

describe('what an ApplicationSet deploys', () => {
  it('are the elements of a list', () => {
    const elements = '[{list: {elements: [{cluster: one, url: a}, {cluster: two, url: b}]}}]';
    expect(set(elements, 'deploy/{{cluster}}', "{server: '{{ .url }}'}")).toEqual([
      'deploy/one to a',
      'deploy/two to b',
    ]);
    expect(set(elements, 'deploy/{{ unknown }}')).toHaveLength(2);
    expect(set(elements, 'deploy/{{unknown}}')[0]).toContain('{{unknown}}');
  });

  it('are the folders of a repository, but those that are left out', () => {
    const git = '[{git: {directories: [{path: apps/web}, {path: apps/old, exclude: true}, {path: "apps/*"}, {}]}}]';
    expect(set(git, '{{path}}')).toEqual([`apps/web to ${CLUSTER_A}`, `apps/* to ${CLUSTER_A}`]);
    expect(set(git, 'deploy/{{path.basename}}')[0]).toBe(`deploy/web to ${CLUSTER_A}`);
    expect(set(git, '{{ .path.path }}/overlay')[0]).toBe(`apps/web/overlay to ${CLUSTER_A}`);
  });

  it('are those of all generators together, and none of others', () => {
    const both = '[{list: {elements: [{path: a}]}, git: {directories: [{path: b}]}}, {clusters: {}}]';
    expect(set(both, '{{path}}')).toEqual([`a to ${CLUSTER_A}`, `b to ${CLUSTER_A}`]);
    expect(set('[{clusters: {}}]', 'deploy')).toEqual([]);
    expect(set('[]', 'deploy')).toEqual([]);
  });

  it('keep what is no text in a template', () => {
    const spec = `{generators: [{list: {elements: [{p: web}]}}], template: {spec: {sources: [{path: '{{p}}', n: 5, b: true, x: null}]}}}`;
    expect(deployed('argoproj.io/v1alpha1\nkind: ApplicationSet', spec)).toEqual(['web to ']);
  });
});

describe('what Flux deploys', () => {
  test.each([
    ['{path: ./apps/web}', ['apps/web to clusters/one']],
    ['{path: /apps/web/, kubeConfig: {secretRef: {name: remote}}}', ['apps/web to remote']],
    ['{interval: 1m}', []],
  ])('%s', (spec, paths) => {
    expect(flux(spec)).toEqual(paths);
  });
});

it('other kinds deploy nothing', () => {
  expect(deployed('argoproj.io/v1alpha1\nkind: AppProject', '{source: {path: a}, path: b}')).toEqual([]);
  expect(deployed('kustomize.config.k8s.io/v1beta1\nkind: Kustomization', '{path: a}')).toEqual([]);
});
