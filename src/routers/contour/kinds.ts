import type { ObjectKind } from '../kinds';

export const HTTP_PROXY: ObjectKind = { kind: 'HTTPProxy', group: 'projectcontour.io', plural: 'httpproxies' };
