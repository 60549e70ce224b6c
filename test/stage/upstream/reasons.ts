/** Why a rehearsal differs from what happened, and why `check` reports an error, where that is known. */
import type { Result } from './result';

interface Reason {
  /** `argo@1.9.1`. */
  readonly releases: RegExp;
  readonly stacks: RegExp;
  /** @default - every story */
  readonly stories?: RegExp;
  readonly reason: string;
}

const REASONS: readonly Reason[] = [
  {
    releases: /^kruise@/,
    stacks:
      /^(advanced-deployment-continuous-rolling-case|.*v1-v2-.*-no-traffic-succeeded(-2)?|v1-v2-.*-without-traffic-routing|patch-batch-id-to-pods-.*)$/,
    reason: 'a step declares traffic that nothing routes, and the test looks at pods only',
  },
  {
    releases: /^kruise@/,
    stacks: /^v1-v2-a-b-testing-header-cookies$/,
    reason: 'nginx drops the header user_id for its underscore, and the test sends no request',
  },
  {
    releases: /^kruise@/,
    stacks: /^v1-v2-a-b-testing-aliyun-alb-/,
    reason: "the test's own script gives the canary Ingress the order of the stable one, and the test sends no request",
  },
  {
    releases: /^kruise@/,
    stacks: /^v1-v2-route-traffic-with-header-query-params-path-matches/,
    reason: 'Istio compares a prefix letter by letter, nginx no parameters, and the test sends no request',
  },
  {
    releases: /^argo@/,
    stacks: /^alb-canary-update-multi-ingress$/,
    reason: "the stack names a root Service that it does not have; upstream's test runs on AWS only",
  },
  {
    releases: /^argo@/,
    stacks: /^workload-ref-template$/,
    reason: "upstream's test expects that the controller refuses it",
  },
  {
    releases: /^argo@/,
    stacks: /^(alb|istio-.*)-experiment-step/,
    reason:
      'the Services of an experiment are named after the hash of its pods, which a rehearsal does not have, and an ALB needs node ports of them',
  },
  {
    releases: /^argo@/,
    stacks: /^alb-header-route/,
    reason: 'an ALB reads the star of a header value as a wildcard, and the test sends no request',
  },
  {
    releases: /^argo@/,
    stacks: /^alb-mesh-ping-pong/,
    reason: 'the rehearsal does not move the stable and canary Services that a Rollout has beside those of ping-pong',
  },
  {
    releases: /^argo@/,
    stacks: /^canary-dynamic-stable-scale$/,
    stories: /^abort$/,
    reason:
      'with dynamicStableScale the weight follows the stable pods that are back; the AWS Load Balancer Controller refuses /* as a prefix',
  },
  {
    releases: /^argo@/,
    stacks: /^(alb-blue-green-update|canary-(un-)?scale-?down.*|canary-dynamic-stable-scale)$/,
    reason:
      'the AWS Load Balancer Controller refuses the path /* of the type Prefix, and the test looks at pods and Services only',
  },
  {
    releases: /^argo@/,
    stacks: /^fix-invalid-spec$/,
    reason: 'the rehearsal gives a Rollout without replicas one pod',
  },
];

/** Reasons that no result needs. */
export function unusedReasons(results: readonly Result[]): readonly { readonly reason: string }[] {
  const used = new Set(results.map(({ reason }) => reason));
  return REASONS.filter(({ reason }) => !used.has(reason));
}

/** The reason of a result; undefined if nobody knows one. */
export function reasonOf({ release, stack, story = '' }: Result): string | undefined {
  return REASONS.find(
    ({ releases, stacks, stories }) =>
      releases.test(release) && stacks.test(stack) && (stories === undefined || stories.test(story)),
  )?.reason;
}
