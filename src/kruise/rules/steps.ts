/** What the steps of a Rollout make of its traffic, one after the other. */
import type { Finding } from '../../core/finding';
import { isJsonObject } from '../../core/json';
import { defineRules } from '../../core/rule';
import { TRAFFIC_ROUTING_ANNOTATION } from '../api';
import { asList, asObject, asString } from '../json';
import type { RolloutChecker } from './context';
import { edit, ROLLOUT, yaml } from './examples';
import { issue, source } from './sources';
import type { RolloutSubject, StepSubject } from './subject';

const ROUTING = `
      trafficRoutings:
        - service: web
          ingress: { name: web, classType: nginx }`;
const FIRST = '- { traffic: 20%, replicas: 20%, pause: {} }';
const LAST = '- { traffic: 100%, replicas: 100% }';

/** Rules on the steps of a Rollout. */
export const stepRules = defineRules({
  'kruise-traffic-ignored': {
    severity: 'error',
    title: 'a step routes traffic, but the Rollout has no trafficRoutings',
    because:
      'without trafficRoutings the controller routes nothing and says nothing: requests reach the new version in ' +
      'proportion to its pods, whatever the step declares',
    fix: 'add trafficRoutings with the Service and the Ingress, HTTPRoute or objects that route to it, or take traffic and matches out',
    basis: 'read',
    sources: [source.manager, source.validation],
    failing: yaml(edit(ROLLOUT, [ROUTING, ''])),
    corrected: yaml(ROLLOUT),
  },

  'kruise-step-unrouted': {
    severity: 'warning',
    title: 'a step between routed steps has neither traffic nor matches',
    because:
      'for the length of such a step the controller takes all routing away: it restores the Service and the routes, ' +
      'so requests reach the new version in proportion to its pods',
    fix: 'repeat the traffic or the matches of the step before',
    basis: 'read',
    sources: [source.canary],
    failing: yaml(edit(ROLLOUT, [LAST, `- { replicas: 50%, pause: {} }\n        ${LAST}`])),
    corrected: yaml(edit(ROLLOUT, [LAST, `- { traffic: 20%, replicas: 50%, pause: {} }\n        ${LAST}`])),
  },

  'kruise-traffic-decreases': {
    severity: 'warning',
    title: 'a step sends less traffic to the new version than the step before',
    because:
      'the v1beta1 webhook does not compare the traffic of steps, so a typing error takes users back to the old version',
    fix: 'put the steps in the order of their traffic',
    basis: 'read',
    sources: [source.validation],
    failing: yaml(edit(ROLLOUT, [LAST, `- { traffic: 5%, replicas: 50%, pause: {} }\n        ${LAST}`])),
    corrected: yaml(edit(ROLLOUT, [LAST, `- { traffic: 50%, replicas: 50%, pause: {} }\n        ${LAST}`])),
  },

  'kruise-step-after-completion': {
    severity: 'warning',
    title: 'a step before the last one already completes the release',
    because:
      'after it the new version has all pods and all traffic, so the steps that follow change nothing; only their pauses hold up the end',
    fix: 'lower the step, or remove the ones after it',
    basis: 'read',
    sources: [source.validation, source.canary],
    failing: yaml(edit(ROLLOUT, [LAST, `- { traffic: 100%, replicas: 100%, pause: {} }\n        ${LAST}`])),
    corrected: yaml(ROLLOUT),
  },

  'kruise-pause-zero': {
    severity: 'warning',
    title: 'a step pauses for no time at all',
    because:
      'the controller goes on to the next step at once, so that two steps run as one; a pause without duration waits for approval',
    fix: 'give the seconds to wait, or write "pause: {}" to wait for approval',
    basis: 'read',
    sources: [source.canary, issue(49)],
    failing: yaml(edit(ROLLOUT, ['pause: {}', 'pause: { duration: 0 }'])),
    corrected: yaml(edit(ROLLOUT, ['pause: {}', 'pause: { duration: 300 }'])),
  },

  'kruise-last-step-partial': {
    severity: 'warning',
    title: 'the last step does not reach 100%',
    because:
      'after the last step the controller releases all that is left at once, without a pause in which anybody could stop it',
    fix: 'add a step with replicas 100% (and traffic 100% where traffic is routed)',
    basis: 'read',
    sources: [source.canary],
    failing: yaml(edit(ROLLOUT, [`\n        ${LAST}`, ''])),
    corrected: yaml(ROLLOUT),
  },

  'kruise-header-pattern-literal': {
    severity: 'warning',
    title: 'a value that looks like a pattern is matched literally',
    because:
      'a match without type is an Exact match: the API server adds "type: Exact", and the value is compared character by character',
    fix: 'add "type: RegularExpression", or "type: Exact" if the characters are meant as they are',
    basis: 'read',
    sources: [source.types],
    failing: yaml(
      edit(ROLLOUT, [
        FIRST,
        '- { matches: [{ headers: [{ name: user-agent, value: ".*Android.*" }] }], replicas: 20%, pause: {} }',
      ]),
    ),
    corrected: yaml(
      edit(ROLLOUT, [
        FIRST,
        '- { matches: [{ headers: [{ type: RegularExpression, name: user-agent, value: ".*Android.*" }] }], replicas: 20%, pause: {} }',
      ]),
    ),
  },
});

/** Checks the steps of every Rollout. */
export const checkSteps: RolloutChecker = ({ rollouts }) =>
  rollouts.flatMap((rollout) => [
    ...(rollout.route === undefined ? ignored(rollout) : [...unrouted(rollout), ...decreasing(rollout)]),
    ...completed(rollout),
    ...pauses(rollout),
    ...partial(rollout),
    ...literalPatterns(rollout),
  ]);

function ignored({ manifest, steps, v1alpha1 }: RolloutSubject): Finding[] {
  const named = manifest.annotations[TRAFFIC_ROUTING_ANNOTATION];
  return steps.flatMap((step) => {
    // The weight of v1alpha1 without replicas is the share of pods, and so not ignored.
    const isShareOfPods = v1alpha1 && step.replicas === undefined && step.object.weight !== undefined;
    const field = step.hasMatches ? 'matches' : isShareOfPods ? undefined : v1alpha1 ? 'weight' : 'traffic';
    if (field === undefined || !step.routes) return [];
    const what = field === 'matches' ? 'matches' : `${field} ${JSON.stringify(step.object[field])}`;
    return [
      manifest.finding(stepRules['kruise-traffic-ignored'], {
        message: `steps[${step.index}] declares ${what}, but the Rollout has no trafficRoutings`,
        path: [...step.path, field],
        step: step.index,
        ...(named !== undefined && {
          because: `the TrafficRouting "${named}" routes by its own strategy and knows no steps`,
          fix: 'put trafficRoutings into the Rollout itself, or take traffic and matches out of the steps',
        }),
      }),
    ];
  });
}

function unrouted({ manifest, steps }: RolloutSubject): Finding[] {
  const routed = steps.filter(({ routes }) => routes).map(({ index }) => index);
  const first = Math.min(...routed);
  const last = Math.max(...routed);
  return steps
    .filter(({ routes, index }) => !routes && index > first && index < last)
    .map((step) =>
      manifest.finding(stepRules['kruise-step-unrouted'], {
        message: `steps[${step.index}] has neither traffic nor matches, but the steps around it route traffic`,
        path: step.path,
        step: step.index,
      }),
    );
}

function decreasing({ manifest, steps, v1alpha1 }: RolloutSubject): Finding[] {
  // The v1alpha1 webhook refuses this itself.
  if (v1alpha1) return [];
  const byPercent = steps.filter(({ percent, hasMatches }) => percent !== undefined && !hasMatches);
  return byPercent.slice(1).flatMap((step, index) => {
    const before = byPercent[index]!;
    if (step.percent! >= before.percent!) return [];
    return [
      manifest.finding(stepRules['kruise-traffic-decreases'], {
        message: `steps[${step.index}] sends ${step.percent}% to the new version, steps[${before.index}] before it ${before.percent}%`,
        path: [...step.path, 'traffic'],
        step: step.index,
      }),
    ];
  });
}

function completed({ manifest, steps, style }: RolloutSubject): Finding[] {
  const step = steps.find((each) => completes(each, style));
  if (step === undefined || step.index === steps.length - 1) return [];
  const reached = style === 'partition' || !step.routes ? 'replicas 100%' : 'replicas 100% and traffic 100%';
  return [
    manifest.finding(stepRules['kruise-step-after-completion'], {
      message: `steps[${step.index}] reaches ${reached}, so the steps after it change nothing`,
      path: step.path,
      step: step.index,
    }),
  ];
}

function completes({ replicas, percent, hasMatches, routes }: StepSubject, style: RolloutSubject['style']): boolean {
  if (replicas !== '100%') return false;
  if (style === 'partition') return true;
  return (percent === 100 && !hasMatches) || (style === 'canary' && !routes);
}

function pauses({ manifest, steps }: RolloutSubject): Finding[] {
  return steps.flatMap((step) => {
    const { duration } = asObject(step.object.pause);
    if (typeof duration !== 'number' || duration > 0) return [];
    return [
      manifest.finding(stepRules['kruise-pause-zero'], {
        message: `steps[${step.index}] pauses for ${duration} seconds`,
        path: [...step.path, 'pause', 'duration'],
        step: step.index,
      }),
    ];
  });
}

function partial({ manifest, steps, route, style }: RolloutSubject): Finding[] {
  const last = steps.at(-1);
  if (last === undefined) return [];
  const found = (message: string, field: string) => [
    manifest.finding(stepRules['kruise-last-step-partial'], {
      message: `the last step ${message}; the rest follows at once when it ends`,
      path: last.object[field] === undefined ? last.path : [...last.path, field],
      step: last.index,
    }),
  ];
  // Of a number of pods nobody can say here how much of the whole it is: the workload is scaled by others too.
  const replicas = typeof last.replicas === 'string' ? last.replicas : undefined;
  if (replicas !== undefined && replicas !== '100%' && /%$/.test(replicas)) {
    return found(`replaces ${replicas} of the pods`, 'replicas');
  }
  if (route === undefined || style === 'partition' || !last.routes) return [];
  if (last.hasMatches) return found('routes only the requests that match', 'matches');
  return last.percent !== undefined && last.percent < 100
    ? found(`sends ${last.percent}% of the traffic to the new version`, 'traffic')
    : [];
}

/** What nobody writes into a header, and everybody into a pattern. */
const PATTERN = /\.[*+]|^\^|\$$|\\[dws.]|\[[^\]]+\]|\([^)]*\|/;

function literalPatterns({ manifest, steps }: RolloutSubject): Finding[] {
  return steps.flatMap((step) =>
    asList(step.object.matches).flatMap((match, at) =>
      (['headers', 'queryParams'] as const).flatMap((list) =>
        asList(asObject(match)[list]).flatMap((condition, index) => {
          const { type, name, value } = asObject(condition);
          const text = asString(value);
          if (!isJsonObject(condition) || type !== undefined || text === undefined || !PATTERN.test(text)) return [];
          const what = list === 'headers' ? 'header' : 'query parameter';
          return [
            manifest.finding(stepRules['kruise-header-pattern-literal'], {
              message: `the ${what} "${asString(name) ?? ''}" is compared with ${JSON.stringify(text)} literally, as its match has no type`,
              path: [...step.path, 'matches', at, list, index],
              step: step.index,
            }),
          ];
        }),
      ),
    ),
  );
}
