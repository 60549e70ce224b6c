import type { Command } from '../command';
import check from './check';
import debug from './debug';
import doctor from './doctor';
import envPreview from './env-preview';
import explain from './explain';
import init from './init';
import luaRun from './lua-run';
import rehearse from './rehearse';
import reportMerge from './report-merge';
import route from './route';
import rules from './rules';
import test from './test';

/** In the order in which the help lists them. */
export const commands: readonly Command[] = [
  check,
  rehearse,
  route,
  doctor,
  envPreview,
  explain,
  rules,
  init,
  reportMerge,
  test,
  debug,
  luaRun,
];
