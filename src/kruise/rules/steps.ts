/** Checks the traffic and the order of a Rollout's steps. */
import type { Finding } from '../../core/finding';
import { asList, asObject, isJsonObject, type Json, textOf } from '../../core/json';
import { defineRules } from '../../core/rule';
import { TRAFFIC_ROUTING_ANNOTATION } from '../api';
import { honoursPause, type RolloutSubject, type StepSubject } from '../subject';
import type { RolloutChecker } from './context';
import { edit, ROLLOUT, yaml } from './examples';
import { issue, source } from './sources';

const ROUTING = `
      trafficRoutings:
        - service: web
          ingress: { name: web, classType: nginx }`;
const FIRST = '- { traffic: 20%, replicas: 20%, pause: {} }';
const LAST = '- { traffic: 100%, replicas: 100% }';

/** Rules for the steps of a Rollout. */
export const stepRules = defineRules({
  'kruise-traffic-ignored': {
    severity: 'error',
    title: 'a step routes traffic, but the Rollout has no trafficRoutings',
    because:
      'without trafficRoutings the controller routes nothing and reports nothing: requests reach the new version in ' +
      'proportion to its pods, regardless of the step',
    fix: 'add trafficRoutings with the Service and the Ingress, HTTPRoute or objects that route to it, or remove traffic and matches',
    basis: 'read',
    sources: [source.manager, source.validation],
    failing: yaml(edit(ROLLOUT, [ROUTING, ''])),
    corrected: yaml(ROLLOUT),
  },

  'kruise-step-unrouted': {
    severity: 'warning',
    title: 'a step between routed steps has neither traffic nor matches',
    because:
      'during such a step the controller removes all routing: it restores the Service and the routes, ' +
      'so requests reach the new version in proportion to its pods',
    fix: 'repeat the traffic or the matches of the previous step',
    basis: 'read',
    sources: [source.canary],
    failing: yaml(edit(ROLLOUT, [LAST, `- { replicas: 50%, pause: {} }\n        ${LAST}`])),
    corrected: yaml(edit(ROLLOUT, [LAST, `- { traffic: 20%, replicas: 50%, pause: {} }\n        ${LAST}`])),
  },

  'kruise-traffic-decreases': {
    severity: 'warning',
    title: 'a step sends less traffic to the new version than the previous step',
    because: 'the v1beta1 webhook does not compare the traffic of steps, so a typo moves users back to the old version',
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
      'after this step the new version has all pods and all traffic, so later steps change nothing; their pauses only delay the end',
    fix: 'lower the values of the step, or remove the later steps',
    basis: 'read',
    sources: [source.validation, source.canary],
    failing: yaml(edit(ROLLOUT, [LAST, `- { traffic: 100%, replicas: 100%, pause: {} }\n        ${LAST}`])),
    corrected: yaml(ROLLOUT),
  },

  'kruise-pause-zero': {
    severity: 'warning',
    title: 'a step has a pause of 0 seconds',
    because:
      'the controller continues with the next step immediately, so that two steps run as one; a pause without duration waits for approval',
    fix: 'set the seconds to wait, or write "pause: {}" to wait for approval',
    basis: 'read',
    sources: [source.canary, issue(49)],
    failing: yaml(edit(ROLLOUT, ['pause: {}', 'pause: { duration: 0 }'])),
    corrected: yaml(edit(ROLLOUT, ['pause: {}', 'pause: { duration: 300 }'])),
  },

  'kruise-last-pause-ignored': {
    severity: 'warning',
    title: 'the controller ignores the pause of the last step',
    because:
      'in canary and partition style a last step with replicas 100% completes at once, with or without a pause: nobody gets a last look',
    fix: 'put the pause on a step before it, or remove it',
    basis: 'run',
    sources: [source.canary],
    failing: yaml(edit(ROLLOUT, [LAST, '- { traffic: 100%, replicas: 100%, pause: {} }'])),
    corrected: yaml(ROLLOUT),
  },

  'kruise-last-step-partial': {
    severity: 'warning',
    title: 'the last step does not reach 100%',
    because: 'after the last step the controller releases the rest immediately, without a pause to stop it',
    fix: 'add a step with replicas 100% (and traffic 100% if the Rollout routes traffic)',
    basis: 'read',
    sources: [source.canary],
    failing: yaml(edit(ROLLOUT, [`\n        ${LAST}`, ''])),
    corrected: yaml(ROLLOUT),
  },

  'kruise-header-pattern-literal': {
    severity: 'warning',
    title: 'a value that looks like a regular expression matches literally',
    because:
      'a match without type is an Exact match: the API server adds "type: Exact", and the gateway compares the value literally',
    fix: 'add "type: RegularExpression", or "type: Exact" if the value is literal',
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
    ...lastPause(rollout),
    ...partial(rollout),
    ...literalPatterns(rollout),
  ]);

function ignored({ manifest, steps, v1alpha1 }: RolloutSubject): Finding[] {
  const named = manifest.annotations[TRAFFIC_ROUTING_ANNOTATION];
  return steps.flatMap((step) => {
    // In v1alpha1, a weight without replicas is the share of pods, so the controller uses it.
    const isShareOfPods = v1alpha1 && step.replicas === undefined && step.object.weight !== undefined;
    const field = step.hasMatches ? 'matches' : isShareOfPods ? undefined : v1alpha1 ? 'weight' : 'traffic';
    if (field === undefined || !step.routes || step.object[field] === undefined) return [];
    const what = field === 'matches' ? 'matches' : `${field} ${JSON.stringify(step.object[field])}`;
    return [
      manifest.finding(stepRules['kruise-traffic-ignored'], {
        message: `steps[${step.index}] declares ${what}, but the Rollout has no trafficRoutings`,
        path: [...step.path, field],
        step: step.index,
        ...(named !== undefined && {
          because: `the TrafficRouting "${named}" routes by its own strategy and has no steps`,
          fix: 'add trafficRoutings to the Rollout, or remove traffic and matches from the steps',
        }),
      }),
    ];
  });
}

function unrouted({ manifest, steps, route }: RolloutSubject): Finding[] {
  const empty = route === undefined ? [] : steps.filter(({ routes, object }) => !routes && isEmptyList(object.matches));
  const routed = steps.filter(({ routes }) => routes).map(({ index }) => index);
  const first = Math.min(...routed);
  const last = Math.max(...routed);
  const between = steps.filter(
    (step) => !step.routes && !empty.includes(step) && step.index > first && step.index < last,
  );
  return [
    ...empty.map((step) =>
      manifest.finding(stepRules['kruise-step-unrouted'], {
        message: `the matches of steps[${step.index}] are empty, so no request is routed to the new version`,
        because: 'an empty list is as none: the pods of the step wait without requests, or get some by their number',
        path: [...step.path, 'matches'],
        step: step.index,
        fix: 'add a match, or traffic',
      }),
    ),
    ...between.map((step) =>
      manifest.finding(stepRules['kruise-step-unrouted'], {
        message: `steps[${step.index}] has neither traffic nor matches, but the steps around it route traffic`,
        path: step.path,
        step: step.index,
      }),
    ),
  ];
}

function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
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
        message: `steps[${step.index}] sends ${step.percent}% to the new version, but steps[${before.index}] before it sends ${before.percent}%`,
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
  // Nothing follows the last step that could run as one with it.
  return steps.slice(0, -1).flatMap((step) => {
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

function lastPause(rollout: RolloutSubject): Finding[] {
  const { manifest, steps } = rollout;
  const last = steps.at(-1);
  if (last === undefined || honoursPause(rollout, last.index) || !isJsonObject(last.object.pause)) return [];
  return [
    manifest.finding(stepRules['kruise-last-pause-ignored'], {
      message: `steps[${last.index}] is the last one and replaces 100% of the pods, so the controller ignores its pause`,
      path: [...last.path, 'pause'],
      step: last.index,
    }),
  ];
}

function partial({ manifest, steps, route, style, v1alpha1 }: RolloutSubject): Finding[] {
  const last = steps.at(-1);
  if (last === undefined) return [];
  const found = (message: string, field: string) => [
    manifest.finding(stepRules['kruise-last-step-partial'], {
      message: `the last step ${message}; the controller releases the rest immediately after it`,
      path: last.object[field] === undefined ? last.path : [...last.path, field],
      step: last.index,
    }),
  ];
  // The share of a fixed number of pods is unknown, because others may scale the workload.
  const replicas = typeof last.replicas === 'string' ? last.replicas : undefined;
  if (replicas !== undefined && replicas !== '100%' && /%$/.test(replicas)) {
    return found(`replaces ${replicas} of the pods`, 'replicas');
  }
  if (route === undefined || style === 'partition' || !last.routes) return [];
  if (last.hasMatches) return found('routes only the requests that match', 'matches');
  return last.percent !== undefined && last.percent < 100
    ? found(`sends ${last.percent}% of the traffic to the new version`, v1alpha1 ? 'weight' : 'traffic')
    : [];
}

/** Text that is common in regular expressions, but not in header values. */
const PATTERN = /\.[*+]|^\^|\$$|\\[dws.]|\[[^\]]+\]|\([^)]*\|/;

function literalPatterns({ manifest, steps }: RolloutSubject): Finding[] {
  return steps.flatMap((step) =>
    asList(step.object.matches).flatMap((match, at) =>
      (['headers', 'queryParams'] as const).flatMap((list) =>
        asList(asObject(match)[list]).flatMap((condition, index) => {
          const { type, name, value } = asObject(condition);
          const text = textOf(value);
          if (!isJsonObject(condition) || type !== undefined || text === undefined || !PATTERN.test(text)) return [];
          const what = list === 'headers' ? 'header' : 'query parameter';
          return [
            manifest.finding(stepRules['kruise-header-pattern-literal'], {
              message: `the ${what} "${textOf(name) ?? ''}" must equal ${JSON.stringify(text)} literally, because its match has no type`,
              path: [...step.path, 'matches', at, list, index],
              step: step.index,
            }),
          ];
        }),
      ),
    ),
  );
}
