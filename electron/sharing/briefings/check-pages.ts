// Checks the pages of a briefing before they replace anything, as a crawler reads them: each names one canonical page, which is
// the event's; that names itself; no chain, no loop; and every link leads to a page or picture that is there.
import { parse, type DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

export interface CheckedPages {
  /** By path from the output folder, such as `plains/r/3/index.html`. */
  readonly pages: ReadonlyMap<string, string>;
  /** Paths of everything else that a page may lead to. */
  readonly others: ReadonlySet<string>;
  /** The event page's path. */
  readonly eventPage: string;
  /** Undefined for relative links. */
  readonly baseUrl: string | undefined;
}

/** Stands for the folder's address where there is none. */
const anywhere = "https://briefings.invalid/";

/** What is wrong, each a sentence; empty when nothing is. */
export function checkPages({ pages, others, eventPage, baseUrl = anywhere }: CheckedPages): string[] {
  const problems: string[] = [];
  const target = addressOf(eventPage, baseUrl);
  const known = new Set([...pages.keys(), ...others].map((path) => addressOf(path, baseUrl)));
  for (const [path, text] of pages) {
    const here = addressOf(path, baseUrl);
    const elements = [...walk(parse(text))];
    const canonicals = elements.filter(isCanonical);
    const [canonical] = canonicals;
    if (!canonical || canonicals.length > 1) {
      problems.push(`${path} has ${canonicals.length} canonical links instead of one.`);
    } else {
      if (!isInHead(canonical)) problems.push(`${path} has its canonical link outside its head.`);
      const named = toAddress(attributeOf(canonical, "href"), here);
      const expected = path.split("/").length === 1 ? here : target;
      if (named !== expected) problems.push(`${path} names ${named ?? "no address"} as canonical.`);
    }
    for (const href of elements.flatMap(linksOf)) {
      const named = toAddress(href, here);
      if (named === undefined || !known.has(toFolder(named))) {
        problems.push(`${path} leads to ${href}, which is not there.`);
      }
    }
  }
  if (!pages.has(eventPage)) problems.push(`There is no event page ${eventPage}.`);
  return problems;
}

function addressOf(path: string, base: string): string {
  return toFolder(new URL(path, base).href);
}

/** A page's address is its folder's. */
function toFolder(address: string): string {
  return address.replace(/\/index\.html$/, "/");
}

function toAddress(href: string | undefined, page: string): string | undefined {
  if (href === undefined || !URL.canParse(href, page)) return undefined;
  return new URL(href, page).href;
}

function isCanonical(element: Element): boolean {
  return (
    element.tagName === "link" &&
    (attributeOf(element, "rel") ?? "").toLowerCase().split(/\s+/).includes("canonical")
  );
}

function isInHead({ parentNode }: Element): boolean {
  return parentNode !== null && "tagName" in parentNode && parentNode.tagName === "head";
}

/** Where an element leads. */
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
