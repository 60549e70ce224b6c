/** Moments of Kruise Rollouts in neutral words. */
import { remembered } from '../../core/remembered';
import { type DeclaredShare, type Delay, type Moment, summaryOfAll } from '../../release';
import type { TrafficRoutingStrategy } from '../api';
import type { RolloutMoment } from '../controller';
import { trafficWeight } from '../routing';

const NOTHING: DeclaredShare = { share: 0, matches: [] };
const AT_ONCE: Delay = { seconds: 0, field: 'gracePeriodSeconds' };

/** A moment, with what the Rollout declares for it. Each is made once: stories share moments, and compare them by identity. */
export const momentOf = remembered(neutralMoment);

function neutralMoment(moment: RolloutMoment): Moment {
  const { phase, step, event, world, written, pods, strategy, did, versions, goesOn } = moment;
  const declared = declaredAt(moment);
  return {
    phase,
    event,
    world,
    written,
    pods,
    ...(did === undefined ? {} : { did }),
    ...(goesOn === true ? { lasts: AT_ONCE } : {}),
    ...(versions === undefined ? {} : { versions }),
    ...(step === undefined ? {} : { step }),
    ...(declared === undefined ? {} : { declared }),
    ...(strategy === undefined ? {} : { routesTraffic: true, summary: summaryOfStrategy(strategy) }),
  };
}

function declaredAt({ phase, strategy, isMixed }: RolloutMoment): DeclaredShare | undefined {
  switch (phase) {
    case 'before':
      return NOTHING;
    case 'abort':
    case 'prepare':
      // While the controller changes the routes one after the other, or pods are replaced, requests may reach either version.
      return isMixed === true ? undefined : NOTHING;
    case 'step':
      return strategy === undefined ? undefined : declaredBy(strategy);
    case 'finish':
      return undefined;
  }
}

/** What a step declares. Matches take precedence over the percentage. */
export function declaredBy(strategy: TrafficRoutingStrategy): DeclaredShare | undefined {
  const { matches = [], traffic } = strategy;
  if (matches.length > 0) return { share: 0, matches };
  return traffic === undefined ? undefined : { share: trafficWeight(strategy) / 100, matches: [] };
}

/** What a step asks for: `20%`, `user-agent: pc or ?v=2`. */
function summaryOfStrategy({ matches = [], traffic }: TrafficRoutingStrategy): string {
  return matches.length > 0 ? summaryOfAll(matches) : (traffic ?? 'no traffic');
}
