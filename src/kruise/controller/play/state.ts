/** A release in a story, between two actions. */
import type { StoryEnd } from '../../../release';
import type { TrafficRoutingStrategy } from '../../api';
import type { ControllerError } from '../error';
import type { Versions } from './another-version';
import type { Journal, RolloutMoment } from './journal';
import type { Held } from './paused';
import type { Play } from './play';

/** A story as it was played. */
export interface RolloutStory {
  readonly name: string;
  readonly end: StoryEnd;
  readonly moments: readonly RolloutMoment[];
  /** Why nothing more happens. */
  readonly why?: string;
  readonly error?: ControllerError & { readonly step: number };
}

/** The state of a release in a story. It never changes: each action makes a new one. */
export interface State {
  readonly play: Play;
  readonly journal: Journal;
  readonly phase: 'idle' | 'progressing' | 'over';
  /** The step that has settled; -1 before the first one. */
  readonly step: number;
  /** What the routes are written for. */
  readonly strategy: TrafficRoutingStrategy;
  readonly versions: Versions;
  /** Whether no pod of the new version becomes ready. */
  readonly isBroken?: boolean;
  /** The step whose pods never become ready, while the controller waits for them. */
  readonly upgrading?: number;
  /** Why the release does not go on, whatever is approved. */
  readonly waits?: string;
  readonly held?: Held;
  /** Whether somebody has disabled the Rollout: no release begins. */
  readonly isDisabled?: boolean;
  /** Why something that the story does has no effect. */
  readonly refusal?: string;
  readonly end?: StoryEnd;
  readonly error?: RolloutStory['error'];
}
