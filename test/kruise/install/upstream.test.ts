import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kruiseInstall } from '../../../src/kruise/install';
import type { PolicyRule } from '../../../src/kubernetes/api';

const UPSTREAM = join(__dirname, '../../../../shared/upstream/kruise-rollouts');

// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds
type Objects = any[];

function upstream(file: string): Objects {
  return parseAllDocuments(readFileSync(join(UPSTREAM, file), 'utf8')).map((document) => document.toJS());
}

const ours: Objects = kruiseInstall({ crds: 'skip' });
const asUpstream: Objects = kruiseInstall({ crds: 'skip', permissions: { upstream: true } });
const rulesOf = (objects: Objects, kind: string, name?: string): PolicyRule[] =>
  objects.find((object) => object.kind === kind && (name === undefined || object.metadata.name === name)).rules;

/** Every single permission: `apps/deployments get`; one that is limited to names is marked. */
function permissions(rules: readonly PolicyRule[]): Set<string> {
  return new Set(
    rules.flatMap(({ apiGroups, resources, verbs, resourceNames }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          verbs.map((verb) => `${group}/${resource} ${verb}${resourceNames === undefined ? '' : ' by name'}`),
        ),
      ),
    ),
  );
}

const without = (a: Set<string>, b: Set<string>) => [...a].filter((entry) => !b.has(entry)).sort();

describe.runIf(existsSync(UPSTREAM))('the install, compared with the manifests of upstream', () => {
  it('grants what the ClusterRole grants on request, apart from intended restrictions', () => {
    const theirs = permissions(rulesOf(upstream('role.yaml'), 'ClusterRole'));
    const mine = permissions(rulesOf(asUpstream, 'ClusterRole'));
    expect(without(theirs, mine)).toEqual([
      '*/events create',
      '*/events patch',
      '*/events update',
      'admissionregistration.k8s.io/mutatingwebhookconfigurations patch',
      'admissionregistration.k8s.io/mutatingwebhookconfigurations update',
      'admissionregistration.k8s.io/validatingwebhookconfigurations patch',
      'admissionregistration.k8s.io/validatingwebhookconfigurations update',
      'apiextensions.k8s.io/customresourcedefinitions patch',
      'apiextensions.k8s.io/customresourcedefinitions update',
    ]);
    expect(without(mine, theirs)).toEqual([
      '/events create',
      '/events patch',
      '/events update',
      'admissionregistration.k8s.io/mutatingwebhookconfigurations patch by name',
      'admissionregistration.k8s.io/mutatingwebhookconfigurations update by name',
      'admissionregistration.k8s.io/validatingwebhookconfigurations patch by name',
      'admissionregistration.k8s.io/validatingwebhookconfigurations update by name',
      'apiextensions.k8s.io/customresourcedefinitions patch by name',
      'apiextensions.k8s.io/customresourcedefinitions update by name',
      'events.k8s.io/events create',
      'events.k8s.io/events patch',
      'events.k8s.io/events update',
    ]);
  });

  it('grants nothing else by default, but what owners need on OpenShift', () => {
    const theirs = permissions(rulesOf(asUpstream, 'ClusterRole'));
    expect(without(permissions(rulesOf(ours, 'ClusterRole')), theirs)).toEqual([
      'apps/deployments/finalizers update',
      'rollouts.kruise.io/batchreleases/finalizers update',
    ]);
  });

  it('grants less on Secrets', () => {
    const theirs = permissions(rulesOf(upstream('role.yaml'), 'Role'));
    const mine = permissions(rulesOf(ours, 'Role', 'kruise-rollout-manager-role'));
    expect(without(theirs, mine)).toEqual(['/secrets delete', '/secrets get', '/secrets patch', '/secrets update']);
    expect(without(mine, theirs)).toEqual(['/secrets get by name', '/secrets update by name']);
  });

  it.each(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'])('has the webhooks of the %s', (kind) => {
    const simple = (objects: Objects) =>
      objects
        .find((object) => object.kind === kind)
        .webhooks.map(
          ({ name, clientConfig, rules, failurePolicy, sideEffects, admissionReviewVersions }: Objects[number]) => {
            return {
              name,
              path: clientConfig.service.path,
              rules,
              failurePolicy,
              sideEffects,
              admissionReviewVersions,
            };
          },
        )
        .sort((a: Objects[number], b: Objects[number]) => (a.name < b.name ? -1 : 1));
    expect(simple(ours)).toEqual(simple(upstream('webhooks.yaml')));
  });
});
