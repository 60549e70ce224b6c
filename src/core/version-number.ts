/** The three numbers of a version. */
export type VersionNumber = readonly [major: number, minor: number, patch: number];

/** Reads `1.24`, `v1.24.3` or `1.24.3-distroless`; undefined for any other text. */
export function parseVersionNumber(text: string): VersionNumber | undefined {
  const [, major, minor, patch = '0'] = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?:[-+].*)?$/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

/** Less than 0 if the first version is older than the second. */
export function compareVersionNumbers(a: VersionNumber, b: VersionNumber): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/**
 * The known version nearest to a number: the newest that is not newer and of the same minor, else the oldest of that
 * minor, else the newest that is older, else the oldest of all.
 * @param all the known versions, oldest first
 */
export function nearestVersion<V extends { readonly version: string }>(all: readonly V[], number: VersionNumber): V {
  const numbered = all.map((version) => ({ version, number: parseVersionNumber(version.version)! }));
  const sameMinor = numbered.filter(({ number: [major, minor] }) => major === number[0] && minor === number[1]);
  const older = numbered.filter((each) => compareVersionNumbers(each.number, number) <= 0);
  const olderOfMinor = sameMinor.filter((each) => older.includes(each));
  return (olderOfMinor.at(-1) ?? sameMinor[0] ?? older.at(-1) ?? numbered[0]!).version;
}
