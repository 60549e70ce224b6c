/** Reports of a watched release. */
export { type WatchedTale, watchHtml } from './html';
export { jsonLine, plainLines } from './lines';
export { type ScreenContext, screenLines } from './screen';
