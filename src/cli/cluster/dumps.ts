import type { ReadResult } from '../../core';
import { findingTexts } from '../../core/finding';
import { UserError } from '../../settings/user-error';
import { readInputs } from '../inputs';
import type { Io } from '../io';

/** Reads dumps of a cluster; without any object there is nothing to tell. */
export async function readDumps(inputs: readonly string[], io: Io): Promise<ReadResult> {
  const read = await readInputs(inputs, io);
  if (read.manifests.length > 0) return read;
  const [first] = read.findings;
  throw new UserError(
    first === undefined ? `"${inputs.join('", "')}" holds no object` : findingTexts(first).message,
    'rollout-constructs doctor --dump-command prints how to make a dump',
  );
}
