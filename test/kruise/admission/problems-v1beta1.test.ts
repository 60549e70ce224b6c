/** Every problem that the webhook has with a v1beta1 Rollout: its field, our path and text, the fix, and whether the webhook gets to it. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json';
import { ALLOWED, problems } from './problems';
import { blueGreen, v1beta1 } from './rollouts';

type Row = readonly [rollout: JsonObject, problems: readonly string[]];

describe('a v1beta1 Rollout', () => {
  it.each<Row>([
    [
      v1beta1({ steps: [] }),
      ['rollout-steps-empty Spec.Strategy.Canary.Steps | spec.strategy.canary.steps: has no steps'],
    ],
    [
      v1beta1({ steps: [{}] }),
      [
        'rollout-replicas-missing Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0]: has no replicas | step 0',
      ],
    ],
    [
      v1beta1({ steps: [{ traffic: '20%' }, { replicas: 1 }, { traffic: '30%' }] }),
      [
        'rollout-replicas-missing Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0]: has no replicas | add replicas, for example "20%" | step 0',
        '(later) rollout-replicas-missing Spec.Strategy.Canary.Steps[2].steps | spec.strategy.canary.steps[2]: has no replicas | add replicas, for example "30%" | step 2',
      ],
    ],
    [
      v1beta1({ steps: [{ replicas: 0 }] }),
      [
        'rollout-replicas-invalid Spec.Strategy.Canary.Steps[0].Replicas | spec.strategy.canary.steps[0].replicas: 0 is neither a positive number nor a percentage from "1%" to "100%" | step 0',
      ],
    ],
    [
      v1beta1({ steps: [{ replicas: -1 }] }),
      [
        'rollout-replicas-invalid Spec.Strategy.Canary.Steps[0].Replicas | spec.strategy.canary.steps[0].replicas: -1 is neither a positive number nor a percentage from "1%" to "100%" | step 0',
      ],
    ],
    [
      v1beta1({ steps: [{ replicas: '0%' }] }),
      [
        'rollout-replicas-invalid Spec.Strategy.Canary.Steps[0].Replicas | spec.strategy.canary.steps[0].replicas: "0%" is neither a positive number nor a percentage from "1%" to "100%" | step 0',
      ],
    ],
    [v1beta1({ steps: [{ replicas: '1%' }] }), [ALLOWED]],
    [v1beta1({ steps: [{ replicas: '100%' }] }), [ALLOWED]],
    [
      v1beta1({ steps: [{ replicas: '101%' }] }),
      [
        'rollout-replicas-invalid Spec.Strategy.Canary.Steps[0].Replicas | spec.strategy.canary.steps[0].replicas: "101%" is neither a positive number nor a percentage from "1%" to "100%" | step 0',
      ],
    ],
    [v1beta1({ steps: [{ replicas: 101 }] }), [ALLOWED]],
    [
      v1beta1({ steps: [{ replicas: '50' }] }),
      [
        'rollout-replicas-invalid Spec.Strategy.Canary.Steps[0].Replicas | spec.strategy.canary.steps[0].replicas: "50" is neither a positive number nor a percentage from "1%" to "100%" | write 50 without quotes for pods, or "50%" for a share | step 0',
      ],
    ],
    [
      v1beta1({ steps: [{ replicas: '50x' }] }),
      [
        'rollout-replicas-invalid Spec.Strategy.Canary.Steps[0].Replicas | spec.strategy.canary.steps[0].replicas: "50x" is neither a positive number nor a percentage from "1%" to "100%" | step 0',
      ],
    ],
    [
      v1beta1({ steps: [{ replicas: 'x50' }] }),
      [
        'rollout-replicas-invalid Spec.Strategy.Canary.Steps[0].Replicas | spec.strategy.canary.steps[0].replicas: "x50" is neither a positive number nor a percentage from "1%" to "100%" | step 0',
      ],
    ],
    [
      v1beta1({ steps: [{ replicas: 1, traffic: '0%' }] }),
      [
        'rollout-traffic-invalid Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].traffic: "0%" is not a percentage from "1%" to "100%" | step 0',
      ],
    ],
    [v1beta1({ steps: [{ replicas: 1, traffic: '1%' }] }), [ALLOWED]],
    [
      v1beta1({ steps: [{ replicas: 1, traffic: '101%' }] }),
      [
        'rollout-traffic-invalid Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].traffic: "101%" is not a percentage from "1%" to "100%" | step 0',
      ],
    ],
    [
      v1beta1({ steps: [{ replicas: 1, traffic: '20' }] }),
      [
        'rollout-traffic-invalid Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].traffic: "20" is not a percentage from "1%" to "100%" | write "20%" | step 0',
      ],
    ],
    [
      v1beta1({ steps: [{ replicas: 1, traffic: 'x20' }] }),
      [
        'rollout-traffic-invalid Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].traffic: "x20" is not a percentage from "1%" to "100%" | step 0',
      ],
    ],
    [
      v1beta1({ steps: [{ replicas: 1, traffic: '20x' }] }),
      [
        'rollout-traffic-invalid Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].traffic: "20x" is not a percentage from "1%" to "100%" | step 0',
      ],
    ],
    [
      v1beta1({ steps: [{ replicas: 0, traffic: '0%' }] }),
      [
        'rollout-replicas-invalid Spec.Strategy.Canary.Steps[0].Replicas | spec.strategy.canary.steps[0].replicas: 0 is neither a positive number nor a percentage from "1%" to "100%" | step 0',
      ],
    ],
    [v1beta1({ steps: [{ replicas: 1, matches: [{}] }] }), [ALLOWED]],
    [
      v1beta1({ steps: [{ replicas: 3 }, { replicas: 2 }] }),
      [
        'rollout-replicas-decrease Spec.Strategy.Canary.Steps.CanaryReplicas | spec.strategy.canary.steps[1].replicas: 2 pods is less than 3 pods of the previous step | step 1',
      ],
    ],
    [v1beta1({ steps: [{ replicas: 3 }, { replicas: 3 }] }), [ALLOWED]],
    [
      v1beta1({ steps: [{ replicas: '30%' }, { replicas: '29%' }, { replicas: '28%' }] }),
      [
        'rollout-replicas-decrease Spec.Strategy.Canary.Steps.CanaryReplicas | spec.strategy.canary.steps[1].replicas: 29% is less than 30% of the previous step | step 1',
        '(later) rollout-replicas-decrease Spec.Strategy.Canary.Steps.CanaryReplicas | spec.strategy.canary.steps[2].replicas: 28% is less than 29% of the previous step | step 2',
      ],
    ],
    [v1beta1({ steps: [{ replicas: '30%' }, { replicas: 2 }, { replicas: '20%' }] }), [ALLOWED]],
    [
      v1beta1({ steps: [{ replicas: 3 }, { replicas: 0 }] }),
      [
        'rollout-replicas-invalid Spec.Strategy.Canary.Steps[1].Replicas | spec.strategy.canary.steps[1].replicas: 0 is neither a positive number nor a percentage from "1%" to "100%" | step 1',
      ],
    ],
  ])('has steps, row %#: %j', (rollout, expected) => {
    expect(problems(rollout)).toEqual(expected);
  });

  it.each<Row>([
    [blueGreen({ steps: [{ replicas: 1, traffic: '0%' }] }), [ALLOWED]],
    [
      blueGreen({ steps: [{ replicas: 1, traffic: '-1%' }] }),
      [
        'rollout-traffic-invalid Spec.Strategy.BlueGreen.Steps[0].steps | spec.strategy.blueGreen.steps[0].traffic: "-1%" is not a percentage from "0%" to "100%" | step 0',
      ],
    ],
    [blueGreen({ steps: [{ replicas: '60%', traffic: '20%' }] }), [ALLOWED]],
    [
      blueGreen({ steps: [{ replicas: 2 }, { replicas: 1 }] }),
      [
        'rollout-replicas-decrease Spec.Strategy.BlueGreen.Steps.CanaryReplicas | spec.strategy.blueGreen.steps[1].replicas: 1 pods is less than 2 pods of the previous step | step 1',
      ],
    ],
    [
      blueGreen({ steps: [] }),
      ['rollout-steps-empty Spec.Strategy.BlueGreen.Steps | spec.strategy.blueGreen.steps: has no steps'],
    ],
    [
      blueGreen({ trafficRoutings: [{ service: 'web' }] }),
      [
        'rollout-no-provider Spec.Strategy.BlueGreen.TrafficRouting.TrafficRoutings | spec.strategy.blueGreen.trafficRoutings[0]: has none of ingress, gateway and customNetworkRefs',
      ],
    ],
  ])('is blue-green, row %#: %j', (rollout, expected) => {
    expect(problems(rollout)).toEqual(expected);
  });

  it.each<Row>([
    [v1beta1({ enableExtraWorkloadForCanary: false, steps: [{ replicas: '50%', traffic: '20%' }] }), [ALLOWED]],
    [
      v1beta1({ enableExtraWorkloadForCanary: false, steps: [{ replicas: '51%', traffic: '20%' }] }),
      [
        'rollout-partition-limit Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].replicas: "51%" is more than 50% in a step that routes traffic | step 0',
      ],
    ],
    [
      v1beta1({ enableExtraWorkloadForCanary: false, steps: [{ replicas: '51%', traffic: '0%' }] }),
      [
        'rollout-partition-limit Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].replicas: "51%" is more than 50% in a step that routes traffic | step 0',
      ],
    ],
    [
      v1beta1({ enableExtraWorkloadForCanary: false, steps: [{ replicas: '50%', traffic: '0%' }] }),
      [
        'rollout-traffic-invalid Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].traffic: "0%" is not a percentage from "1%" to "100%" | step 0',
      ],
    ],
    [
      v1beta1({ enableExtraWorkloadForCanary: false, steps: [{ replicas: '51%', matches: [{}] }] }),
      [
        'rollout-partition-limit Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].replicas: "51%" is more than 50% in a step that routes traffic | step 0',
      ],
    ],
    [v1beta1({ enableExtraWorkloadForCanary: false, steps: [{ replicas: '51%', matches: [] }] }), [ALLOWED]],
    [v1beta1({ enableExtraWorkloadForCanary: false, steps: [{ replicas: '51%' }] }), [ALLOWED]],
    [v1beta1({ enableExtraWorkloadForCanary: false, steps: [{ replicas: 51, traffic: '20%' }] }), [ALLOWED]],
  ])('is of partition style, row %#: %j', (rollout, expected) => {
    expect(problems(rollout)).toEqual(expected);
  });

  it.each<Row>([
    [
      v1beta1({ trafficRoutings: [{ service: 'web' }] }),
      [
        'rollout-no-provider Spec.Strategy.Canary.TrafficRouting.TrafficRoutings | spec.strategy.canary.trafficRoutings[0]: has none of ingress, gateway and customNetworkRefs',
      ],
    ],
    [
      v1beta1({ trafficRoutings: [{ service: '', ingress: { name: '' } }] }),
      [
        'rollout-service-empty Spec.Strategy.Canary.TrafficRouting.Service | spec.strategy.canary.trafficRoutings[0].service: is empty',
        'rollout-ingress-name-empty Spec.Strategy.Canary.TrafficRouting.Ingress | spec.strategy.canary.trafficRoutings[0].ingress.name: is empty',
      ],
    ],
    [
      v1beta1({ trafficRoutings: [{ service: 'web', ingress: { name: 'a' }, gracePeriodSeconds: -1 }] }),
      [
        'rollout-grace-period-negative Spec.Strategy.Canary.TrafficRouting.GracePeriodSeconds | spec.strategy.canary.trafficRoutings[0].gracePeriodSeconds: -1 is negative',
      ],
    ],
    [v1beta1({ trafficRoutings: [{ service: 'web', ingress: { name: 'a' }, gracePeriodSeconds: 0 }] }), [ALLOWED]],
    [
      v1beta1({ trafficRoutings: [{ service: 'web', gateway: {} }] }),
      [
        'rollout-http-route-name-empty Spec.Strategy.Canary.TrafficRouting.Gateway | spec.strategy.canary.trafficRoutings[0].gateway.httpRouteName: is empty',
      ],
    ],
    [
      v1beta1({ trafficRoutings: [{ service: 'web', gateway: { httpRouteName: '' } }] }),
      [
        'rollout-http-route-name-empty Spec.Strategy.Canary.TrafficRouting.Gateway | spec.strategy.canary.trafficRoutings[0].gateway.httpRouteName: is empty',
      ],
    ],
    [v1beta1({ trafficRoutings: [{ service: 'web', gateway: { httpRouteName: 'a' } }] }), [ALLOWED]],
    [v1beta1({ trafficRoutings: [{ service: 'web', customNetworkRefs: [] }] }), [ALLOWED]],
    [
      v1beta1({
        trafficRoutings: [
          { service: 'web', ingress: { name: 'a' } },
          { service: 'web', ingress: { name: 'a' } },
        ],
      }),
      [
        'rollout-several-traffic-routings Spec.Strategy.Canary | spec.strategy.canary.trafficRoutings: has 2 items, but a Rollout supports one',
      ],
    ],
    [
      v1beta1({ trafficRoutings: [{ service: 'web' }, { service: '' }, { service: 'x', ingress: { name: '' } }] }),
      [
        'rollout-several-traffic-routings Spec.Strategy.Canary | spec.strategy.canary.trafficRoutings: has 3 items, but a Rollout supports one',
        'rollout-no-provider Spec.Strategy.Canary.TrafficRouting.TrafficRoutings | spec.strategy.canary.trafficRoutings[0]: has none of ingress, gateway and customNetworkRefs',
        'rollout-service-empty Spec.Strategy.Canary.TrafficRouting.Service | spec.strategy.canary.trafficRoutings[1].service: is empty',
        'rollout-no-provider Spec.Strategy.Canary.TrafficRouting.TrafficRoutings | spec.strategy.canary.trafficRoutings[1]: has none of ingress, gateway and customNetworkRefs',
        'rollout-ingress-name-empty Spec.Strategy.Canary.TrafficRouting.Ingress | spec.strategy.canary.trafficRoutings[2].ingress.name: is empty',
      ],
    ],
  ])('has routes, row %#: %j', (rollout, expected) => {
    expect(problems(rollout)).toEqual(expected);
  });
});
