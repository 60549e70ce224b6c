/** What the scripts of the page share, each of which runs on its own: makes an element with its properties and children. */
export const MAKE = `  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }
`;
