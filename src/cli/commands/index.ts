import type { Command } from '../command';
import check from './check';
import debug from './debug';
import envPreview from './env-preview';
import explain from './explain';
import luaRun from './lua-run';
import rehearse from './rehearse';
import rules from './rules';
import test from './test';

/** In the order in which the help lists them. */
export const commands: readonly Command[] = [check, rehearse, envPreview, explain, rules, test, debug, luaRun];
