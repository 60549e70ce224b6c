import type { Finding } from '../../core/finding';
import { asObject, type Json, partOf } from '../../core/json';
import type { Path } from '../../core/path';
import { defineRules } from '../../core/rule';
import { ARGO_ROLLOUT } from '../admission/findings';
import { canary, OBJECTS, TEMPLATE } from '../admission/rules/examples';
import { stepsOf } from '../controller';
import { lacksTemplate } from '../controller/analysis';
import type { ArgoAlbChecker } from './context';

const analysed = (analysis: string) =>
  canary({
    steps: `- setWeight: 20
        - analysis: ${analysis}`,
    objects: `${OBJECTS}${TEMPLATE}`,
  });

/** Rules for what a Rollout says of its analyses. */
export const argoAnalysisRules = defineRules({
  'argo-analysis-without-template': {
    severity: 'error',
    title: 'an analysis of a Rollout names no template',
    because:
      'the API server takes it, and the controller waits for its result and runs nothing: the release never goes on',
    fix: 'name an AnalysisTemplate in templates, or remove the analysis',
    basis: 'run',
    rehearsedAs: ['rehearsal-step-never-ends'],
    sources: ['https://github.com/argoproj/argo-rollouts/blob/v1.9.1/rollout/analysis.go'],
    failing: analysed('{}'),
    corrected: analysed('{templates: [{templateName: shop}]}'),
  },
});

/** Checks that each analysis for which a release waits has a template. One in the background without any is not run, and nobody waits. */
export const checkAnalysisTemplates: ArgoAlbChecker = ({ world }) =>
  world.list(ARGO_ROLLOUT).flatMap((manifest): Finding[] => {
    const blueGreen = partOf(partOf(asObject(manifest.object.spec), 'strategy'), 'blueGreen');
    const places: readonly (readonly [Path, Json | undefined])[] = [
      ...stepsOf(manifest.object).map(
        ({ analysis }, index) => [['spec', 'strategy', 'canary', 'steps', index, 'analysis'], analysis] as const,
      ),
      ...(['prePromotionAnalysis', 'postPromotionAnalysis'] as const).map(
        (field) => [['spec', 'strategy', 'blueGreen', field], blueGreen?.[field]] as const,
      ),
    ];
    return places
      .filter(([, analysis]) => lacksTemplate(analysis))
      .map(([path]) =>
        manifest.finding(argoAnalysisRules['argo-analysis-without-template'], {
          path,
          message: `Rollout "${manifest.name}" waits for an analysis that names no template, and never goes on`,
        }),
      );
  });
