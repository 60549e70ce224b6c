/** The permissions of the installs, held against what the controllers were seen to ask for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ArgoInstallOptions, argoInstall } from '../../src/argo/install';
import { kruiseInstall } from '../../src/kruise/install';
import type { PolicyRule } from '../../src/kubernetes/api';
import type { Requests } from './cluster/requests';
import { argoInstall as argoOnStage, VERIFIES } from './controllers/argo';
import { kruiseInstall as kruiseOnStage } from './controllers/kruise';

/** What each release of a controller was seen to ask for. */
function seenOf(controller: string) {
  const folder = join(__dirname, 'requests', controller);
  return readdirSync(folder).map((file) => {
    const requests: Requests = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return { release: file.replace(/\.json$/, ''), requests };
  });
}

/** What an install grants: `services patch`. */
function grantsOf(objects: readonly object[]): Set<string> {
  const rules = objects.flatMap((object) => (object as { rules?: PolicyRule[] }).rules ?? []);
  return new Set(
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => {
          const [plural, subresource] = resource.split('/');
          const name = `${plural}${group ? `.${group}` : ''}${subresource ? `/${subresource}` : ''}`;
          return verbs.map((verb) => `${name} ${verb}`);
        }),
      ),
    ),
  );
}

function requestsOf(requests: Requests): string[] {
  return Object.entries(requests).flatMap(([resource, verbs]) => verbs.map((verb) => `${resource} ${verb}`));
}

/** Permissions that no lab uses, and the code that does. */
interface NotSeen {
  readonly grants: RegExp;
  readonly because: string;
}

/** Holds that a set of grants is what was seen, and what the code of the list does; each line of the list is needed. */
function expectUsed(grants: ReadonlySet<string>, seen: ReturnType<typeof seenOf>, notSeen: readonly NotSeen[]): void {
  const used = new Set(seen.flatMap(({ requests }) => requestsOf(requests)));
  const unused = [...grants].filter(
    // A list shows what single objects would.
    (grant) => !used.has(grant) && !used.has(grant.replace(/ get$/, ' list')),
  );
  expect(unused.filter((grant) => !notSeen.some((known) => known.grants.test(grant)))).toEqual([]);
  for (const { grants: known, because } of notSeen)
    expect(
      unused.some((grant) => known.test(grant)),
      because,
    ).toBe(true);
}

const FINALIZERS: NotSeen = {
  grants: /\/finalizers update$/,
  because: 'the admission plugin asks for it, without a request; the labs fail without it',
};

describe('the permissions of the install of Kruise Rollouts', () => {
  const seen = seenOf('kruise');
  const grants = (options: Parameters<typeof kruiseInstall>[0]) =>
    grantsOf(kruiseInstall({ crds: 'skip', ...options }));
  const gate = 'RolloutHistory';

  test.each(seen)('$release: cover what the controller was seen to ask for', ({ release, requests }) => {
    // With the rights for gateways that the labs add.
    const granted = grantsOf(kruiseOnStage(release, [gate]));
    expect(requestsOf(requests).filter((request) => !granted.has(request))).toEqual([]);
  });

  test('have nothing else, but for the code that no lab reaches', () => {
    expectUsed(grants({ featureGates: { [gate]: true } }), seen, [
      FINALIZERS,
      { grants: /^replicasets\.apps delete$/, because: 'for old revisions: pkg/controller/deployment/sync.go' },
      { grants: /^secrets update$/, because: 'renews the certificate: pkg/webhook/util/writer/secret.go' },
    ]);
  });

  test('have no histories without their feature gate, and no ReplicaSets to change without AdvancedDeployment', () => {
    const names = (options: Parameters<typeof kruiseInstall>[0]) => [...grants(options)];
    expect(names({}).filter((grant) => grant.startsWith('rollouthistories'))).toEqual([]);
    const plain = names({ featureGates: { AdvancedDeployment: false } });
    expect(plain.filter((grant) => /^replicasets.apps (create|delete|update)$/.test(grant))).toEqual([]);
    expect(plain).not.toContain('deployments.apps/status update');
  });

  test('are those of upstream on request', () => {
    const upstream = grants({ permissions: { upstream: true } });
    expect(upstream).toContain('pods create');
    expect(upstream).toContain('rollouts.rollouts.kruise.io delete');
    expect(grants({})).not.toContain('pods create');
    expect(grants({ permissions: { upstream: true, istio: false } })).not.toContain(
      'virtualservices.networking.istio.io get',
    );
  });
});

describe('the permissions of the install of Argo Rollouts', () => {
  const seen = seenOf('argo');
  const grants = (options: ArgoInstallOptions) =>
    grantsOf(argoInstall({ crds: 'skip', aggregateRoles: false, ...options }));
  const verifies = { aws: { verifyTargetGroup: true, region: 'eu-west-1' } };

  test.each(seen)('$release: cover what the controller was seen to ask for', ({ release, requests }) => {
    const granted = grantsOf(argoOnStage(release, [VERIFIES]));
    expect(requestsOf(requests).filter((request) => !granted.has(request))).toEqual([]);
  });

  test('have nothing else, but for the code that no lab reaches', () => {
    expectUsed(grants(verifies), seen, [
      FINALIZERS,
      { grants: /^podtemplates /, because: 'a workloadRef to a PodTemplate: rollout/templateref.go' },
      { grants: /^pods\/eviction create$/, because: 'spec.restartAt: rollout/restart.go' },
      {
        grants: /^(ambassador)?mappings\.(x\.)?getambassador\.io /,
        because: 'rollout/trafficrouting/ambassador/ambassador.go',
      },
      { grants: /^apisixroutes\.apisix\.apache\.org /, because: 'rollout/trafficrouting/apisix/apisix.go' },
      {
        grants: /^virtual(nodes|routers|services)\.appmesh\.k8s\.aws /,
        because: 'rollout/trafficrouting/appmesh/resource_client.go',
      },
      { grants: /^trafficsplits\.split\.smi-spec\.io /, because: 'rollout/trafficrouting/smi/smi.go' },
      {
        grants: /^traefikservices\.traefik\.(containo\.us|io) /,
        because: 'rollout/trafficrouting/traefik/traefik.go',
      },
    ]);
  });

  test('have no more for AWS without verification, and no Jobs to make without analysisJobs', () => {
    expect([...grants({})].filter((grant) => /^(endpoints|targetgroupbindings)/.test(grant))).toEqual([]);
    const jobs = [...grants({ permissions: { analysisJobs: false } })].filter((grant) => grant.startsWith('jobs'));
    expect(jobs).toEqual(['jobs.batch get', 'jobs.batch list', 'jobs.batch watch']);
  });

  test('are those of upstream on request', () => {
    const upstream = grants({ permissions: { upstream: true } });
    const more = ['experiments.argoproj.io update', 'jobs.batch patch', 'virtualservices.networking.istio.io patch'];
    for (const grant of more) expect(upstream).toContain(grant);
    for (const grant of more) expect(grants({})).not.toContain(grant);
    expect(grants({ permissions: { upstream: true }, trafficRouters: [] })).not.toContain(more[2]);
  });
});
