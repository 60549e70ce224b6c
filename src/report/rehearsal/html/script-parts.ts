/** Makes an element with its properties and children. Each script of the page has a copy, because it runs alone. */
export const MAKE = `  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }
`;
