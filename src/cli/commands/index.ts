import type { Command } from '../command';
import debug from './debug';
import envPreview from './env-preview';
import luaRun from './lua-run';
import rehearse from './rehearse';
import test from './test';

/** In the order in which the help lists them. */
export const commands: readonly Command[] = [rehearse, envPreview, test, debug, luaRun];
