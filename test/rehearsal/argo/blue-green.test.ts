import { describe, expect, it } from 'vitest';
import { rulesOf, sharesOf } from '../stack';
import { blueGreen, path, rehearseAll, rehearseYaml } from './stack';

describe('a blue-green release of Argo', () => {
  const rehearsal = rehearseYaml(blueGreen());

  it('is clean behind an ALB', () => {
    expect(rulesOf(rehearsal)).toEqual([]);
    expect(rehearsal).toMatchObject({ style: 'argo-blue-green', stableService: 'web', canaryService: 'web-preview' });
    expect(rehearsal.findings.map(({ rule }) => rule)).toEqual([
      'rehearsal-target-group-empty',
      'rehearsal-preview-empty',
    ]);
  });

  it('shows the preview first, then switches all, and switches back on an abort', () => {
    const shares = Object.values(sharesOf(rehearsal)).map((row) => [row.any, row['preview.example.com']]);
    expect(shares).toEqual([
      [0, 0],
      [0, 0],
      [0, 100],
      [100, 100],
      [100, 100],
      [0, 100],
      [0, 0],
    ]);
  });

  it('says that the preview fails while its Service selects pods that do not exist', () => {
    const column = rehearsal.requests.findIndex(({ label }) => label === 'preview.example.com');
    expect(rehearsal.moments.map(({ cells }) => cells[column]!.shares.failed)).toEqual([0, 1, 0, 0, 0, 0, 1]);
    expect(rehearsal.findings.find(({ rule }) => rule === 'rehearsal-preview-empty')).toMatchObject({
      severity: 'note',
      request: 'GET http://preview.example.com/',
      message: expect.stringContaining('Service web-preview'),
    });
  });

  it('answers 503 with use-annotation, as nobody writes an action', () => {
    const wrong = rehearseYaml(blueGreen(path('web', '/', 'Prefix')));

    expect(rulesOf(wrong)).toEqual(['rehearsal-requests-fail']);
    expect(wrong.findings[0]).toMatchObject({
      severity: 'error',
      request: 'GET http://shop.example.com/',
      fix: 'give the backend "web" the port of that Service; blue-green writes no action',
    });
  });

  it('is passed over where no load balancer of AWS leads to it', () => {
    expect(rehearseAll(blueGreen().replace('ingressClassName: alb', 'ingressClassName: nginx'))).toEqual([]);
  });
});
