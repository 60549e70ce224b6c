/**
 * What a page within a page adds: it tells the page around it where its reader is, and goes where that page says, so that
 * a new picture can begin where the one before it was.
 */
export const FRAMED_SCRIPT = `
(() => {
  if (window.parent === window) return;
  const tell = () => parent.postMessage({ hash: location.hash, top: scrollY }, '*');
  for (const event of ['scroll', 'click', 'keyup', 'change']) addEventListener(event, () => setTimeout(tell));
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data && typeof data.top === 'number') scrollTo({ top: data.top, behavior: 'instant' });
  });
})();
`;
