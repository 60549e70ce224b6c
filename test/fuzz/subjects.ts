/** What is fuzzed: how an input is made of a seed, and what must hold for every input, however odd. */
import { answers } from './subjects/answers';
import { config } from './subjects/config';
import { lua } from './subjects/lua';
import { manifests, yaml } from './subjects/manifests';
import { props } from './subjects/props';
import { reports } from './subjects/reports';
import { shells } from './subjects/shells';
import type { Subject } from './subjects/subject';

export type { Subject };

export const SUBJECTS: Readonly<Record<string, Subject>> = {
  manifests,
  yaml,
  lua,
  props,
  config,
  answers,
  reports,
  shells,
};
