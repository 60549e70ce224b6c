/** What is said of the steps of a Rollout, in full, and the near misses. */
import { describe, expect, it } from 'vitest';
import { full } from './full';
import { deployment, rollout, rolloutV1alpha1, service } from './stack';

type Row = readonly [what: string, args: Parameters<typeof full>, findings: readonly string[]];

const H = (name: string, value: string, type?: string) => ({
  headers: [{ name, value, ...(type === undefined ? {} : { type }) }],
});
const PC = [H('user-agent', 'pc', 'Exact')];
const FULL = { traffic: '100%', replicas: '100%' };
const PARTITION = { enableExtraWorkloadForCanary: false };
const ALPHA = (steps: readonly object[], more: object = {}) => rolloutV1alpha1({ steps, ...more });

describe('traffic and matches of a Rollout without routes', () => {
  it.each<Row>([
    [
      'traffic without routes',
      [[rollout({ route: null })]],
      [
        'error kruise-traffic-ignored spec.strategy.canary.steps[0].traffic: steps[0] declares traffic "20%", but the Rollout has no trafficRoutings | step 0',
        'error kruise-traffic-ignored spec.strategy.canary.steps[1].traffic: steps[1] declares traffic "100%", but the Rollout has no trafficRoutings | step 1',
      ],
    ],
    [
      'traffic without routes, but with a TrafficRouting',
      [
        [
          rollout({ route: null, annotations: { 'rollouts.kruise.io/trafficrouting': 'front' } }),
          service(),
          deployment(),
        ],
      ],
      [
        'error kruise-traffic-ignored spec.strategy.canary.steps[0].traffic: steps[0] declares traffic "20%", but the Rollout has no trafficRoutings | add trafficRoutings to the Rollout, or remove traffic and matches from the steps | because the TrafficRouting "front" routes by its own strategy and has no steps | step 0',
        'error kruise-traffic-ignored spec.strategy.canary.steps[1].traffic: steps[1] declares traffic "100%", but the Rollout has no trafficRoutings | add trafficRoutings to the Rollout, or remove traffic and matches from the steps | because the TrafficRouting "front" routes by its own strategy and has no steps | step 1',
        'warning kruise-reference-missing metadata.annotations["rollouts.kruise.io/trafficrouting"]: there is no TrafficRouting "front" in the namespace "shop" | absent TrafficRouting front',
      ],
    ],
    [
      'matches without routes',
      [[rollout({ route: null, steps: [{ matches: PC, traffic: '20%', replicas: 1 }, { replicas: '100%' }] })]],
      [
        'error kruise-traffic-ignored spec.strategy.canary.steps[0].matches: steps[0] declares matches, but the Rollout has no trafficRoutings | step 0',
      ],
    ],
    ['neither without routes', [[rollout({ route: null, steps: [{ replicas: 1 }, { replicas: '100%' }] })]], []],
    ['a weight without replicas in v1alpha1', [[ALPHA([{ weight: 20 }, { weight: 100 }])]], []],
    [
      'a weight with replicas in v1alpha1',
      [[ALPHA([{ weight: 20, replicas: 1 }, { replicas: '100%' }])]],
      [
        'error kruise-traffic-ignored spec.strategy.canary.steps[0].weight: steps[0] declares weight 20, but the Rollout has no trafficRoutings | step 0',
      ],
    ],
    [
      'matches in v1alpha1',
      [[ALPHA([{ matches: PC, weight: 20 }, { replicas: '100%' }])]],
      [
        'error kruise-traffic-ignored spec.strategy.canary.steps[0].matches: steps[0] declares matches, but the Rollout has no trafficRoutings | step 0',
      ],
    ],
    [
      'traffic in v1alpha1, which does not exist',
      [[ALPHA([{ traffic: '20%', replicas: 1 }, { replicas: '100%' }])]],
      [],
    ],
    [
      'a weight in v1beta1, which does not exist',
      [[rollout({ route: null, steps: [{ weight: 20, replicas: 1 }, { replicas: '100%' }] })]],
      [],
    ],
    [
      'empty matches without routes',
      [[rollout({ route: null, steps: [{ matches: [], replicas: 1 }, { replicas: '100%' }] })]],
      [],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('a step that routes nothing', () => {
  it.each<Row>([
    [
      'a step between routed ones',
      [[rollout({ steps: [{ traffic: '20%', replicas: 1 }, { replicas: 2 }, FULL] })]],
      [
        'warning kruise-step-unrouted spec.strategy.canary.steps[1]: steps[1] has neither traffic nor matches, but the steps around it route traffic | step 1',
      ],
    ],
    [
      'a step before the routed ones',
      [[rollout({ steps: [{ replicas: 1 }, { traffic: '20%', replicas: 2 }, FULL] })]],
      [],
    ],
    [
      'a step after the routed ones',
      [[rollout({ steps: [{ traffic: '20%', replicas: 2 }, { replicas: '100%' }] })]],
      [],
    ],
    ['no routed step', [[rollout({ steps: [{ replicas: 2 }, { replicas: '100%' }] })]], []],
    [
      'empty matches between routed steps',
      [[rollout({ steps: [{ traffic: '20%', replicas: 1 }, { matches: [], replicas: 2 }, FULL] })]],
      [
        'warning kruise-step-unrouted spec.strategy.canary.steps[1].matches: the matches of steps[1] are empty, so no request is routed to the new version | add a match, or traffic | because an empty list is as none: the pods of the step wait without requests, or get some by their number | step 1',
      ],
    ],
    [
      'matches that are no list between routed steps',
      [[rollout({ steps: [{ traffic: '20%', replicas: 1 }, { matches: 'x', replicas: 2 }, FULL] })]],
      [
        'warning kruise-step-unrouted spec.strategy.canary.steps[1]: steps[1] has neither traffic nor matches, but the steps around it route traffic | step 1',
      ],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('traffic that decreases', () => {
  it.each<Row>([
    [
      'less traffic than before',
      [[rollout({ steps: [{ traffic: '50%', replicas: 1 }, { traffic: '49%', replicas: 2 }, FULL] })]],
      [
        'warning kruise-traffic-decreases spec.strategy.canary.steps[1].traffic: steps[1] sends 49% to the new version, but steps[0] before it sends 50% | step 1',
      ],
    ],
    [
      'the same traffic as before',
      [[rollout({ steps: [{ traffic: '50%', replicas: 1 }, { traffic: '50%', replicas: 2 }, FULL] })]],
      [],
    ],
    [
      'less traffic than before matches',
      [
        [
          rollout({
            steps: [
              { traffic: '50%', replicas: 1 },
              { matches: PC, traffic: '10%', replicas: 2 },
              { traffic: '20%', replicas: 3 },
              FULL,
            ],
          }),
        ],
      ],
      [
        'warning kruise-traffic-decreases spec.strategy.canary.steps[2].traffic: steps[2] sends 20% to the new version, but steps[0] before it sends 50% | step 2',
      ],
    ],
    [
      'less traffic twice',
      [
        [
          rollout({
            steps: [
              { traffic: '50%', replicas: 1 },
              { traffic: '40%', replicas: 2 },
              { traffic: '30%', replicas: 3 },
              FULL,
            ],
          }),
        ],
      ],
      [
        'warning kruise-traffic-decreases spec.strategy.canary.steps[1].traffic: steps[1] sends 40% to the new version, but steps[0] before it sends 50% | step 1',
        'warning kruise-traffic-decreases spec.strategy.canary.steps[2].traffic: steps[2] sends 30% to the new version, but steps[1] before it sends 40% | step 2',
      ],
    ],
    [
      'less weight in v1alpha1, which the webhook refuses',
      [
        [
          ALPHA(
            [
              { weight: 50, replicas: 1 },
              { weight: 40, replicas: 2 },
              { weight: 100, replicas: '100%' },
            ],
            { trafficRoutings: [{ service: 'web', ingress: { name: 'web' } }] },
          ),
        ],
      ],
      [],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('the end of a release', () => {
  it.each<Row>([
    [
      'a step that completes the release in canary style',
      [[rollout({ steps: [FULL, FULL] })]],
      [
        'warning kruise-step-after-completion spec.strategy.canary.steps[0]: steps[0] reaches replicas 100% and traffic 100%, so the steps after it change nothing | step 0',
      ],
    ],
    ['a step of all pods and some traffic', [[rollout({ steps: [{ traffic: '99%', replicas: '100%' }, FULL] })]], []],
    ['a step of all traffic and some pods', [[rollout({ steps: [{ traffic: '100%', replicas: '99%' }, FULL] })]], []],
    [
      'a step of all pods without traffic',
      [[rollout({ route: null, steps: [{ replicas: '100%' }, { replicas: '100%' }] })]],
      [
        'warning kruise-step-after-completion spec.strategy.canary.steps[0]: steps[0] reaches replicas 100%, so the steps after it change nothing | step 0',
      ],
    ],
    [
      'a step of all pods, as a number',
      [[rollout({ route: null, steps: [{ replicas: 100 }, { replicas: '100%' }] })]],
      [],
    ],
    ['a step of all pods, all traffic and matches', [[rollout({ steps: [{ ...FULL, matches: PC }, FULL] })]], []],
    [
      'a step of all pods in partition style',
      [[rollout({ strategy: PARTITION, steps: [{ traffic: '20%', replicas: '100%' }, { replicas: '100%' }] })]],
      [
        'warning kruise-step-after-completion spec.strategy.canary.steps[0]: steps[0] reaches replicas 100%, so the steps after it change nothing | step 0',
      ],
    ],
    [
      'a step of all pods without traffic in blue-green style',
      [[rollout({ blueGreen: true, steps: [{ replicas: '100%' }, FULL] })]],
      [],
    ],
    [
      'a step of all pods and all traffic in blue-green style',
      [[rollout({ blueGreen: true, steps: [FULL, FULL] })]],
      [
        'warning kruise-step-after-completion spec.strategy.blueGreen.steps[0]: steps[0] reaches replicas 100% and traffic 100%, so the steps after it change nothing | step 0',
      ],
    ],
    ['a last step that completes the release', [[rollout({ steps: [FULL] })]], []],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('a pause', () => {
  it.each<Row>([
    [
      'a pause of 0 seconds',
      [[rollout({ steps: [{ traffic: '20%', replicas: 1, pause: { duration: 0 } }, FULL] })]],
      [
        'warning kruise-pause-zero spec.strategy.canary.steps[0].pause.duration: steps[0] pauses for 0 seconds | step 0',
      ],
    ],
    [
      'a pause of -1 seconds',
      [[rollout({ steps: [{ traffic: '20%', replicas: 1, pause: { duration: -1 } }, FULL] })]],
      [
        'warning kruise-pause-zero spec.strategy.canary.steps[0].pause.duration: steps[0] pauses for -1 seconds | step 0',
      ],
    ],
    [
      'a pause of 1 second',
      [[rollout({ steps: [{ traffic: '20%', replicas: 1, pause: { duration: 1 } }, FULL] })]],
      [],
    ],
    [
      'a pause of 0 as a text',
      [[rollout({ steps: [{ traffic: '20%', replicas: 1, pause: { duration: '0' } }, FULL] })]],
      [],
    ],
    [
      'a pause of 0 seconds in a last step',
      [
        [
          rollout({
            steps: [
              { traffic: '20%', replicas: 1 },
              { ...FULL, replicas: 5, pause: { duration: 0 } },
            ],
          }),
        ],
      ],
      [],
    ],
    [
      'a pause in a last step of all pods',
      [[rollout({ steps: [{ ...FULL, pause: {} }] })]],
      [
        'warning kruise-last-pause-ignored spec.strategy.canary.steps[0].pause: steps[0] is the last one and replaces 100% of the pods, so the controller ignores its pause | step 0',
      ],
    ],
    ['a pause that is no object in a last step of all pods', [[rollout({ steps: [{ ...FULL, pause: true }] })]], []],
    [
      'a pause in a last step of blue-green style',
      [[rollout({ blueGreen: true, steps: [{ ...FULL, pause: {} }] })]],
      [],
    ],
    ['no steps', [[rollout({ steps: [] })]], []],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('the last step', () => {
  it.each<Row>([
    [
      'a last step of some pods',
      [[rollout({ steps: [{ traffic: '100%', replicas: '99%' }] })]],
      [
        'warning kruise-last-step-partial spec.strategy.canary.steps[0].replicas: the last step replaces 99% of the pods; the controller releases the rest immediately after it | step 0',
      ],
    ],
    [
      'a last step of some pods in partition style',
      [[rollout({ strategy: PARTITION, steps: [{ traffic: '20%', replicas: '50%' }] })]],
      [
        'warning kruise-last-step-partial spec.strategy.canary.steps[0].replicas: the last step replaces 50% of the pods; the controller releases the rest immediately after it | step 0',
      ],
    ],
    ['a last step of pods that are no percentage', [[rollout({ steps: [{ traffic: '100%', replicas: 'all' }] })]], []],
    [
      'a last step of some traffic',
      [[rollout({ steps: [{ traffic: '99%', replicas: '100%' }] })]],
      [
        'warning kruise-last-step-partial spec.strategy.canary.steps[0].traffic: the last step sends 99% of the traffic to the new version; the controller releases the rest immediately after it | step 0',
      ],
    ],
    [
      'a last step of matches',
      [[rollout({ steps: [{ matches: PC, replicas: '100%' }] })]],
      [
        'warning kruise-last-step-partial spec.strategy.canary.steps[0].matches: the last step routes only the requests that match; the controller releases the rest immediately after it | step 0',
      ],
    ],
    [
      'a last step of matches in partition style',
      [[rollout({ strategy: PARTITION, steps: [{ matches: PC, replicas: '100%' }] })]],
      [],
    ],
    [
      'a last step of some traffic without routes',
      [[rollout({ route: null, steps: [{ traffic: '99%', replicas: '100%' }] })]],
      [
        'error kruise-traffic-ignored spec.strategy.canary.steps[0].traffic: steps[0] declares traffic "99%", but the Rollout has no trafficRoutings | step 0',
      ],
    ],
    [
      'a last step without traffic',
      [[rollout({ steps: [{ traffic: '20%', replicas: 1 }, { replicas: '100%' }] })]],
      [],
    ],
    [
      'a last step of some weight in v1alpha1',
      [
        [
          ALPHA([{ weight: 50, replicas: '100%' }], {
            trafficRoutings: [{ service: 'web', ingress: { name: 'web' } }],
          }),
        ],
      ],
      [
        'warning kruise-last-step-partial spec.strategy.canary.steps[0].weight: the last step sends 50% of the traffic to the new version; the controller releases the rest immediately after it | step 0',
      ],
    ],
    ['a last step of unknown traffic', [[rollout({ steps: [{ traffic: 'all', replicas: '100%' }] })]], []],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('values that look like regular expressions', () => {
  it.each<Row>([
    [
      'patterns of parameters and headers',
      [
        [
          rollout({
            steps: [
              {
                matches: [
                  { queryParams: [{ name: 'v', value: '^1' }], headers: [{ name: 'b', value: 'x' }, { value: '^2' }] },
                  H('c', '^3'),
                ],
                replicas: 1,
              },
              FULL,
            ],
          }),
        ],
      ],
      [
        'warning kruise-header-pattern-literal spec.strategy.canary.steps[0].matches[0].headers[1]: the header "" must equal "^2" literally, because its match has no type | step 0',
        'warning kruise-header-pattern-literal spec.strategy.canary.steps[0].matches[0].queryParams[0]: the query parameter "v" must equal "^1" literally, because its match has no type | step 0',
        'warning kruise-header-pattern-literal spec.strategy.canary.steps[0].matches[1].headers[0]: the header "c" must equal "^3" literally, because its match has no type | step 0',
      ],
    ],
    [
      'conditions of a wrong shape',
      [
        [
          rollout({
            steps: [
              { matches: ['x', { headers: 'y' }, { headers: ['^z', { name: 'a', value: 5 }] }], replicas: 1 },
              FULL,
            ],
          }),
        ],
      ],
      [],
    ],
    [
      'a pattern with a type',
      [
        [
          rollout({
            steps: [{ matches: [H('a', '^1', 'RegularExpression'), H('b', '^2', 'Exact')], replicas: 1 }, FULL],
          }),
        ],
      ],
      [],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('a value of a header without a type', () => {
  const literal = (value: string) => full([rollout({ steps: [{ matches: [H('a', value)], replicas: 1 }, FULL] })]);

  it.each(['.*a', 'a.+', '^a', 'a$', '\\d', '\\w', '\\s', 'a\\.b', '[a]', '(a|b)', '(|'])('%j looks so', (value) => {
    expect(literal(value)).toEqual([
      `warning kruise-header-pattern-literal spec.strategy.canary.steps[0].matches[0].headers[0]: the header "a" must equal ${JSON.stringify(value)} literally, because its match has no type | step 0`,
    ]);
  });

  it.each(['a.b', 'a^b', 'a$b', '\\x', '[]', '(a)', 'a|b', '*', '+', 'a*', ''])('%j does not', (value) => {
    expect(literal(value)).toEqual([]);
  });
});
