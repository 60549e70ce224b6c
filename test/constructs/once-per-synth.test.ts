import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LuaRoutingConfigMap, LuaScripts, StackCheck } from '../../src/constructs';

let outdir: string;

beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'synth-'));
});

afterEach(() => rmSync(outdir, { recursive: true }));

const defaultBackend = { service: { name: 'web', port: { number: 80 } } };
const BROKEN = JsonPatch.remove('/spec/defaultBackend');
const REPAIRED = JsonPatch.add('/spec/defaultBackend', defaultBackend);

const ingress = (name: string) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name },
  spec: { ingressClassName: 'nginx', defaultBackend },
});

/** An app of so many charts, each with an Ingress, which counts how often one is written. */
function appOf(charts: number) {
  let written = 0;
  class Counted extends ApiObject {
    override toJson() {
      written++;
      return super.toJson();
    }
  }
  const app = new App({ outdir });
  const objects = Array.from({ length: charts }, (_, index) => {
    const chart = new Chart(app, `chart-${index}`, { disableResourceNameHashes: true });
    return new Counted(chart, 'Ingress', ingress(`web-${index}`));
  });
  const check = new StackCheck(app, 'Check');
  return { app, check, objects, written: () => written };
}

describe('a synth with checks', () => {
  it.each(['synth', 'synthYaml'] as const)('%s reads each object once, however many charts there are', (method) => {
    for (const charts of [1, 12]) {
      const { app, written } = appOf(charts);
      app[method]();
      // Once for the checks, and once for the file.
      expect(written()).toBe(2 * charts);
    }
  });

  it('reads the objects again in the next synth', () => {
    const { app, check, objects } = appOf(3);
    app.synth();
    const findings = () => check.findings().map(({ message }) => message);
    const before = findings();
    objects[1]!.addJsonPatch(BROKEN);
    expect(findings()).not.toEqual(before);
    expect(() => app.synth()).toThrow('either `defaultBackend` or `rules`');
    expect(() => app.synthYaml()).toThrow('either `defaultBackend` or `rules`');
  });

  it('reads the objects of a chart that is synthesised alone each time', () => {
    const { app, objects } = appOf(2);
    const chart = Chart.of(objects[0]!);
    expect(Testing.synth(chart)).toHaveLength(1);
    app.synth();
    objects[1]!.addJsonPatch(BROKEN);
    expect(() => Testing.synth(chart)).toThrow('either `defaultBackend` or `rules`');
  });

  it('gives an app that was changed after a synth failed another answer', () => {
    const { app, objects } = appOf(2);
    objects[0]!.addJsonPatch(BROKEN);
    expect(() => app.synth()).toThrow('either `defaultBackend` or `rules`');
    objects[0]!.addJsonPatch(REPAIRED);
    app.synth();
  });

  it('reads the objects again for a construct that came since, wherever it stands', () => {
    const { app, objects } = appOf(2);
    const [first, second] = objects.map((object) => Chart.of(object));
    Testing.synth(second!);
    new StackCheck(first!, 'Another');
    objects[1]!.addJsonPatch(BROKEN);
    expect(() => Testing.synth(second!)).toThrow('either `defaultBackend` or `rules`');
    expect(() => app.synth()).toThrow('either `defaultBackend` or `rules`');
  });

  it('proves scripts once, however many charts there are', () => {
    const app = new App({ outdir });
    let read = 0;
    const scripts = LuaScripts.fromLibrary('aws-alb');
    const map = new LuaRoutingConfigMap(new Chart(app, 'scripts'), 'Scripts', { scripts: [scripts] });
    const findings = map.findings.bind(map);
    map.findings = () => {
      read++;
      return findings();
    };
    for (let index = 0; index < 5; index++) new Chart(app, `chart-${index}`);
    app.synth();
    expect(read).toBe(1);
    app.synth();
    expect(read).toBe(2);
  });
});
