// Checks the pages of a briefing as a crawler reads them: each page names the event's page as its one canonical page,
// and every link leads to a page or picture that exists.
import { parse, type DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

export interface CheckedPages {
  /** HTML by path from the output folder, such as `plains/r/3/index.html`. */
  readonly pages: ReadonlyMap<string, string>;
  /** Paths of everything else that pages link to. */
  readonly others: ReadonlySet<string>;
  /** Path of the event's page. */
  readonly eventPage: string;
  /** Undefined for relative links. */
  readonly baseUrl: string | undefined;
}

/** The folder's address if it has none. */
const anywhere = "https://briefings.invalid/";

/** Returns one sentence per problem. */
export function checkPages({ pages, others, eventPage, baseUrl = anywhere }: CheckedPages): string[] {
  const problems: string[] = [];
  const target = toAddress(eventPage, baseUrl);
  const known = new Set([...pages.keys(), ...others].map((path) => toAddress(path, baseUrl)));
  for (const [path, text] of pages) {
    const here = toAddress(path, baseUrl);
    const elements = [...walk(parse(text))];
    const canonicals = elements.filter(isCanonical);
    const [canonical] = canonicals;
    if (!canonical || canonicals.length > 1) {
      problems.push(`${path} has ${canonicals.length} canonical links instead of one.`);
    } else {
      if (!isInHead(canonical)) problems.push(`${path} has its canonical link outside its head.`);
      const href = attributeOf(canonical, "href") ?? "";
      const named = URL.canParse(href, here) ? new URL(href, here).href : undefined;
      const expected = path.includes("/") ? target : here;
      if (named !== expected) problems.push(`${path} names ${named ?? "no address"} as canonical.`);
    }
    for (const href of elements.flatMap(linksOf)) {
      if (!URL.canParse(href, here) || !known.has(toAddress(href, here))) {
        problems.push(`${path} links to ${href}, which does not exist.`);
      }
    }
  }
  if (!pages.has(eventPage)) problems.push(`The event page ${eventPage} is missing.`);
  return problems;
}

/** Returns the address of a path or link; a page's address is its folder's. */
function toAddress(href: string, base: string): string {
  return new URL(href, base).href.replace(/\/index\.html$/, "/");
}

function isCanonical(element: Element): boolean {
  const relations = (attributeOf(element, "rel") ?? "").toLowerCase().split(/\s+/);
  return element.tagName === "link" && relations.includes("canonical");
}

function isInHead({ parentNode }: Element): boolean {
  return parentNode !== null && "tagName" in parentNode && parentNode.tagName === "head";
}

function linksOf(element: Element): string[] {
  const name = { a: "href", link: "href", img: "src" }[element.tagName];
  const value = name === undefined ? undefined : attributeOf(element, name);
  return value === undefined ? [] : [value];
}

function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

function* walk(node: Node): Generator<Element, void, undefined> {
  if ("tagName" in node) yield node;
  if ("childNodes" in node) for (const child of node.childNodes) yield* walk(child);
}
