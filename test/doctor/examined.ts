import { parseManifests } from '../../src/core';
import type { CheckupItem } from '../../src/core/checkup';
import { type Examined, type ExamineOptions, examine, LiveCluster } from '../../src/doctor';

/** A cluster from the YAML of its objects. */
export const clusterOf = (objects: string, now?: string) =>
  new LiveCluster({
    from: 'test',
    manifests: parseManifests(objects, 'test.yaml').manifests,
    ...(now === undefined ? {} : { now: new Date(now) }),
  });

/** All answers. */
export const examined = (objects: string, now?: string, options: ExamineOptions = {}) =>
  examine(clusterOf(objects, now), options);

/** The answer to one question, of whatever section. */
export function item({ checkup }: Pick<Examined, 'checkup'>, id: string): CheckupItem {
  const found = checkup.sections.flatMap(({ items }) => items).find((one) => one.id === id);
  if (found === undefined) throw new Error(`no question ${id}`);
  return found;
}

/** The questions whose answer is a problem. */
export const problems = ({ checkup }: Examined) =>
  checkup.sections.flatMap(({ items }) => items.filter(({ status }) => status === 'problem')).map(({ id }) => id);
