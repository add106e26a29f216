import { SaxesParser } from "saxes";
import { FIXTURE_LIMITS, refuse } from "./limits.ts";

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Text of the element, without its children. */
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

/**
 * Parses an XML text into a tree. Strict: text that is not well-formed is rejected. A document type with more than a
 * name is rejected too, so that there are no entities except the five of XML.
 *
 * @throws FixtureFileError
 */
export function parseXml(text: string): XmlElement {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  const stack: OpenElement[] = [];
  let root: OpenElement | undefined;
  let elements = 0;
  parser.on("doctype", (doctype) => {
    if (!/^\s*[\w:.-]+\s*$/.test(doctype)) refuse("The file defines a document type of its own, which is not read.");
  });
  parser.on("error", (error) => {
    const { line, column } = parser;
    refuse(`The file is not well-formed XML (line ${line}, column ${column}: ${reasonOf(error)}).`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (stack.length >= FIXTURE_LIMITS.depth) {
      refuse(`The file is nested deeper than ${FIXTURE_LIMITS.depth} elements.`);
    }
    if (++elements > FIXTURE_LIMITS.elements) refuse(`The file has more than ${FIXTURE_LIMITS.elements} elements.`);
    const element: OpenElement = { name, attributes, children: [], text: "" };
    stack.at(-1)?.children.push(element);
    root ??= element;
    stack.push(element);
  });
  const addText = (more: string) => {
    const element = stack.at(-1);
    if (element) element.text += more;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => void stack.pop());
  parser.write(text).close();
  return root ?? refuse("The file holds no XML.");
}

/**
 * Returns the parser's message without the position, which we add ourselves, and cut off, because it may quote the
 * file.
 */
const reasonOf = (error: Error) =>
  error.message
    .replace(/^\d+:\d+: /, "")
    .replace(/\.$/, "")
    .slice(0, 80);

export const childrenOf = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((child) => child.name === name);

export const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((child) => child.name === name);

/** Returns the trimmed text of a child; "" if there is none. */
export const textIn = (element: XmlElement, name: string): string => childOf(element, name)?.text.trim() ?? "";

/** Returns an attribute by own property, because an element may have one called `constructor`. */
export const attributeOf = ({ attributes }: XmlElement, name: string): string | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;
