import { Document, isMap, visit } from 'yaml';
import { rolesFor, type WatchedKindPlace } from '../../watch';

/** The least rights as YAML, with a note on how to bind them. */
export function rolesText(places: readonly WatchedKindPlace[], rollout: string): string {
  const documents = rolesFor(places, `rollout-constructs-watch-${rollout}`).map(yamlOf);
  const note = `# The least rights with which the Rollout "${rollout}" can be watched; bind each object to whoever watches it.\n`;
  return `${note}${documents.join('---\n')}`;
}

/** Lists of words stay on one line. */
function yamlOf(role: unknown): string {
  const document = new Document(role, { aliasDuplicateObjects: false });
  visit(document, {
    Seq(_key, list) {
      if (!list.items.some(isMap)) list.flow = true;
    },
  });
  return document.toString({ flowCollectionPadding: false, lineWidth: 0 });
}
