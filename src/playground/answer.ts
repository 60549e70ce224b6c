/** What the playground says about manifests: the same as the commands `check`, `rehearse`, `route` and `env preview`. */
import { acceptRehearsals, checkEnvironments, checkStack, rehearseOptions } from '../check';
import { collectFindings, type Finding, findingTexts, parseManifests, type ReadResult, World } from '../core';
import { Budget } from '../core/budget';
import type { EnvironmentPreview } from '../core/environment-preview';
import { previewEnvironments } from '../ktenv/preview';
import { parseRequest, RequestSyntaxError, rehearse, routeRequest } from '../rehearsal';
import { environmentPreviewHtml } from '../report/environment-preview-html';
import { rehearsalReporters } from '../report/rehearsal';
import { countFindings, subjectOf, summaryOf } from '../report/reporter';
import { routesText } from '../report/routes';
import { clusterOf } from '../settings/cluster';
import { SECONDS } from './limits';

/** What a person has written into the page. */
export interface PlaygroundInput {
  /** Manifests in YAML or JSON. */
  readonly text: string;
  /** Requests as the command line has them: `GET https://shop.example.com/cart -H "x-user: 1"`. */
  readonly requests: readonly string[];
}

/** A finding as the page lists it. */
export interface ListedFinding
  extends Pick<Finding, 'rule' | 'severity' | 'message' | 'because' | 'fix' | 'docs'>,
    Partial<Pick<NonNullable<Finding['source']>, 'line' | 'column'>> {
  /** The object, and the field in it. */
  readonly subject: string;
}

/** The findings of the manifests. */
export interface CheckedAnswer {
  readonly findings: readonly ListedFinding[];
  readonly objects: number;
  /** `2 errors, 1 warning` */
  readonly summary: string;
  /** The releases that were assumed, one sentence each. */
  readonly assumptions: readonly string[];
}

/** The answer to one request. */
export interface RoutedAnswer {
  readonly request: string;
  /** As `route` prints it; absent if nothing can answer. */
  readonly text?: string;
  /** Why nothing can. */
  readonly problem?: string;
}

/** A picture: a whole page of its own. */
export interface Picture {
  readonly title: 'Rehearsal' | 'Environments';
  readonly html: string;
}

/** The name of the manifests in findings. */
export const FILE = 'manifests.yaml';

/** The manifests of one text, read once for all answers. */
export class Playground {
  private readonly read: ReadResult;
  private readonly world: World;

  constructor(
    private readonly input: PlaygroundInput,
    private readonly now: () => number = Date.now,
  ) {
    this.read = parseManifests(input.text, FILE);
    this.world = World.of(this.read.manifests);
  }

  /** As `rollout-constructs check` says it. */
  checked(): CheckedAnswer {
    const result = checkStack(this.world, {
      earlier: this.read.findings,
      budget: this.budget(),
      rehearsal: { reports: false },
    });
    const findings = collectFindings(result.findings);
    return {
      findings: findings.map(listed),
      objects: this.read.manifests.length,
      summary: summaryOf(countFindings(findings, { color: false, ascii: false, suppressed: result.suppressed })),
      assumptions: result.cluster.assumptions,
    };
  }

  /** As `rollout-constructs route` says it. */
  routed(): RoutedAnswer[] {
    const broken = this.read.findings.find(({ severity }) => severity === 'error');
    return this.input.requests.map((request) => {
      if (broken !== undefined) {
        return { request, problem: `the manifests cannot be read: ${findingTexts(broken).message}` };
      }
      try {
        const routes = routeRequest(this.world, parseRequest(request));
        if (routes.length > 0) return { request, text: routesText(routes) };
        return { request, problem: 'there is no load balancer in these manifests, so nothing answers' };
      } catch (error) {
        if (error instanceof RequestSyntaxError) return { request, problem: error.message };
        throw error;
      }
    });
  }

  /** As `rollout-constructs rehearse --stories all --format html` and `env preview --format html` draw it. */
  pictures(): Picture[] {
    const cluster = clusterOf(this.world);
    const budget = this.budget();
    const rehearsals = rehearse(this.world, rehearseOptions(this.world, { budget, rehearsal: { stories: 'all' } }));
    const accepted = acceptRehearsals(rehearsals, this.world);
    const findings = collectFindings([
      ...this.read.findings,
      ...cluster.findings,
      ...this.world.findings,
      ...accepted.findings,
    ]);
    const rehearsal: Picture = {
      title: 'Rehearsal',
      html: rehearsalReporters.html(accepted.rehearsals, {
        color: false,
        ascii: false,
        findings,
        suppressed: accepted.suppressed,
        sources: this.read.sources,
        assumptions: cluster.assumptions,
        isFramed: true,
      }),
    };
    const environments = this.environments();
    return rehearsals.length === 0 && environments.length > 0 ? environments : [rehearsal, ...environments];
  }

  private environments(): Picture[] {
    const previews: readonly EnvironmentPreview[] = previewEnvironments(this.world);
    if (previews.length === 0) return [];
    const { findings } = checkEnvironments(this.world, { earlier: this.read.findings });
    return [{ title: 'Environments', html: environmentPreviewHtml(previews, findings) }];
  }

  private budget(): Budget {
    return new Budget({ seconds: SECONDS, memory: Number.POSITIVE_INFINITY, began: this.now() });
  }
}

function listed(finding: Finding): ListedFinding {
  const { rule, severity, docs, source } = finding;
  const place = source === undefined ? {} : { line: source.line, column: source.column };
  return { rule, severity, docs, ...findingTexts(finding), subject: subjectOf(finding), ...place };
}
