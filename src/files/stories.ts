import { readFileSync } from 'node:fs';
import { isStoryFile, readStory, readStoryName, type Story } from '../settings/story';
import { UserError } from '../settings/user-error';
import { toAbsolute, type WorkingFolder } from './paths';

/**
 * Reads the stories that people ask for: names, and files.
 * @param place what messages call each: `--story`
 */
export function readStories(
  asked: readonly string[],
  io: WorkingFolder,
  place: (index: number) => string,
): (string | Story)[] {
  return asked.map((text, index) => (isStoryFile(text) ? readFile(text, io) : readStoryName(text, place(index))));
}

function readFile(name: string, io: WorkingFolder): Story {
  let text: string;
  try {
    text = readFileSync(toAbsolute(io, name), 'utf8');
  } catch (error) {
    throw new UserError(`cannot read the story "${name}": ${(error as Error).message.split(',')[0]}`);
  }
  const { parse } = require('yaml') as typeof import('yaml');
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new UserError(`the story "${name}" cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
  return readStory(value, name);
}
