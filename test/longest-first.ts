import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that wait for compilers and other processes, the longest first. */
const LONG = ['test/consumer/packed', 'test/cli/init', 'test/validation/plugin', 'test/stage/recordings'];

/**
 * Starts long files first, so that no worker waits for another at the end. Vitest does this by the durations of earlier runs,
 * which a fresh clone does not have.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONG.findIndex((name) => moduleId.includes(name));
      return place === -1 ? LONG.length : place;
    };
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
  }
}
