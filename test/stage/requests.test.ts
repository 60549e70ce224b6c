/** The permissions of an install, held against what the controllers were seen to ask for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kruiseInstall } from '../../src/kruise/install';
import type { PolicyRule } from '../../src/kubernetes/api';
import type { Requests } from './cluster/requests';
import { kruiseInstall as installOnStage } from './controllers/kruise';

const FOLDER = join(__dirname, 'requests', 'kruise');

const seen = readdirSync(FOLDER).map((file) => {
  const requests: Requests = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  return { release: file.replace(/\.json$/, ''), requests };
});

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

const grants = (options: Parameters<typeof kruiseInstall>[0]) => grantsOf(kruiseInstall({ crds: 'skip', ...options }));

function requestsOf(requests: Requests): string[] {
  return Object.entries(requests).flatMap(([resource, verbs]) => verbs.map((verb) => `${resource} ${verb}`));
}

const GATE = 'RolloutHistory';
const HISTORY = { featureGates: { [GATE]: true } };

/** Permissions that no lab uses, and the code that does. */
const NOT_SEEN: readonly { readonly grants: RegExp; readonly because: string }[] = [
  {
    grants: /\/finalizers update$/,
    because: 'the admission plugin asks for it, without a request; the labs fail without it',
  },
  {
    grants: /^(clonesets|daemonsets|statefulsets)\.apps\.kruise\.io patch$/,
    because: 'no OpenKruise runs on the stage: pkg/controller/batchrelease/control/*/control.go',
  },
  { grants: /^replicasets\.apps delete$/, because: 'for old revisions: pkg/controller/deployment/sync.go' },
  { grants: /^secrets update$/, because: 'renews the certificate: pkg/webhook/util/writer/secret.go' },
];

describe('the permissions of the install of Kruise Rollouts', () => {
  test.each(seen)('$release: cover what the controller was seen to ask for', ({ release, requests }) => {
    // With the rights for gateways that the labs add.
    const granted = grantsOf(installOnStage(release, [GATE]));
    expect(requestsOf(requests).filter((request) => !granted.has(request))).toEqual([]);
  });

  test('have nothing else, but for the code that no lab reaches', () => {
    const used = new Set(seen.flatMap(({ requests }) => requestsOf(requests)));
    const unused = [...grants(HISTORY)].filter(
      // A list shows what single objects would.
      (grant) => !used.has(grant) && !used.has(grant.replace(/ get$/, ' list')),
    );
    expect(unused.filter((grant) => !NOT_SEEN.some((known) => known.grants.test(grant)))).toEqual([]);
    for (const { grants: known, because } of NOT_SEEN)
      expect(
        unused.some((grant) => known.test(grant)),
        because,
      ).toBe(true);
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
