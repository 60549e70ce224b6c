/** What the API server says to objects of Kubernetes' own kinds. */
export { admitKubernetesObject, type KubernetesVerdict } from './admit';
export { type KubernetesRefusal, kubernetesRefusal, minorOf } from './refusal';
