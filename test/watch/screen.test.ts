/** The page of a terminal: it fits, it escapes, and it is redrawn in place. */
import { describe, expect, it } from 'vitest';
import { Page } from '../../src/cli/watch/terminal';
import { parseManifests } from '../../src/core';
import type { WatchedMoment } from '../../src/core/watched-release';
import { groupKindOfRead, LiveCluster, READ_KINDS } from '../../src/doctor';
import { jsonLine, plainLines, screenLines, watchHtml } from '../../src/report/watch';
import { widthOf } from '../../src/report/watch/spans';
import { Follower } from '../../src/watch';
import { argoCluster } from '../doctor/argo-cluster';
import { kruiseCluster } from '../doctor/kruise-cluster';

const NOW = new Date('2026-01-01T00:00:20Z');

function momentOf(name: string, objects: string): WatchedMoment {
  const follower = new Follower({ namespace: 'shop', name });
  const { manifests } = parseManifests(objects, 'test.yaml');
  const served = new Set(READ_KINDS.map(groupKindOfRead));
  const cluster = new LiveCluster({ from: 'test', manifests, served, now: NOW });
  follower.look({ cluster, at: new Date(NOW.getTime() - 10_000) });
  return follower.look({ cluster, at: NOW });
}

const MOMENTS = {
  paused: momentOf('web', kruiseCluster()),
  wrong: momentOf('web', kruiseCluster({ hasCanaryIngress: false })),
  timed: momentOf('shop', argoCluster({ step: 3, weight: 50 })),
  aborted: momentOf('shop', argoCluster({ status: 'aborted' })),
  healthy: momentOf('shop', argoCluster({ status: 'idle' })),
};

/** A moment whose every text is hostile. */
function hostile(moment: WatchedMoment): WatchedMoment {
  const evil = (text: string) => `${text}\u001b[2J\u202e<script>alert(1)</script>\n::error::界`;
  const map = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string')
      return ['kind', 'is', 'who', 'at', 'since', 'verdict', 'class', 'action'].includes(key) ? value : evil(value);
    if (Array.isArray(value)) return value.map((one) => map(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, map(one, name)]));
  };
  return { ...(map(moment) as WatchedMoment), state: { ...moment.state, text: evil(moment.state.text) } };
}

const SIZES = [
  [40, 12],
  [60, 24],
  [80, 24],
  [120, 50],
  [200, 8],
] as const;

describe.each(Object.entries(MOMENTS))('the page at the moment "%s"', (_name, moment) => {
  it.each(SIZES)('fits %d columns and %d rows', (width, height) => {
    for (const one of [moment, hostile(moment)]) {
      for (const ascii of [true, false]) {
        const lines = screenLines(one, { color: false, ascii, width, height, now: NOW });
        expect(lines.length).toBeLessThanOrEqual(height);
        for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(width);
        for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
      }
    }
  });

  it('says the same with colours', () => {
    const context = { ascii: false, width: 80, height: 40, now: NOW };
    const plain = screenLines(moment, { ...context, color: false });
    const colored = screenLines(moment, { ...context, color: true });
    expect(colored.map((line) => line.replace(/\u001b\[\d+m/g, '').trimEnd())).toEqual(plain);
  });

  it('is a line of a log, of JSON, and a part of a page, whatever its texts are', () => {
    const evil = hostile(moment);
    expect(plainLines(evil)).not.toMatch(/^\s*::/m);
    expect(plainLines(evil)).not.toContain('\u001b');
    expect(jsonLine(evil).trimEnd()).not.toMatch(/[\n\u001b\u202e]/);
    expect(JSON.parse(jsonLine(evil)).state.kind).toBe(moment.state.kind);
    expect(watchHtml({ moments: [evil, evil], leftOut: 3 })).not.toContain('<script>');
  });
});

describe('the page', () => {
  it('counts down to what comes by itself', () => {
    const lines = screenLines(MOMENTS.timed, { color: false, ascii: false, width: 100, height: 40, now: NOW });
    expect(lines.join('\n')).toContain('after the pause of 60 s, at 2026-01-01T00:01:00.000Z (in 40 s)');
  });

  it('keeps the differences when there is little room', () => {
    const text = screenLines(MOMENTS.wrong, { color: false, ascii: false, width: 80, height: 22, now: NOW }).join('\n');
    expect(text).toContain('Ingress shop/web-canary should be there');
    expect(text).toContain('kubectl-kruise rollout approve rollout/web -n shop');
  });
});

/** A terminal that knows what the page sends. */
class Terminal {
  rows: string[] = [''];
  row = 0;
  written = 0;

  take(text: string): void {
    for (const [part] of text.matchAll(/\u001b\[\??\d*[A-Za-z]|\n|\r|[^\u001b\n\r]+/g)) this.part(part);
  }

  private part(part: string): void {
    const up = /^\u001b\[(\d+)A$/.exec(part);
    if (up !== null) this.row -= Number(up[1]);
    else if (part === '\n') this.rows[++this.row] ??= '';
    else if (part === '\u001b[K' || part.startsWith('\u001b[?') || part === '\r' || part === '\u001b[3J') return;
    else if (part === '\u001b[J') this.rows.length = this.row + 1;
    else if (part === '\u001b[2J') this.rows = [''];
    else if (part === '\u001b[H') this.row = 0;
    else {
      this.rows[this.row] = part;
      this.written++;
    }
    if (part === '\u001b[J') this.rows[this.row] = '';
  }

  get shown(): readonly string[] {
    return this.rows.slice(0, this.row);
  }
}

describe('drawing', () => {
  it('shows each page in place of the one before, and writes only lines that differ', () => {
    const terminal = new Terminal();
    const page = new Page();
    const pages = [['a', 'b', 'c'], ['a', 'B', 'c'], ['a'], ['a', 'x', 'y', 'z'], ['q']];
    for (const lines of pages) {
      terminal.take(page.draw(lines));
      expect(terminal.shown).toEqual(lines);
    }
    expect(terminal.written).toBe(3 + 1 + 0 + 3 + 1);
    expect(page.draw(['q'])).toBe('');
  });

  it('begins anew after a change of the size', () => {
    const terminal = new Terminal();
    const page = new Page();
    terminal.take(page.draw(['a', 'b']));
    page.resized();
    terminal.take(page.draw(['a', 'b']));
    expect(terminal.shown).toEqual(['a', 'b']);
    expect(terminal.written).toBe(4);
  });
});
