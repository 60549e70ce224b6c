import { didYouMean } from '../core/did-you-mean';
import { isJsonObject, type Json, type JsonObject } from '../core/json';
import { LOAD_BALANCER_STATES, STORY_DEEDS, STORY_NAMES, type Story, type StoryAction } from '../release/story';
import { UserError } from './user-error';

export type { Story, StoryRequest } from '../release/story';

/** Whether a text names a file and not one of the stories that come with the library. */
export function isStoryFile(text: string): boolean {
  return /[/\\]|\.(ya?ml|json)$/.test(text);
}

/**
 * Checks the name of a story: `all`, `roll-back` at every step, or `roll-back@1` at one.
 * @param place what messages call the name: `--story`
 */
export function readStoryName(text: string, place: string): string {
  const [name = '', step] = text.split('@');
  if (
    text === 'all' ||
    (STORY_NAMES.includes(name) &&
      (step === undefined || /^(\d{1,4}|pre-promotion|post-promotion|released)$/.test(step)))
  )
    return text;
  const meant = didYouMean(name, STORY_NAMES);
  throw new UserError(
    `${place} is "${text}", and there is no such story${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
    `it is all, the name of a story (${STORY_NAMES.join(', ')}), with @ and a step for one step alone (roll-back@1), or the path of a file`,
  );
}

/**
 * Reads a story of a user's own.
 * @param name what messages call the file
 */
export function readStory(value: unknown, name: string): Story {
  const plain = value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
  if (!isJsonObject(plain)) throw wrong(name, '', 'is not an object', 'it has "name" and "actions"');
  const unknown = Object.keys(plain).find((key) => !['$schema', 'name', 'actions'].includes(key));
  if (unknown !== undefined) throw wrong(name, unknown, 'is unknown', 'a story has "name" and "actions"');
  if (typeof plain.name !== 'string' || plain.name === '') throw wrong(name, 'name', 'is missing', 'name the story');
  const { actions } = plain;
  if (!Array.isArray(actions) || actions.length === 0) {
    throw wrong(name, 'actions', 'is not a list with actions', 'begin with the release: - release: v2');
  }
  return { name: plain.name, actions: actions.map((each, index) => readAction(each, name, `actions[${index}]`)) };
}

function readAction(action: Json, name: string, at: string): StoryAction {
  if (typeof action === 'string') {
    const deed = STORY_DEEDS.find((each) => each === action);
    if (deed !== undefined) return deed;
    const meant = didYouMean(action, STORY_DEEDS);
    throw wrong(name, at, `is "${action}"`, meant === undefined ? ACTIONS : `did you mean "${meant}"? ${ACTIONS}`);
  }
  if (!isJsonObject(action)) throw wrong(name, at, `is ${JSON.stringify(action)}`, ACTIONS);
  const options = 'release' in action ? ['replicas', 'ready', 'creates'] : [];
  const [key = '', ...more] = Object.keys(action).filter((each) => !options.includes(each));
  const read = OBJECTS[key];
  if (read === undefined || more.length > 0)
    throw wrong(name, at, `has the fields ${Object.keys(action).join(', ')}`, ACTIONS);
  return read(action, (field, expected) =>
    wrong(name, `${at}.${field}`, `is ${JSON.stringify(valueAt(action, field))}`, expected),
  );
}

function valueAt(action: JsonObject, field: string): Json {
  return field.split('.').reduce<Json>((value, key) => (isJsonObject(value) ? (value[key] ?? null) : null), action);
}

type Complaint = (field: string, expected: string) => UserError;

const OBJECTS: Readonly<Record<string, (action: JsonObject, complain: Complaint) => StoryAction>> = {
  release({ release, replicas, ready, creates }, complain) {
    if (typeof release !== 'string') throw complain('release', 'it is the version: v2, or v1 to go back');
    if (replicas !== undefined && !isCount(replicas)) throw complain('replicas', 'it is a number of pods, or left out');
    if (ready !== undefined && ready !== 'never') throw complain('ready', 'it is "never", or left out');
    if (creates !== undefined && creates !== 'Rollout') throw complain('creates', 'it is "Rollout", or left out');
    return {
      release,
      ...(replicas === undefined ? {} : { replicas }),
      ...(ready === undefined ? {} : { ready }),
      ...(creates === undefined ? {} : { creates }),
    };
  },
  until({ until }, complain) {
    if (!isJsonObject(until))
      throw complain('until', 'it has phase, step or state, as the status of the Rollout has them');
    const { step, phase, state, ...others } = until;
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw complain(`until.${unknown}`, 'only phase, step and state are known');
    if (step !== undefined && !isCount(step))
      throw complain('until.step', 'it is a number, as the status counts steps');
    for (const [field, value] of Object.entries({ phase, state })) {
      if (value !== undefined && typeof value !== 'string') throw complain(`until.${field}`, 'it is a text');
    }
    return { until } as StoryAction;
  },
  watch: ({ watch }, complain) => ({ watch: countOf(watch, 'watch', 'it is a number of seconds', complain) }),
  jump: ({ jump }, complain) => ({ jump: countOf(jump, 'jump', 'it is the number of a step', complain) }),
  scale: ({ scale }, complain) => ({ scale: countOf(scale, 'scale', 'it is a number of pods', complain) }),
  patch({ patch }, complain) {
    if (!isJsonObject(patch)) throw complain('patch', 'it has apiVersion, kind, name and with');
    for (const field of ['apiVersion', 'kind', 'name']) {
      if (typeof patch[field] !== 'string') throw complain(`patch.${field}`, 'it is a text, as in the manifest');
    }
    if (patch.with !== null && !isJsonObject(patch.with))
      throw complain('patch.with', 'it is what changes: a JSON merge patch, or null to delete the object');
    return { patch } as unknown as StoryAction;
  },
  analysis({ analysis }, complain) {
    if (analysis === 'failed' || analysis === 'error' || analysis === 'inconclusive') return { analysis };
    throw complain('analysis', 'it is failed, error or inconclusive');
  },
  loadBalancer({ loadBalancer }, complain) {
    const state = LOAD_BALANCER_STATES.find((each) => each === loadBalancer);
    if (state !== undefined) return { loadBalancer: state };
    throw complain('loadBalancer', `it is one of ${LOAD_BALANCER_STATES.join(', ')}`);
  },
};

const ACTIONS = `an action is one of ${STORY_DEEDS.join(', ')}, or an object with one of ${Object.keys(OBJECTS).join(', ')}`;

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function countOf(value: Json | undefined, field: string, expected: string, complain: Complaint): number {
  if (isCount(value)) return value;
  throw complain(field, expected);
}

function wrong(name: string, at: string, what: string, expected: string): UserError {
  return new UserError(`the story "${name}" is wrong: ${at === '' ? 'it' : at} ${what}`, expected);
}
