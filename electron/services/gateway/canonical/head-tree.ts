// What the HTML parser builds instead of a tree: the open elements, so that it parses on as the standard says, and a
// watch on the links of the head. A node knows its parent and no child: what the parser has closed is forgotten.
import { html, type Token, type TreeAdapter, type TreeAdapterTypeMap } from "parse5";
import type { CanonicalFinding } from "./canonical.ts";

interface HeadNode {
  readonly kind: "element" | "text" | "comment" | "other";
  readonly tagName: string;
  readonly namespace: html.NS;
  readonly attributes: Token.Attribute[];
  parent: HeadNode | null;
  /** Of a template. */
  content: HeadNode | null;
}

/** Every sort of node of the parser is one sort here. */
export type HeadNodes = Record<keyof TreeAdapterTypeMap, HeadNode>;

/**
 * A template of the head may hold so many elements. Unclosed formatting elements come back with every paragraph, so
 * that a quarter of a megabyte could ask for many million of them.
 */
const templateElements = 10_000;

/** `rel` is a list of words between ASCII white space, in any case. */
const canonicalWord = /(?:^|[\t\n\f\r ])canonical(?:$|[\t\n\f\r ])/i;

function createNode(
  kind: HeadNode["kind"],
  tagName = "",
  namespace = html.NS.HTML,
  attributes: Token.Attribute[] = [],
): HeadNode {
  return { kind, tagName, namespace, attributes, parent: null, content: null };
}

function isElement(node: HeadNode, ...tagNames: readonly string[]): boolean {
  return node.namespace === html.NS.HTML && tagNames.includes(node.tagName);
}

/** The `href` of a link element that says it is canonical. The parser keeps the first of attributes of one name. */
function canonicalHref({ attributes }: HeadNode): string | undefined {
  const rel = attributes.find(({ name }) => name === "rel");
  if (!rel || !canonicalWord.test(rel.value)) return undefined;
  return attributes.find(({ name }) => name === "href")?.value;
}

function ignore(): void {
  // What the parser tells is of no use to the watch.
}

export class HeadTree implements TreeAdapter<HeadNodes> {
  readonly #decide: (finding: CanonicalFinding) => void;
  #head: HeadNode | undefined;
  #current: HeadNode | undefined;
  #mode = html.DOCUMENT_MODE.NO_QUIRKS;
  #templateElements = 0;

  /** `decide` is told what is found, or that the head is over, as soon as the parser knows it; what it hears first holds. */
  constructor(decide: (finding: CanonicalFinding) => void) {
    this.#decide = decide;
  }

  /** The head is open, and nothing in it is. */
  get isInHead(): boolean {
    return this.#head !== undefined && this.#current === this.#head;
  }

  appendChild(parent: HeadNode, node: HeadNode): void {
    node.parent = parent;
    if (isElement(parent, "html")) {
      if (isElement(node, "head")) this.#head ??= node;
      // No link after this one's start can be in the head any more.
      else if (isElement(node, "body", "frameset")) this.#decide({ kind: "none" });
    } else if (parent === this.#head && isElement(node, "link")) {
      const href = canonicalHref(node);
      if (href !== undefined) this.#decide({ kind: "found", href });
    }
  }

  insertBefore(parent: HeadNode, node: HeadNode): void {
    node.parent = parent;
  }

  createElement(tagName: string, namespace: html.NS, attributes: Token.Attribute[]): HeadNode {
    if (this.#head !== undefined && !this.isInHead) {
      this.#templateElements += 1;
      if (this.#templateElements > templateElements) this.#decide({ kind: "none" });
    }
    return createNode("element", tagName, namespace, attributes);
  }

  onItemPush(node: HeadNode): void {
    this.#current = node;
  }

  onItemPop(_node: HeadNode, top: HeadNode): void {
    this.#current = top;
  }

  createDocument(): HeadNode {
    return createNode("other");
  }

  createDocumentFragment(): HeadNode {
    return createNode("other");
  }

  createCommentNode(): HeadNode {
    return createNode("comment");
  }

  createTextNode(): HeadNode {
    return createNode("text");
  }

  setTemplateContent(template: HeadNode, content: HeadNode): void {
    template.content = content;
  }

  getTemplateContent(template: HeadNode): HeadNode {
    return template.content ?? createNode("other");
  }

  setDocumentMode(_document: HeadNode, mode: html.DOCUMENT_MODE): void {
    this.#mode = mode;
  }

  getDocumentMode(): html.DOCUMENT_MODE {
    return this.#mode;
  }

  detachNode(node: HeadNode): void {
    node.parent = null;
  }

  getParentNode({ parent }: HeadNode): HeadNode | null {
    return parent;
  }

  getAttrList({ attributes }: HeadNode): Token.Attribute[] {
    return attributes;
  }

  getTagName({ tagName }: HeadNode): string {
    return tagName;
  }

  getNamespaceURI({ namespace }: HeadNode): html.NS {
    return namespace;
  }

  isElementNode(node: HeadNode): node is HeadNode {
    return node.kind === "element";
  }

  isTextNode(node: HeadNode): node is HeadNode {
    return node.kind === "text";
  }

  isCommentNode(node: HeadNode): node is HeadNode {
    return node.kind === "comment";
  }

  // Text, comments, the document's type and places in the source decide nothing here, and no parent knows its children.
  readonly setDocumentType = ignore;
  readonly insertText = ignore;
  readonly insertTextBefore = ignore;
  readonly adoptAttributes = ignore;
  readonly setNodeSourceCodeLocation = ignore;
  readonly updateNodeSourceCodeLocation = ignore;
  getNodeSourceCodeLocation(): null {
    return null;
  }
  getFirstChild(): null {
    return null;
  }
  getChildNodes(): HeadNode[] {
    return [];
  }
  isDocumentTypeNode(node: HeadNode): node is HeadNode {
    return node.kind === "other";
  }
  getTextNodeContent(): string {
    return "";
  }
  getCommentNodeContent(): string {
    return "";
  }
  getDocumentTypeNodeName(): string {
    return "";
  }
  getDocumentTypeNodePublicId(): string {
    return "";
  }
  getDocumentTypeNodeSystemId(): string {
    return "";
  }
}
