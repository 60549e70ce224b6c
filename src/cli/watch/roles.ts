import { stringify } from 'yaml';
import { rolesFor, type WatchedKindPlace } from '../../watch';

/** The least rights as YAML, with a note on how to bind them. */
export function rolesText(places: readonly WatchedKindPlace[], rollout: string): string {
  const name = `rollout-constructs-watch-${rollout}`;
  const documents = rolesFor(places, name).map((role) => stringify(role, { aliasDuplicateObjects: false }));
  const note = `# The least rights with which the Rollout "${rollout}" can be watched; bind each object to whoever watches it.\n`;
  return `${note}${documents.join('---\n')}`;
}
