/** What ingress-nginx accepts in the annotations of a canary. */
import type { Ingress } from '../ingress/ingress';
import type { IngressNginxFacts } from './nginx-version';

export const NGINX_PREFIX = 'nginx.ingress.kubernetes.io';

/** The characters that annotations may have since release 1.12, where `--enable-annotation-validation` is the default. */
const PLAIN = { characters: /^[-./_~:\w ]*$/, words: 'letters, digits, spaces and -._~:/' };
const EXPRESSION = {
  characters: /^[-./_~:\w^$[\](){}*+?|&=\\]*$/,
  words: 'letters, digits and -._~:/^$[](){}*+?|&=\\',
};

const ACCEPTED = {
  'canary-by-header': PLAIN,
  'canary-by-header-value': PLAIN,
  'canary-by-header-pattern': EXPRESSION,
  'canary-by-cookie': PLAIN,
} as const;

/** An annotation of a canary whose characters are checked. */
export type CheckedAnnotation = keyof typeof ACCEPTED;

/** The value of an annotation; where a release checks it, one with other characters counts as empty. */
export function accepted(
  name: CheckedAnnotation,
  value: string | undefined,
  { annotationValidation }: IngressNginxFacts,
): string | undefined {
  return value === undefined || !annotationValidation || isAccepted(name, value) ? value : undefined;
}

function isAccepted(name: CheckedAnnotation, value: string): boolean {
  return ACCEPTED[name].characters.test(value);
}

/** The first annotation of an Ingress that counts as empty, and why. */
export function refusedAnnotation({ annotations }: Pick<Ingress, 'annotations'>): string | undefined {
  const names = Object.keys(ACCEPTED) as CheckedAnnotation[];
  const refused = names.find((name) => {
    const value = annotations[`${NGINX_PREFIX}/${name}`];
    return value !== undefined && !isAccepted(name, value);
  });
  if (refused === undefined) return undefined;
  const value = JSON.stringify(annotations[`${NGINX_PREFIX}/${refused}`]);
  return `ingress-nginx 1.12 and later read ${refused}: ${value} as empty, as only ${ACCEPTED[refused].words} are allowed there`;
}
