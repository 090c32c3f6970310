/** Writes and parses the XML that SOAP needs: escapes text, and parses strictly or not at all. */
import { SaxesParser } from 'saxes';

/** An element with its namespace told apart from its name. Attributes say nothing in these messages. */
export type XmlElement = {
  readonly namespace: string;
  readonly name: string;
  /** Its own text, CDATA included, without that of its children. */
  readonly text: string;
  readonly children: readonly XmlElement[];
};

/** An element that is still being read. */
type Open = { namespace: string; name: string; text: string; children: XmlElement[] };

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // A reader turns a bare one into a line feed.
  '\r': '&#13;',
};

// What XML 1.0 can carry at all, escaped or not.
const writable = /^[\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;

/** Text as the content of an element, or undefined where XML has no way to write it. */
export const escapeXml = (text: string): string | undefined =>
  writable.test(text)
    ? text.replace(/[&<>\r]/g, (character) => references[character] ?? character)
    : undefined;

// Twice what any message here has; a reader of namespaces takes the square of it in time.
const deepest = 12;

const parse = (text: string): XmlElement | undefined => {
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' });
  const root: Open = { namespace: '', name: '', text: '', children: [] };
  const path: Open[] = [root];
  const innermost = (): Open => path.at(-1) ?? root;
  const addText = (more: string): void => {
    innermost().text += more;
  };
  parser.on('doctype', () => {
    // SOAP forbids it, and everything dangerous about XML begins there.
    throw new Error('a document type');
  });
  parser.on('opentag', ({ uri, local }) => {
    const element: Open = { namespace: uri, name: local, text: '', children: [] };
    innermost().children.push(element);
    if (path.push(element) > deepest) throw new Error('nested too deeply');
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    path.pop();
  });
  parser.write(text).close();
  return root.children[0];
};

/** The root of a document, or undefined where it is not well-formed from the first sign to the last. */
export const readXml = (text: string): XmlElement | undefined => {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
};

/** The child of that name, if there is exactly one: two are ambiguous. */
export const onlyChild = (
  parent: XmlElement | undefined,
  namespace: string,
  name: string,
): XmlElement | undefined => {
  const found = parent?.children.filter(
    (child) => child.namespace === namespace && child.name === name,
  );
  return found?.length === 1 ? found[0] : undefined;
};

/** The text of the only child of that name, without the space around it; undefined where it is no leaf. */
export const childText = (
  parent: XmlElement | undefined,
  namespace: string,
  name: string,
): string | undefined => {
  const child = onlyChild(parent, namespace, name);
  return child?.children.length === 0 ? child.text.trim() : undefined;
};
