import { tagProblems } from '../../../kubernetes/problems';
import { repeated } from '../../../kubernetes/words';
import { CONTROLLER_LABELS } from '../names';
import type { ArgoRolloutsImage } from '../options';
import type { Settings } from '../settings';

/** What is wrong with an image. */
export function imageProblems(where: string, image: ArgoRolloutsImage = {}): string[] {
  const { registry, repository } = image;
  const problems: string[] = [];
  if (registry !== undefined && !/^[A-Za-z0-9.-]+(:\d+)?(\/[^\s:@/]+)*$/.test(registry)) {
    problems.push(`${where}.registry is "${registry}": must be a host, as in "registry.example.com:5000"`);
  }
  if (repository !== undefined && !/^[^\s:@/]+(\/[^\s:@/]+)*$/.test(repository)) {
    problems.push(`${where}.repository is "${repository}": must be an image without registry, tag and digest`);
  }
  return [...problems, ...tagProblems(where, image)];
}

/** Labels by which objects of the install find each other. */
export function labelProblems({ labels, podLabels }: Settings): string[] {
  return Object.entries({ labels, podLabels }).flatMap(([name, set]) =>
    Object.keys(CONTROLLER_LABELS)
      .filter((label) => Object.hasOwn(set, label))
      .map((label) => `${name} has "${label}", by which the install finds its own objects: leave it out`),
  );
}

/** Volumes that there are twice, and mounts of those that there are not. */
export function volumeProblems({ extraVolumes, extraVolumeMounts }: Settings): string[] {
  const names = ['plugin-bin', 'tmp', ...extraVolumes.map(({ name }) => String(name))];
  return [
    ...repeated(names).map((name) => `extraVolumes has "${name}", which there is already: give it another name`),
    ...extraVolumeMounts
      .filter(({ name }) => !names.includes(String(name)))
      .map(
        ({ name }) => `extraVolumeMounts has "${String(name)}", but there is no such volume: add it to extraVolumes`,
      ),
  ];
}
