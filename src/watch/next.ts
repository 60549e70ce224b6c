/** What comes next in a release, when, and who makes it. */
import type { Rehearsal } from '../core/rehearsal-result';
import type { WatchedNext } from '../core/watched-release';
import type { Progress } from '../doctor';
import type { LiveState } from './live-state';
import { arrivalText, type Road } from './road';

/** What is known of a release. */
export interface NextOf {
  readonly state: LiveState;
  readonly progress: Progress;
  readonly road: Road | undefined;
  readonly rehearsal: Rehearsal | undefined;
}

/** Says what comes next. */
export function nextOf({ state, progress, road, rehearsal }: NextOf): WatchedNext {
  const { answer, act, at } = progress;
  const arrival = road?.moments[road.at + 1];
  const then =
    state.isIdle || arrival === undefined || rehearsal === undefined ? undefined : arrivalText(rehearsal, arrival);
  const more = { ...(act === undefined ? {} : { act }), ...(then === undefined ? {} : { then }) };
  const text = sentenceOf(answer);
  switch (progress.state) {
    case 'idle':
      return { who: 'nobody', text };
    case 'timed':
      return { who: 'time', text, ...(at === undefined ? {} : { at }), ...more };
    case 'waiting':
      return { who: 'person', text: act === undefined ? text : text.replace(`: ${act}`, ''), ...more };
    case 'stuck':
      return { who: 'person', text: 'it does not go on by itself', ...(act === undefined ? {} : { act }) };
    case 'running':
      return {
        who: /AnalysisRun|Experiment/.test(text)
          ? 'analysis'
          : /load balancer/.test(text)
            ? 'load balancer'
            : 'controller',
        text,
        ...more,
      };
  }
}

/** The answer to "does the release go on?" as a sentence of its own. */
function sentenceOf(answer: string): string {
  return answer.replace(/^yes, /, '');
}
