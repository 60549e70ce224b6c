import { tagProblems } from '../../../kubernetes/problems';
import { repeated } from '../../../kubernetes/words';
import { CONTROLLER_LABELS } from '../names';
import type { ArgoRolloutsImage } from '../options';
import type { Settings } from '../settings';

/** The problems with an image. */
export function imageProblems(where: string, image: ArgoRolloutsImage = {}): string[] {
  const { registry, repository } = image;
  const problems: string[] = [];
  if (registry !== undefined && !/^[A-Za-z0-9.-]+(:\d+)?(\/[^\s:@/]+)*$/.test(registry)) {
    problems.push(`${where}.registry is "${registry}": must be a host such as "registry.example.com:5000"`);
  }
  if (repository !== undefined && !/^[^\s:@/]+(\/[^\s:@/]+)*$/.test(repository)) {
    problems.push(`${where}.repository is "${repository}": must be an image without registry, tag and digest`);
  }
  return [...problems, ...tagProblems(where, image)];
}

/** Labels that would replace those in the selectors of the install. */
export function labelProblems({ labels, podLabels }: Settings): string[] {
  return Object.entries({ labels, podLabels }).flatMap(([name, set]) =>
    Object.keys(CONTROLLER_LABELS)
      .filter((label) => Object.hasOwn(set, label))
      .map((label) => `${name} has "${label}", which the install uses in its selectors: remove it`),
  );
}

/** Duplicate volumes, and mounts of missing volumes. */
export function volumeProblems({ extraVolumes, extraVolumeMounts }: Settings): string[] {
  const names = ['plugin-bin', 'tmp', ...extraVolumes.map(({ name }) => String(name))];
  return [
    ...repeated(names).map((name) => `extraVolumes has "${name}", which already exists: rename it`),
    ...extraVolumeMounts
      .filter(({ name }) => !names.includes(String(name)))
      .map(
        ({ name }) => `extraVolumeMounts has "${String(name)}", but there is no such volume: add it to extraVolumes`,
      ),
  ];
}
