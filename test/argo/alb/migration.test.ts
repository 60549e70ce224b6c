import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { admissionFindings } from '../../../src/argo/admission';
import { type ArgoAlbRolloutOptions, ArgoAlbService, ArgoAlbStrategy } from '../../../src/argo/alb';
import { readAlbRollout, setWeight } from '../../../src/argo/controller';
import { checkArgoAlb } from '../../../src/argo/rules';
import { ArgoStep } from '../../../src/argo/steps';
import { Manifest, World } from '../../../src/core';
import { awsAlbRouter } from '../../../src/routers/aws-alb';
import { objectsOf } from './options';

const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
};
const steps = [ArgoStep.setWeight(20)];
const stages = (strategy: ArgoAlbStrategy) => {
  const of = (options: Partial<ArgoAlbRolloutOptions>) =>
    objectsOf({ template: undefined, workloadRef: { name: 'web' }, selector: { app: 'web' }, strategy, ...options });
  return { prepared: of({ migration: 'prepare' }), switched: of({}), pingPong: of({ strategy: PING_PONG }) };
};

interface Ingress {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
}

/** What `kubectl apply` makes of a live object: annotations of others stay, those that left the manifest go. */
function applied(live: Ingress, before: Ingress, manifest: Ingress): Ingress {
  const kept = Object.entries(live.metadata.annotations).filter(([key]) => !(key in before.metadata.annotations));
  const annotations = { ...Object.fromEntries(kept), ...manifest.metadata.annotations };
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

/** What Argo makes of the Ingress before any release, once its pods are available. */
function writtenByArgo({ rollout }: ReturnType<typeof objectsOf>, ingress: Ingress): Ingress {
  const { ingresses, error } = setWeight(readAlbRollout(rollout)!, [ingress], 0);
  expect(error).toBeUndefined();
  return ingresses[0] as unknown as Ingress;
}

/** Where requests go: the Service with its port and share, or the status code of the load balancer. */
function answerOf(services: readonly object[], ingress: Ingress) {
  const manifests = [SERVICE, ...services, ingress].map((object) => Manifest.of(object as never));
  const { loadBalancers } = awsAlbRouter().routes(World.of(manifests));
  const { answer } = loadBalancers[0]!.listeners[0]!.route({ host: 'shop.example.com', path: '/' });
  if (answer.kind === 'fixed-response') return answer.statusCode;
  return answer.kind === 'services'
    ? answer.destinations.map(({ service, port, share }) => [service?.name, port, share])
    : answer;
}

const live = ArgoAlbService.existing('web');
const CANARY = ArgoAlbStrategy.canary({ steps, stableService: live });
const PING_PONG = ArgoAlbStrategy.pingPong({ steps, pongService: live, rootService: 'web' });

describe('the change of a live Ingress to a canary', () => {
  const { prepared, switched, pingPong } = stages(CANARY);
  const [before] = prepared.ingresses;
  const [after] = switched.ingresses;

  it('leaves all requests with the live Service, and its target group as it was', () => {
    expect(answerOf([], before!)).toEqual([['web', 80, 1]]);
    const noted = writtenByArgo(prepared, before!);
    expect(Object.keys(noted.metadata.annotations)).toContain('alb.ingress.kubernetes.io/actions.web');
    expect(answerOf(prepared.services, noted)).toEqual([['web', 80, 1]]);
    const applying = applied(noted, before!, after!);
    expect(answerOf(switched.services, applying)).toEqual([
      ['web-canary', 80, 0],
      ['web', 80, 1],
    ]);
    expect(writtenByArgo(switched, applying)).toEqual(applying);
  });

  it('in a single step would answer 503 until Argo comes', () => {
    expect(answerOf(switched.services, applied(before!, before!, after!))).toBe('503');
  });

  it('leads on to ping-pong with the same target group', () => {
    const canary = writtenByArgo(switched, applied(writtenByArgo(prepared, before!), before!, after!));
    const changed = applied(canary, after!, pingPong.ingresses[0]!);
    // Until Argo comes, the action is that of the canary.
    expect(answerOf(switched.services, changed)).toEqual([
      ['web-canary', 80, 0],
      ['web', 80, 1],
    ]);
    expect(answerOf(pingPong.services, writtenByArgo(pingPong, changed))).toEqual([
      ['web-ping', 80, 0],
      ['web', 80, 1],
    ]);
  });

  it('leaves no trace of the first step', () => {
    const applying = applied(writtenByArgo(prepared, before!), before!, after!);
    expect(Object.keys(applying.metadata.annotations)).not.toContain('rollout-constructs.io/ignore');
  });

  it('is an example, whose first step is clean as well', () => {
    const args = ['--import', 'tsx', join('examples', 'argo-migration.ts'), 'prepare'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: join(__dirname, '..', '..', '..'),
      encoding: 'utf8',
    });
    expect(stderr).not.toMatch(/\b(error|warning)\[/);
    expect(status).toBe(0);
    expect(stdout).toMatch(/replicas: 6.*kind: Ingress.*number: 80/s);
  }, 30_000);

  it('is taken by Argo in both steps', () => {
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
      },
    };
    for (const { rollout, services, ingresses } of [prepared, switched]) {
      const objects = [deployment, SERVICE, rollout, ...services, ...ingresses];
      const world = World.of(objects.map((object) => Manifest.of(object as never)));
      expect(admissionFindings(world)).toEqual([]);
      const expected = ingresses[0] === before ? ['argo-alb-backend-not-use-annotation'] : [];
      expect(checkArgoAlb(world).map(({ rule }) => rule)).toEqual(expected);
    }
  });
});
