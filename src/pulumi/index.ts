/** The components of Pulumi: the same nouns as the constructs of cdk8s, made by the same functions. */
import { checkCalls } from '../core/checked-calls';
import * as api from './api';
import { argShapes } from './args';

checkCalls(api, argShapes);

export * from './api';
