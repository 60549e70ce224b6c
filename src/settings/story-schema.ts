/** The JSON schema of a story, for editors. The command reads stories with `readStory`; a test holds one against the other. */
import type { JsonObject } from '../core/json';
import { LOAD_BALANCER_STATES, STORY_DEEDS, type StoryDeed } from '../release';

const DEEDS: Readonly<Record<StoryDeed, string>> = {
  approve: 'Ends the pause of the step that waits.',
  finish: 'Ends each pause until the release is over.',
  delete: 'Deletes the Rollout.',
  disable: 'Kruise: writes disabled: true into the Rollout.',
  enable: 'Kruise: takes disabled away again.',
  abort: 'Argo: aborts the release.',
  retry: 'Argo: begins an aborted release again.',
  promote: 'Ends the pause.',
  'promote-full': 'Argo: skips all steps that are left.',
};

const COUNT = { type: 'integer', minimum: 0 };
const TEXT = { type: 'string' };

function action(properties: JsonObject, [first]: readonly string[], more: JsonObject = {}): JsonObject {
  return { type: 'object', properties: { ...properties, ...more }, required: [first!], additionalProperties: false };
}

const OBJECTS: readonly JsonObject[] = [
  action(
    { release: { ...TEXT, description: 'Writes the image of this version: v2, or v1 to go back.' } },
    ['release'],
    {
      replicas: { ...COUNT, description: 'The same write gives the workload so many pods.' },
      ready: { enum: ['never'], description: 'The pods of this version never become ready.' },
      creates: { enum: ['Rollout'], description: 'Kruise: the Rollout does not exist before, and is created with it.' },
    },
  ),
  action(
    {
      until: {
        type: 'object',
        description: 'Waits until the status of the Rollout says so.',
        properties: {
          phase: { ...TEXT, description: 'Healthy, Progressing, Paused, …' },
          step: { ...COUNT, description: 'As the status counts steps: Kruise from 1, Argo from 0.' },
          state: { ...TEXT, description: 'Kruise: StepPaused, StepUpgrade, …' },
        },
        additionalProperties: false,
      },
    },
    ['until'],
  ),
  action({ watch: { ...COUNT, description: 'Lets the cluster run on for so many seconds.' } }, ['watch']),
  action({ jump: { ...COUNT, description: 'Kruise: goes on with this step, counted from 1.' } }, ['jump']),
  action({ scale: { ...COUNT, description: 'Gives the workload so many pods.' } }, ['scale']),
  action(
    {
      patch: {
        type: 'object',
        description: 'Changes an object of the namespace of the Rollout, or deletes it.',
        properties: {
          apiVersion: TEXT,
          kind: TEXT,
          name: TEXT,
          with: {
            anyOf: [{ type: 'object' }, { type: 'null' }],
            description: 'What changes: a JSON merge patch; null deletes the object.',
          },
        },
        required: ['apiVersion', 'kind', 'name', 'with'],
      },
    },
    ['patch'],
  ),
  action({ analysis: { enum: ['failed', 'error', 'inconclusive'], description: 'Argo: an analysis ends so.' } }, [
    'analysis',
  ]),
  action(
    {
      loadBalancer: {
        enum: LOAD_BALANCER_STATES,
        description: 'Argo: from now on the load balancer takes over everything, no weight, or no pod.',
      },
    },
    ['loadBalancer'],
  ),
];

/** The schema of a file with a story. */
export const storySchema: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'A story of a release',
  description: 'What people do during a release, and what goes wrong, in its order.',
  type: 'object',
  properties: {
    $schema: TEXT,
    name: { ...TEXT, minLength: 1, description: 'What reports call the story.' },
    actions: {
      type: 'array',
      minItems: 1,
      description: 'What happens, one after the other. It begins with the release: release: v2',
      items: {
        anyOf: [...STORY_DEEDS.map((deed) => ({ const: deed, description: DEEDS[deed] })), ...OBJECTS],
      },
    },
  },
  required: ['name', 'actions'],
  additionalProperties: false,
};
