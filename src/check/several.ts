/** The results of several stacks of one repository, such as staging and production, as one. */
import { type Finding, identityOf, withRemark } from '../core/finding';
import type { Manifest } from '../core/manifest';
import { suppressionRules } from '../core/rules';

/** What was found in one of several stacks. */
export interface NamedFindings {
  /** `prod` */
  readonly name: string;
  readonly manifests: readonly Manifest[];
  readonly findings: readonly Finding[];
}

/** Says that something accepts a finding that is not there: wrong if the finding is there in another stack. */
const UNUSED: string = suppressionRules['suppression-unused'].id;

/**
 * The findings of all stacks. One that not every stack with its file has names the stacks that have it: files for all may have
 * a mistake in production only.
 */
export function findingsOfAll(stacks: readonly NamedFindings[]): Finding[] {
  const files = stacks.map(({ manifests }) => new Set(manifests.map((manifest) => manifest.sourceOf()?.file)));
  const found = new Map<string, { readonly finding: Finding; readonly names: string[] }>();
  for (const { name, findings } of stacks) {
    for (const finding of findings) {
      const key = identityOf(finding);
      const known = found.get(key) ?? { finding, names: [] };
      found.set(key, known);
      if (!known.names.includes(name)) known.names.push(name);
    }
  }
  return [...found.values()].flatMap(({ finding, names }) => {
    const { source, rule } = finding;
    const holders = source === undefined ? [] : stacks.filter((_, index) => files[index]!.has(source.file));
    const isEverywhere = names.length >= (holders.length === 0 ? stacks.length : holders.length);
    if (isEverywhere) return [finding];
    return rule === UNUSED ? [] : [withRemark(finding, `in ${names.join(' and ')}`)];
  });
}
