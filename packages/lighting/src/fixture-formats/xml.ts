import { SaxesParser } from "saxes";
import { FIXTURE_LIMITS, refuse } from "./limits.ts";

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** What stands in it, without its children. */
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

/**
 * The tree of an XML text. Strict: what is not well-formed is refused, and so is every document type that says more
 * than a name, so that there are no entities but the five of XML itself.
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

/** Without the place, which we tell ourselves, and what the file itself says, which may be long. */
const reasonOf = (error: Error) =>
  error.message
    .replace(/^\d+:\d+: /, "")
    .replace(/\.$/, "")
    .slice(0, 80);

export const childrenOf = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((child) => child.name === name);

export const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((child) => child.name === name);

/** The text of a child, without space around it; "" when there is none. */
export const textIn = (element: XmlElement, name: string): string => childOf(element, name)?.text.trim() ?? "";

/** An attribute as own property: an element may call one of its attributes `constructor`. */
export const attributeOf = ({ attributes }: XmlElement, name: string): string | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;
