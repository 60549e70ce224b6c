/** Releases that wait or hang, as real controllers left them: `npm run stage -- hang` writes them and plays the ways out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseManifests } from '../../src/core';
import { examine, groupKindOfRead, LiveCluster, progressOf, READ_KINDS } from '../../src/doctor';
import { argoCluster } from './argo-cluster';
import { examined, item } from './examined';
import { kruiseCluster } from './kruise-cluster';
import { ktenvCluster } from './ktenv-cluster';

const FOLDER = join(__dirname, 'recorded');

function recorded(name: string, now?: string): LiveCluster {
  const file = `${name}.yaml`;
  const { manifests } = parseManifests(readFileSync(join(FOLDER, file), 'utf8'), file);
  // Everything was read, so what is not there does not exist.
  const served = new Set(READ_KINDS.map(groupKindOfRead));
  return new LiveCluster({ from: file, manifests, served, ...(now === undefined ? {} : { now: new Date(now) }) });
}

function progressIn(cluster: LiveCluster) {
  const [release] = progressOf(cluster);
  if (release === undefined) throw new Error(`${cluster.from} has no Rollout`);
  return release.progress;
}

/** What is said of a recorded cluster: the state, the answer, and what somebody has to do. */
type Said = readonly [lab: string, state: string, answer: RegExp, act?: string];

const ROLL_BACK = 'release the old version, or one whose pods become ready';
const NOT_FOUND = 'create the object again';
const CORRECT = 'correct the AnalysisTemplate';
const RETRY = 'kubectl argo rollouts retry rollout shop -n';
const PROMOTE = 'kubectl argo rollouts promote shop -n';
const PODS = /^no: pods of the new version do not become ready/;
const UNVERIFIED = /^no, as long as the controller does not see the weights of the target groups at the load balancer$/;

const ARGO: readonly Said[] = [
  // Refused by the controller.
  ['alb-service-gone', 'stuck', /service "shop-canary" not found$/, NOT_FOUND],
  ['bg-service-gone', 'stuck', /service "shop-preview" not found$/, NOT_FOUND],
  ['alb-route-gone', 'stuck', /ingress\.networking\.k8s\.io "shop" not found$/, NOT_FOUND],
  ['istio-route-gone', 'stuck', /virtualservices\.networking\.istio\.io "shop" not found$/, NOT_FOUND],
  ['hang-template-gone', 'stuck', /AnalysisTemplate 'shop' not found$/, NOT_FOUND],
  ['hang-workload-gone', 'stuck', /deployments\.apps "hang-workload-gone\/shop" not found$/, NOT_FOUND],
  ['hang-invalid-step', 'stuck', /SetWeight needs to be between 0 and 100$/, 'correct the field'],
  ['hang-invalid-before', 'stuck', /SetWeight needs to be between 0 and 100$/, 'correct the field'],
  // Aborted.
  ['alb-abort-2', 'stuck', /^no: Rollout aborted update to revision 2$/, RETRY],
  ['hang-bg-abort', 'stuck', /^no: Rollout aborted update to revision 2$/, RETRY],
  ['alb-deadline-abort', 'stuck', /^no: Rollout aborted update to revision 2$/, RETRY],
  ['alb-analysis-fails', 'stuck', /Step-based analysis phase error\/failed: Metric "version" assessed Failed/, RETRY],
  ['alb-analysis-error', 'stuck', /assessed Error .* connection refused"$/, RETRY],
  ['bg-analysis-before-fails', 'stuck', /pre-promotion analysis phase error\/failed/, RETRY],
  ['bg-analysis-after-fails', 'stuck', /post-promotion analysis phase error\/failed/, 'a retry is aborted at once'],
  // Nobody runs it.
  ['hang-analysis-none', 'stuck', /^no: the analysis of steps\[1\] names no template/, `skip it: ${PROMOTE}`],
  ['hang-bg-before-none', 'stuck', /^no: prePromotionAnalysis names no template/, 'promote --full shop'],
  ['hang-bg-after-none', 'stuck', /^no: postPromotionAnalysis names no template/, 'promote --full shop'],
  ['hang-bg-window', 'stuck', /within rollbackWindow: the controller ends each pause/, 'promote --full shop'],
  // Pods.
  ['alb-deadline', 'stuck', /^no: pods .* for longer than progressDeadlineSeconds \(8\): shop-\S+$/, ROLL_BACK],
  ['hang-istio-subsets-broken', 'running', /^yes, when the pods of the new version are ready; not ready: shop-\S+$/],
  ['hang-alb-broken', 'running', /^yes, when the pods of the new version are ready; not ready: shop-\S+$/],
  ['hang-bg-broken', 'running', /^yes, when the pods .* not ready: (shop-\S+,? ){3}and shop-\S+$/],
  ['hang-bg-quota', 'stuck', PODS, 'mend what is said of them'],
  ['hang-alb-unschedulable', 'stuck', PODS, 'mend what is said of them'],
  // Analyses and experiments.
  ['hang-analysis-inconclusive', 'stuck', /^no: AnalysisRun \S+ is inconclusive$/, `decide: ${PROMOTE}`],
  ['hang-background-inconclusive', 'stuck', /^no: AnalysisRun \S+ is inconclusive$/, CORRECT],
  ['hang-bg-before-inconclusive', 'stuck', /^no: AnalysisRun \S+-pre is inconclusive$/, CORRECT],
  ['hang-bg-after-inconclusive', 'stuck', /^no: AnalysisRun \S+-post is inconclusive$/, CORRECT],
  ['hang-analysis-job', 'running', /^yes, when AnalysisRun hang-analysis-job\/\S+ ends$/],
  ['hang-experiment-inconclusive', 'stuck', /its experiment is inconclusive/, 'promote --skip-current-step shop'],
  ['hang-experiment', 'stuck', /^no: Experiment \S+ has neither a duration nor an analysis/, `skip it: ${PROMOTE}`],
  // Pauses.
  ['hang-alb-pause', 'waiting', /^when somebody promotes steps\[1\]: kubectl argo /, PROMOTE],
  ['hang-none-pause', 'waiting', /^when somebody promotes steps\[1\]: kubectl argo /, PROMOTE],
  ['none-undo-2', 'running', /^when the controller has read the last change .* it has read generation 3 of 4$/],
  ['hang-alb-pause-hour', 'timed', /^yes, after the pause of 3600 s, at 20\d\d-/],
  ['hang-bg-pause', 'waiting', /^when somebody promotes the new version: kubectl argo /, PROMOTE],
  ['hang-bg-seconds', 'timed', /^yes, autoPromotionSeconds is 3600, at 20\d\d-/],
  ['hang-alb-paused', 'waiting', /^when somebody sets spec\.paused to false/, PROMOTE],
  ['hang-alb-paused-before', 'waiting', /^when somebody sets spec\.paused to false/, PROMOTE],
  // Load balancers.
  ['verify-alb-kept-first', 'stuck', UNVERIFIED, 'TargetGroupUnverified'],
  ['verify-alb-kept', 'stuck', UNVERIFIED, 'TargetGroupUnverified'],
  ['verify-alb-kept-end', 'stuck', UNVERIFIED, 'TargetGroupUnverified'],
  ['verify-alb-kept-deadline', 'stuck', UNVERIFIED, 'TargetGroupUnverified'],
  ['verify-ping-pong-kept', 'stuck', UNVERIFIED, 'TargetGroupUnverified'],
  ['verify-alb-missing', 'stuck', UNVERIFIED, 'TargetGroupUnverified'],
  ['verify-alb-kept-abort', 'stuck', /^no: Rollout aborted update to revision 2$/, RETRY],
  ['verify-bg-kept', 'stuck', /does not see the new pods in the target group/, 'TargetGroupUnverified'],
];

const APPROVE = 'kubectl-kruise rollout approve rollout/shop -n';
const GONE = 'create what is missing';

const KRUISE: readonly Said[] = [
  [
    'blueGreen-third-2',
    'stuck',
    /^no: another version came into the blue-green release, and it waits until Deployment \S+\/shop is rolled back$/,
    'back to the old version',
  ],
  ...(['blueGreen', 'partition'] as const).map(
    (style): Said => [
      `${style}-rollout-id`,
      'stuck',
      /^no, for ever: .*stableRevision is empty/,
      'spec.disabled: true',
    ],
  ),
  ['advanced-daemonset-nginx', 'stuck', /it never has one for a DaemonSet$/, 'set spec.disabled: true, remove traffic'],
  // What is missing.
  ['canary-service-gone', 'stuck', /^no, as long as Service \S+\/shop does not exist$/, GONE],
  ['canary-gateway-api-route-gone', 'stuck', /^no, as long as HTTPRoute \S+\/shop does not exist$/, GONE],
  ['canary-istio-route-gone', 'stuck', /^no, as long as VirtualService \S+\/shop does not exist$/, GONE],
  ...(['canary', 'partition', 'blueGreen'] as const).flatMap((style): Said[] => [
    [`${style}-no-ingress`, 'stuck', /^no, as long as Ingress \S+\/shop does not exist$/, GONE],
    [`${style}-no-service`, 'stuck', /^no, as long as Service \S+\/shop does not exist$/, GONE],
    // People and time.
    [`hang-${style}-pause`, 'waiting', /^when somebody approves steps\[0\]: kubectl-kruise /, APPROVE],
    [`hang-${style}-paused`, 'waiting', /^when somebody sets spec\.strategy\.paused to false/, '{"paused":false}'],
    // Pods.
    [`hang-${style}-broken`, 'running', /^yes, when the pods of the new version are ready, 0 of \d are$/],
    [`hang-${style}-unschedulable`, 'stuck', PODS, 'mend what is said of them'],
  ]),
  ['hang-canary-broken-third', 'running', /^yes, when the pods of the new version are ready, 0 of 1 are$/],
  ['hang-canary-quota', 'stuck', PODS, 'mend what is said of them'],
  ['hang-blueGreen-quota', 'stuck', PODS, 'mend what is said of them'],
  ['hang-canary-pause-hour', 'timed', /^yes, after the pause of 3600 s, at 20\d\d-/],
];

/** Hangs that only a rehearsal finds. */
const REHEARSED: readonly (readonly [lab: string, answer: RegExp, act: string])[] = [
  [
    'blueGreen-one-service',
    /steps\[0\] never leaves the state BeforeStepUpgrade/,
    'remove disableGenerateCanaryService',
  ],
  ['canary-gateway-api-same-service', /the controller has taken the last rule out of the HTTPRoute/, 'backendRef'],
  ['canary-gateway-api-jump-to-matches', /the controller has taken the last rule out of the HTTPRoute/, 'backendRef'],
  ['partition-one-pod', /the two writes undo each other/, 'let the first step replace fewer pods'],
  ['partition-all-at-step', /the two writes undo each other/, 'let the first step replace fewer pods'],
  ['canary-aws-alb-long-name', /is too long for the annotation .* give it a name of at most 45 characters$/, 'message'],
  ['canary-mse-no-annotations', /attempt to index a non-table object/, 'add an annotation to the Ingress'],
];

describe.each([
  { release: 'argo/1.9.1', all: ARGO },
  { release: 'kruise/0.6.2', all: KRUISE },
])('$release', ({ release, all }) => {
  it.each(all.map(([lab, state, answer, act]) => ({ lab, state, answer, act })))(
    '$lab is $state',
    ({ lab, state, answer, act }) => {
      const said = progressIn(recorded(`${release}/${lab}`));
      expect([said.state, said.answer]).toEqual([state, expect.stringMatching(answer)]);
      if (act === undefined) expect(said.act).toBeUndefined();
      else expect(said.act).toContain(act);
    },
  );

  it('has an answer for every recorded cluster', () => {
    const rehearsed = release.startsWith('kruise') ? REHEARSED.map(([lab]) => lab) : [];
    const labs = readdirSync(join(FOLDER, release)).map((file) => file.replace(/\.yaml$/, ''));
    expect([...all.map(([lab]) => lab), ...rehearsed].sort()).toEqual(labs.sort());
  });
});

describe.each(REHEARSED)('kruise/0.6.2, rehearsed: %s', (lab, answer, act) => {
  it('does not go on, for a reason, with a way out', () => {
    const release = examine(recorded(`kruise/0.6.2/${lab}`));
    const progress = item(release, 'kruise-progress');
    expect([progress.status, progress.answer]).toEqual(['problem', expect.stringMatching(answer)]);
    expect(progress.fix).toContain(act);
    expect(item(release, 'kruise-status').details?.join('\n')).toMatch(/^Progressing=True \(\w+\): /m);
  });
});

describe('what an answer is based on', () => {
  it.each([
    ['hang-bg-quota', 'forbidden: exceeded quota: pods'],
    ['hang-alb-unschedulable', "Unschedulable: 0/4 nodes are available: 4 node(s) didn't match Pod's node affinity"],
    ['alb-analysis-fails', 'metric version: Failed, the last value is "1"'],
    ['alb-analysis-error', 'metric version: Error: Get "https://127.0.0.1:1/version"'],
    ['alb-deadline-abort', 'the controller aborts after 8 s without progress'],
    [
      'hang-alb-broken',
      'after 600 s without progress (progressDeadlineSeconds), the controller reports it as Degraded',
    ],
    ['hang-analysis-job', 'metric test: Running'],
    ['none-undo-2', 'kubectl annotate rollouts.argoproj.io shop -n none-undo-2'],
  ])('of %s is in its details', (lab, line) => {
    expect(progressIn(recorded(`argo/1.9.1/${lab}`)).details?.join('\n')).toContain(line);
  });

  it('includes the time: a load balancer may need some', () => {
    const cluster = recorded('argo/1.9.1/verify-alb-kept-first');
    const [rollout] = cluster.world.list('Rollout.argoproj.io');
    const conditions = rollout!.get('status.conditions') as { type: string; lastUpdateTime: string }[];
    const since = Date.parse(conditions.find(({ type }) => type === 'Progressing')!.lastUpdateTime);
    const later = (seconds: number) => new Date(since + seconds * 1000).toISOString();
    expect(progressIn(recorded('argo/1.9.1/verify-alb-kept-first', later(60)))).toEqual({
      state: 'running',
      answer: 'yes, when the load balancer has the weights of the target groups',
    });
    expect(progressIn(recorded('argo/1.9.1/verify-alb-kept-first', later(121))).state).toBe('stuck');
  });

  it('is shown with the conditions of the Rollout, also of one without traffic routing', () => {
    const { checkup } = examine(recorded('argo/1.9.1/hang-none-pause'), {
      only: { namespace: 'hang-none-pause', name: 'shop' },
    });
    const [, rollout] = checkup.sections;
    expect(rollout?.items.map(({ id }) => id).slice(0, 2)).toEqual(['argo-status', 'argo-progress']);
    expect(rollout?.items[0]?.details?.join('\n')).toMatch(/^Paused=True \(RolloutPaused\): Rollout is paused$/m);
    const refused = item(examine(recorded('argo/1.9.1/alb-service-gone')), 'argo-status');
    expect(refused.details?.join('\n')).toMatch(/^InvalidSpec=True \(InvalidSpec\): The Rollout "shop" is invalid/m);
  });
});

it('tells whoever asks about one Rollout nothing of other systems', () => {
  const objects = [kruiseCluster(), argoCluster(), ktenvCluster()].join('\n---\n');
  const { checkup } = examined(objects, undefined, { only: { namespace: 'shop', name: 'web' } });
  expect(examined(objects).checkup.sections.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['Kruise Rollouts', 'Argo Rollouts', 'KtEnv']),
  );
  expect(checkup.sections.map(({ title }) => title)).toEqual(['Kruise Rollouts', 'Rollout shop/web']);
});
