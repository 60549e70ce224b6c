import { checkCalls, packageShapesOnce } from '../core/checked-calls';
import * as api from './api';

checkCalls(api, packageShapesOnce);

export * from './api';
