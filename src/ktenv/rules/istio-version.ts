/** A minor version of Istio. */
export interface IstioVersion {
  readonly major: number;
  readonly minor: number;
}

/** Reads `1.24`, `1.24.3` or `v1.24.3-distroless`. */
export function parseIstioVersion(text: string): IstioVersion {
  const [, major, minor] = /^v?(\d+)\.(\d+)(?:[.\-+].*)?$/.exec(text) ?? [];
  if (major === undefined) throw new Error(`the Istio version "${text}" is not a version; write it as 1.24 or 1.24.3`);
  return { major: Number(major), minor: Number(minor) };
}

/** Whether a version is at least 1.`minor`. */
export function isAtLeast({ major, minor }: IstioVersion, wanted: number): boolean {
  return major > 1 || (major === 1 && minor >= wanted);
}
