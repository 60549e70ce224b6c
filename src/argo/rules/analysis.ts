import type { Finding } from '../../core/finding';
import { asObject, type Json, partOf } from '../../core/json';
import type { Path } from '../../core/path';
import { defineRules } from '../../core/rule';
import { ARGO_ROLLOUT } from '../admission/findings';
import { canary, OBJECTS, TEMPLATE } from '../admission/rules/examples';
import { analysesOfExperiment, isEndless, lacksTemplate, stepsOf } from '../controller';
import type { ArgoAlbChecker } from './context';

const analysed = (analysis: string) =>
  canary({
    steps: `- setWeight: 20
        - analysis: ${analysis}`,
    objects: `${OBJECTS}${TEMPLATE}`,
  });

const experimenting = (analysis: string) =>
  canary({
    steps: `- setWeight: 20
        - experiment: {templates: [{name: exp, specRef: canary}], analyses: [${analysis}]}`,
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
  'argo-experiment-never-ends': {
    severity: 'warning',
    title: 'no analysis of an experiment ends it',
    because:
      'an experiment without duration ends when all of its analyses with requiredForCompletion have succeeded, or when any analysis fails. If ' +
      'it requires none, it goes on after all of them have succeeded, until somebody promotes the release',
    fix: 'set requiredForCompletion: true of an analysis, or a duration',
    basis: 'run',
    sources: ['https://github.com/argoproj/argo-rollouts/blob/v1.9.1/utils/experiment/experiment.go'],
    failing: experimenting('{name: healthy, templateName: shop}'),
    corrected: experimenting('{name: healthy, templateName: shop, requiredForCompletion: true}'),
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

/** Checks that each experiment with analyses, and without a duration, has one that ends it. */
export const checkExperiments: ArgoAlbChecker = ({ world }) =>
  world.list(ARGO_ROLLOUT).flatMap((manifest) =>
    stepsOf(manifest.object).flatMap((step, index): Finding[] => {
      if (!isEndless(step) || analysesOfExperiment(step).length === 0) return [];
      return [
        manifest.finding(argoAnalysisRules['argo-experiment-never-ends'], {
          path: ['spec', 'strategy', 'canary', 'steps', index, 'experiment', 'analyses'],
          message: `the experiment of steps[${index}] has no duration and requires none of its analyses, so it runs until somebody promotes Rollout "${manifest.name}"`,
          step: index,
        }),
      ];
    }),
  );
