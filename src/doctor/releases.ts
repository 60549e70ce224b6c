/** Which releases run in a cluster, by the tags of images. */
import { controllersOf as argoControllersOf } from '../argo/rules/install';
import { isJsonObject, type Json, type World } from '../core';
import { controllersOf } from '../kruise/install/check/controllers';

/** The releases as images have them; what is not there is undefined. */
export interface DetectedReleases {
  readonly kruise?: string;
  readonly argo?: string;
  readonly awsLoadBalancerController?: string;
  readonly istio?: string;
}

/** Looks at the images of the controllers. */
export function detectReleases(world: World): DetectedReleases {
  const [kruise] = controllersOf(world);
  const [argo] = argoControllersOf({ world });
  const argoImage = argo?.manifest.get([...argo.path, 'image']);
  const texts: Record<keyof DetectedReleases, string | undefined> = {
    kruise: kruise?.version.version,
    argo: tagOf(argoImage),
    awsLoadBalancerController: imageTag(world, /(^|\/)aws-load-balancer-controller(:|@|$)/),
    istio: imageTag(world, /(^|\/)(pilot|istiod)(:|@|$)/),
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
}

function imageTag(world: World, repository: RegExp): string | undefined {
  const images = world.list('Deployment.apps').flatMap((deployment) => {
    const containers = deployment.get('spec.template.spec.containers');
    return (Array.isArray(containers) ? containers : []).map((one: Json) =>
      isJsonObject(one) ? one.image : undefined,
    );
  });
  return tagOf(images.find((image) => typeof image === 'string' && repository.test(image)));
}

/** `1.24.2` of `…:v1.24.2-distroless@sha256:…` */
function tagOf(image: Json | undefined): string | undefined {
  return typeof image === 'string' ? /:v?(\d+\.\d+(?:\.\d+)?)(?:-[^/@]*)?(?:@.*)?$/.exec(image)?.[1] : undefined;
}
