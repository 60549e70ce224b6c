export type * from '../../core/kubernetes';
