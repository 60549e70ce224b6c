/** `v1.24.2-distroless` of `…:v1.24.2-distroless@sha256:…`; undefined for an image without a tag. */
export function tagOf(image: unknown): string | undefined {
  return typeof image === 'string' ? /:([^/:@]+)(?:@.*)?$/.exec(image)?.[1] : undefined;
}
