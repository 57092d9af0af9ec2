// The tree adapter for the HTML parser. It keeps the open elements, which the parser needs, and watches the links of
// the head. A node knows its parent but no child: closed elements are forgotten.
import { html, type Token, type TreeAdapter, type TreeAdapterTypeMap } from "parse5";
import { canonicalLimits } from "../gateway-limits.ts";

export type CanonicalFinding =
  /** The `href` of the first canonical link that has one: character references decoded, otherwise as written. */
  | { readonly kind: "found"; readonly href: string }
  /** The head or the page has ended. */
  | { readonly kind: "none" }
  /** `headBytes` have been read before the head ended. */
  | { readonly kind: "beyond-limit" };

interface HeadNode {
  readonly kind: "element" | "text" | "comment" | "other";
  readonly tagName: string;
  readonly namespace: html.NS;
  readonly attributes: Token.Attribute[];
  parent: HeadNode | null;
  /** The content of a template. */
  content: HeadNode | null;
}

/** All node types of the parser are one type here. */
export type HeadNodes = Record<keyof TreeAdapterTypeMap, HeadNode>;

/** `rel` is a list of words, separated by ASCII white space, in any case. */
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

/** Returns the `href` of a canonical link. The parser keeps the first of several attributes of one name. */
function canonicalHref({ attributes }: HeadNode): string | undefined {
  const rel = attributes.find(({ name }) => name === "rel");
  if (!rel || !canonicalWord.test(rel.value)) return undefined;
  return attributes.find(({ name }) => name === "href")?.value;
}

export class HeadTree implements TreeAdapter<HeadNodes> {
  readonly #decide: (finding: CanonicalFinding) => void;
  #head: HeadNode | undefined;
  #current: HeadNode | undefined;
  #mode = html.DOCUMENT_MODE.NO_QUIRKS;
  #templateElements = 0;

  /** Calls `decide` with the link that is found, or once the head has ended. The first call counts. */
  constructor(decide: (finding: CanonicalFinding) => void) {
    this.#decide = decide;
  }

  /** True if the head is open and no element inside it is. */
  get isInHead(): boolean {
    return this.#head !== undefined && this.#current === this.#head;
  }

  appendChild(parent: HeadNode, node: HeadNode): void {
    node.parent = parent;
    if (isElement(parent, "html")) {
      if (isElement(node, "head")) this.#head ??= node;
      // No later link can belong to the head.
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
      if (this.#templateElements > canonicalLimits.templateElements) this.#decide({ kind: "none" });
    }
    return createNode("element", tagName, namespace, attributes);
  }

  onItemPush(node: HeadNode): void {
    this.#current = node;
  }

  onItemPop(_node: HeadNode, top: HeadNode): void {
    this.#current = top;
  }

  // Nothing below decides; the parser needs the answers. Text, comments and source locations are not kept.
  readonly createDocument = (): HeadNode => createNode("other");
  readonly createDocumentFragment = (): HeadNode => createNode("other");
  readonly createCommentNode = (): HeadNode => createNode("comment");
  readonly createTextNode = (): HeadNode => createNode("text");
  setTemplateContent(template: HeadNode, content: HeadNode): void {
    template.content = content;
  }
  readonly getTemplateContent = ({ content }: HeadNode): HeadNode => content ?? createNode("other");
  setDocumentMode(_document: HeadNode, mode: html.DOCUMENT_MODE): void {
    this.#mode = mode;
  }
  readonly getDocumentMode = (): html.DOCUMENT_MODE => this.#mode;
  detachNode(node: HeadNode): void {
    node.parent = null;
  }
  readonly getParentNode = ({ parent }: HeadNode): HeadNode | null => parent;
  readonly getAttrList = ({ attributes }: HeadNode): Token.Attribute[] => attributes;
  readonly getTagName = ({ tagName }: HeadNode): string => tagName;
  readonly getNamespaceURI = ({ namespace }: HeadNode): html.NS => namespace;
  readonly isElementNode = (node: HeadNode): node is HeadNode => node.kind === "element";
  readonly isTextNode = (node: HeadNode): node is HeadNode => node.kind === "text";
  readonly isCommentNode = (node: HeadNode): node is HeadNode => node.kind === "comment";
  readonly isDocumentTypeNode = (node: HeadNode): node is HeadNode => node.kind === "other";
  readonly setDocumentType = (): void => undefined;
  readonly insertText = (): void => undefined;
  readonly insertTextBefore = (): void => undefined;
  readonly adoptAttributes = (): void => undefined;
  readonly setNodeSourceCodeLocation = (): void => undefined;
  readonly updateNodeSourceCodeLocation = (): void => undefined;
  readonly getNodeSourceCodeLocation = (): null => null;
  readonly getFirstChild = (): null => null;
  readonly getChildNodes = (): HeadNode[] => [];
  readonly getTextNodeContent = (): string => "";
  readonly getCommentNodeContent = (): string => "";
  readonly getDocumentTypeNodeName = (): string => "";
  readonly getDocumentTypeNodePublicId = (): string => "";
  readonly getDocumentTypeNodeSystemId = (): string => "";
}
