import { inFreshProcess, type Measured } from './harness';

/** Texts to read, and both ways of reading: each is run once before it is measured. */
const prepare = `
  require('tsx/cjs');
  const { rolloutStack } = require('./bench/rollouts.ts');
  const { parseManifests } = require('./lib/core');
  const { parseAllDocuments, stringify } = require('yaml');
  // As people and cdk8s write it: an object that is there twice is written twice.
  const yamlOf = (count) =>
    rolloutStack(count).map((object) => stringify(object, { aliasDuplicateObjects: false })).join('---\\n');
  const jsonOf = (count) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items: rolloutStack(count) }, null, 2);
  const ours = (text) => parseManifests(text, 'stack.yaml').manifests.length;
  const library = (text) => parseAllDocuments(text).map((document) => document.toJS()).length;
  const time = (read, text, warm = text) => {
    read(warm);
    const start = performance.now();
    read(text);
    return performance.now() - start;
  };`;

const reading = (read: string, text: string): number =>
  inFreshProcess(`${prepare} console.log(time(${read}, ${text}))`);

/** Half a million characters, each of them a mistake. */
const MISTAKES = "'[' + ','.repeat(500_000), '[' + ','.repeat(5_000)";

/** Reading manifests, with every check of their form and every place known, beside the library that does the parsing. */
export function readerBenchmarks(): Measured[] {
  return [
    {
      name: 'reader: YAML of 300 Rollouts',
      ours: { label: 'parseManifests', measure: () => reading('ours', 'yamlOf(300)') },
      alternative: { label: 'yaml: parseAllDocuments and toJS', measure: () => reading('library', 'yamlOf(300)') },
      unit: 'ms',
      goal: { kind: 'faster', than: 4 },
      rounds: 5,
    },
    {
      name: 'reader: JSON of 1000 Rollouts',
      ours: { label: 'parseManifests', measure: () => reading('ours', 'jsonOf(1000)') },
      alternative: { label: 'JSON.parse', measure: () => reading('JSON.parse', 'jsonOf(1000)') },
      unit: 'ms',
      goal: { kind: 'cost', than: 15 },
      rounds: 5,
    },
    {
      name: 'reader: half a megabyte of nothing but mistakes',
      ours: { label: 'parseManifests, ending in a finding', measure: () => reading('ours', MISTAKES) },
      alternative: { label: 'yaml: parseAllDocuments and toJS', measure: () => reading('library', MISTAKES) },
      unit: 'ms',
      goal: { kind: 'faster', than: 3 },
      rounds: 3,
    },
  ];
}
