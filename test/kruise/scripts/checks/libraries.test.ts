import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readScriptLibrary } from '../../../../src/files/scripts/library';
import { checkScript } from '../../../../src/kruise/scripts/checks';
import { type LibraryScript, packagedScripts } from '../../../../src/kruise/scripts/library';
import { readTestdata } from '../../../../src/kruise/scripts/testdata';
import { rejectedScripts } from '../rejected/defects';

const lua = join(__dirname, '..', '..', '..', '..', 'lua_configuration');

function findingsOf(script: LibraryScript) {
  const testdata = script.testdata.flatMap((file) => {
    const read = readTestdata(readFileSync(file, 'utf8'), file, script.target).testdata;
    return read ? [read] : [];
  });
  return checkScript({ source: script.source, file: script.file, target: script.target, testdata });
}

describe('the shipped scripts', () => {
  it.each(packagedScripts().scripts.map((script) => [script.name, script] as const))('%s is clean', (_, script) => {
    expect(findingsOf(script)).toEqual([]);
  });
});

describe("the models of the controller's built-in scripts", () => {
  const builtin = readScriptLibrary(join(lua, 'builtin'));
  const found = (name: string) => {
    const script = builtin.scripts.find((one) => one.name === name)!;
    return findingsOf(script).map(({ rule, message }) => `${rule}: ${message}`);
  };

  it('mse: annotations that are nil, modifiers without set, and keys that are never cleared', () => {
    const findings = found('ingress.mse');

    expect(findings).toContainEqual(expect.stringMatching(/^lua-annotations-unguarded: .*obj\.annotations is nil/));
    expect(findings).toContainEqual(
      expect.stringMatching(/^lua-header-modifier-unguarded: .*requestHeaderModifier\.set is nil/),
    );
    expect(findings).toContainEqual(expect.stringMatching(/^lua-stale-annotation: .*canary-by-query is "v"/));
    expect(findings).toContainEqual(expect.stringMatching(/^lua-stale-annotation: .*request-header-control-update/));
    expect(findings.filter((finding) => finding.startsWith('lua-query-ignored'))).toEqual([
      'lua-query-ignored: the script ignores all query parameters of a match but the first',
    ]);
  });

  it.each(['ingress.higress', 'ingress.aliyun-alb'])('%s: a match without headers is an error', (name) => {
    expect(found(name)).toContainEqual(
      expect.stringMatching(/^lua-match-part-unguarded: .*headers of the match is nil/),
    );
  });

  it.each(['ingress.nginx', 'ingress.higress', 'ingress.aliyun-alb', 'ingress.mse'])(
    '%s: only the first header of the last match counts, and paths do not',
    (name) => {
      const findings = found(name);

      expect(findings).toContain('lua-header-ignored: the script ignores all headers of a match but the first');
      expect(findings).toContain('lua-alternative-ignored: the script ignores all matches but the last');
      expect(findings).toContainEqual(expect.stringMatching(/^lua-path-ignored: the script ignores the path/));
    },
  );

  it('aliyun-alb: every canary gets the order 1', () => {
    expect(found('ingress.aliyun-alb')).toContain(
      'lua-aliyun-order: every canary Ingress gets the order 1: two canaries on one ALB collide',
    );
  });

  it('VirtualService: skips rules with a match, fails on a redirect and without http', () => {
    const findings = found('VirtualService.networking.istio.io');

    expect(findings).toContain(
      'lua-weight-ignored: the script ignores the traffic of a step on a VirtualService whose route has a match',
    );
    expect(findings).toContainEqual(expect.stringMatching(/^lua-crash: .*that ends in a redirect/));
    expect(findings).toContainEqual(expect.stringMatching(/^lua-crash: .*TLS routes only/));
    expect(findings).toContain(
      'lua-header-modifier-ignored: the script ignores requestHeaderModifier in a step with traffic',
    );
  });

  it('DestinationRule: fails without subsets, and has no finding for ignored matches', () => {
    expect(found('DestinationRule.networking.istio.io')).toEqual([
      expect.stringMatching(/^lua-crash: .*a DestinationRule without subsets.*table expected, got nil/),
    ]);
  });
});

describe('scripts with known defects', () => {
  const known = rejectedScripts.flatMap(({ library, name, defects }) =>
    defects.flatMap(({ defect, rule }) => (rule ? [[`${library} ${name}`, rule, defect, library, name] as const] : [])),
  );

  it.each(known)('%s: %s, since %s', (_, rule, _defect, library, name) => {
    const { scripts } = readScriptLibrary(join(__dirname, '..', 'rejected', library));
    const script = scripts.find((one) => one.name === name)!;

    expect(findingsOf(script).map((finding) => finding.rule)).toContain(rule);
  });
});
