/** What constructs, factories and methods of this package take. Apart, so that a program that calls none reads no file. */

import shapes from './prop-shapes.json';
import type { PropShapes } from './shape';

export const packageShapes = shapes as unknown as PropShapes;
