import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkStack, wholeCatalogue } from '../../src/check';
import { type Finding, parseManifests, RuleCatalogue, type SuppressedFinding, World } from '../../src/core';
import { reporters } from '../../src/report';
import { ANY_FINDING, ANY_TEXT, PLAIN } from './findings';

/** The schema of the standard, which this package holds. Its own code is not used: it needs Jest. */
const SCHEMA = join(__dirname, '../../node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');

/** What is found in the failing example of every rule, some of it accepted. */
const FOUND: readonly Finding[] = [...wholeCatalogue()]
  .filter(({ failing }) => failing.language === 'yaml')
  .flatMap(({ id, failing }) => {
    const { manifests, findings } = parseManifests(failing.text, `deploy/${id}.yaml`);
    return checkStack(World.of(manifests), { earlier: findings }).findings;
  });
const suppressed: readonly SuppressedFinding[] = FOUND.slice(0, 9).map((finding) => ({ finding, reason: 'known' }));
const REAL = { findings: FOUND, context: { ...PLAIN, suppressed, catalogue: wholeCatalogue(), version: '1.2.3' } };

const ANY_REPORT = fc.record({
  findings: fc.array(ANY_FINDING, { maxLength: 6 }),
  suppressed: fc.array(fc.record({ finding: ANY_FINDING, reason: ANY_TEXT }), { maxLength: 3 }),
});

/** Every report that is worth a look: of real findings, of none, and of any. */
function forReports(look: (log: SarifLog) => void): void {
  const sarif = (findings: readonly Finding[], context: typeof REAL.context) =>
    JSON.parse(reporters.sarif(findings, context));
  look(sarif(REAL.findings, REAL.context));
  look(sarif([], REAL.context));
  const run = fc.property(ANY_REPORT, ({ findings, ...rest }) => {
    look(sarif(findings, { ...REAL.context, catalogue: RuleCatalogue.of(), ...rest }));
  });
  fc.assert(run, { seed: 11, numRuns: 200 });
}

interface SarifLog {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly SarifRule[] } };
    readonly results: readonly SarifResult[];
  }[];
}

interface SarifRule {
  readonly id: string;
  readonly defaultConfiguration?: { readonly level: string };
}

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations?: readonly SarifLocation[];
  readonly relatedLocations?: readonly SarifLocation[];
  readonly suppressions?: readonly { readonly kind: string; readonly status: string; readonly justification: string }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
}

interface SarifLocation {
  readonly physicalLocation?: {
    readonly artifactLocation: { readonly uri: string };
    readonly region: { readonly startLine: number; readonly startColumn: number };
  };
  readonly logicalLocations?: readonly { readonly fullyQualifiedName: string }[];
}

/** All characters that RFC 3986 lets stand in a reference, and percent signs only before two digits. */
const URI_REFERENCE = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/;

describe('SARIF', () => {
  it.runIf(existsSync(SCHEMA))('is valid by the schema of the standard', () => {
    // cdk8s-cli is the nearest that has ajv.
    const { default: Ajv } = createRequire(require.resolve('cdk8s-cli/package.json'))('ajv');
    // The schema is of draft 4; nothing in it reads otherwise in draft 7.
    const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(SCHEMA, 'utf8'));
    const ajv = new Ajv({ strict: false, unicodeRegExp: false });
    ajv.addFormat('uri', (text: string) => URI_REFERENCE.test(text) && URL.canParse(text));
    ajv.addFormat('uri-reference', URI_REFERENCE);
    ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const validate = ajv.compile(schema);
    expect(validate({ version: '2.1.0', runs: [{}] })).toBe(false);
    forReports((log) => expect(validate(log), JSON.stringify(validate.errors)).toBe(true));
  });

  it('has the fields that the standard asks for, and no others', () => {
    forReports((log) => {
      expect(Object.keys(log)).toEqual(['$schema', 'version', 'runs']);
      expect(log.version).toBe('2.1.0');
      expect(log.runs).toHaveLength(1);
      const [{ tool, results }] = log.runs as [SarifLog['runs'][number]];
      expect(tool.driver.name).toBe('rollout-constructs');
      for (const rule of tool.driver.rules) onlyKeys(rule, RULE_KEYS);
      for (const result of results) {
        onlyKeys(result, RESULT_KEYS);
        expect(['error', 'warning', 'note']).toContain(result.level);
        expect(result.message.text).not.toBe('');
        for (const { justification, ...rest } of result.suppressions ?? []) {
          expect(rest).toEqual({ kind: 'inSource', status: 'accepted' });
          expect(typeof justification).toBe('string');
        }
      }
    });
  });

  it('describes each rule once, and each result points at its own', () => {
    forReports(({ runs: [run] }) => {
      const ids = run!.tool.driver.rules.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { ruleId, ruleIndex } of run!.results) expect(ids[ruleIndex]).toBe(ruleId);
    });
  });

  it('names files by references that are relative, or absolute ones of files, and counts from 1', () => {
    forReports(({ runs: [run] }) => {
      for (const { locations = [], relatedLocations = [] } of run!.results) {
        expect(locations.length).toBeLessThan(2);
        for (const { physicalLocation, logicalLocations } of [...locations, ...relatedLocations]) {
          expect(physicalLocation ?? logicalLocations).toBeDefined();
          if (physicalLocation === undefined) continue;
          const { artifactLocation, region } = physicalLocation;
          expect(artifactLocation.uri).toMatch(URI_REFERENCE);
          expect(URL.canParse(artifactLocation.uri, 'file:///repository/')).toBe(true);
          // Else a reader would take what stands before the colon for a scheme.
          expect(artifactLocation.uri).not.toMatch(/^(?!file:\/\/\/)[A-Za-z][\w+.-]*:/);
          for (const number of Object.values(region)) expect(Number.isInteger(number) && number >= 1).toBe(true);
        }
      }
    });
  });

  it('has one fingerprint for each result that does not depend on lines', () => {
    const [finding] = FOUND.filter(({ source }) => source !== undefined);
    const printsOf = (finding: Finding) =>
      (JSON.parse(reporters.sarif([finding], PLAIN)) as SarifLog).runs[0]!.results[0]!.partialFingerprints;
    const moved = { ...finding!, source: { ...finding!.source!, line: 999, column: 9 } };
    expect(printsOf(moved)).toEqual(printsOf(finding!));
    expect(printsOf({ ...finding!, message: 'another' })).not.toEqual(printsOf(finding!));
    expect(Object.values(printsOf(finding!))).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  it('stays within the limits of GitHub', () => {
    // https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
    forReports(({ runs: [run] }) => {
      expect(run!.tool.driver.rules.length).toBeLessThan(25_000);
      for (const { locations = [] } of run!.results) expect(locations.length).toBeLessThanOrEqual(1000);
    });
  });
});

const RULE_KEYS = ['id', 'shortDescription', 'fullDescription', 'help', 'defaultConfiguration', 'helpUri'];
const RESULT_KEYS = [
  'ruleId',
  'ruleIndex',
  'level',
  'message',
  'locations',
  'relatedLocations',
  'suppressions',
  'partialFingerprints',
];

function onlyKeys(value: object, keys: readonly string[]): void {
  expect(Object.keys(value).filter((key) => !keys.includes(key))).toEqual([]);
}
