/** Differences between a rehearsal and a recording that are known. Each line says why; a line that no recording needs fails. */
export interface KnownDifference {
  /** `kruise@0.6.2`. */
  readonly releases: RegExp;
  readonly labs: RegExp;
  readonly reason: string;
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    releases: /^kruise@/,
    labs: /./,
    reason: 'the model knows the order and the content of the unreleased master branch',
  },
];
