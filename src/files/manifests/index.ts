import { DEFAULT_LIMITS, type ReadBytes, Reading, type ReadOptions, type ReadResult, STDIN } from '../../core/reader';
import { FileWalk, readBytes } from './walk';

/** The options for reading files of manifests. */
export interface ReadFilesOptions extends ReadOptions {
  /**
   * The open file that `-` refers to.
   * @default 0 (standard input)
   */
  readonly stdin?: number;
}

/**
 * Reads all manifests of files, folders (recursively) and standard input (`-`). Never throws because of their content:
 * each mistake is a finding.
 * @example readManifests(['deploy/', 'rollout.yaml', '-'])
 */
export function readManifests(inputs: readonly string[], options: ReadFilesOptions = {}): ReadResult {
  const reading = new Reading({ ...DEFAULT_LIMITS, ...options.limits }, options.budget);
  const walk = new FileWalk();
  for (const input of new Set(inputs)) {
    if (walk.hasSeen(input)) continue;
    reading.input(input, () => {
      if (input === '-') reading.file({ name: STDIN, named: true }, bytesOf(options.stdin ?? 0));
      else for (const file of walk.filesOf(input)) reading.fileOrProblem(file, bytesOf);
    });
  }
  return reading.result();
}

function bytesOf(from: string | number): ReadBytes {
  return (limit) => readBytes(from, limit);
}
