import type { Annotations } from '../ingress/ingress';
import { annotationPath, jsonAnnotation } from './annotations';
import { BuildFailure } from './failure';
import { list, optional, struct, text } from './go-json';
import type { Transform } from './model';

const rewriteConfig = optional(struct({ rewrites: list(struct({ regex: text, replace: text })) }));

const transformsJson = list(
  struct({ type: text, hostHeaderRewriteConfig: rewriteConfig, urlRewriteConfig: rewriteConfig }),
);

/**
 * The rewrites of the annotation `transforms.<name>`.
 * @throws BuildFailure
 */
export function annotatedTransforms(annotations: Annotations, name: string): readonly Transform[] {
  const suffix = `transforms.${name}`;
  const fail = (message: string) => new BuildFailure('transform', message, undefined, annotationPath(suffix));
  return (jsonAnnotation(annotations, suffix, transformsJson) ?? []).map((entry) => {
    const { type } = entry;
    if (type !== 'host-header-rewrite' && type !== 'url-rewrite') throw fail(`unknown transform type: ${type}`);
    const field = type === 'url-rewrite' ? 'urlRewriteConfig' : 'hostHeaderRewriteConfig';
    const config = entry[field];
    if (config === undefined) throw fail(`missing ${field}`);
    if (config.rewrites.length === 0) throw fail(`${field}.rewrites cannot be empty`);
    return { type, rewrites: config.rewrites };
  });
}
