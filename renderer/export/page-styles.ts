// The page's own style rules for a part of it that is drawn as an image, which sees nothing of the page: its rules are
// copied into it, and its fonts with them.

/** The rules of one part, by the names of classes in it: pictures of one loop differ in few. */
const known = new Map<string, string>();
const mostKnown = 8;

interface FontFace {
  /** Undefined for all characters. */
  readonly range: string | undefined;
  readonly rule: string;
}

let fonts: Promise<readonly FontFace[]> | undefined;

/** Returns the rules that apply to `root` and the elements in it. Those of media queries are about the screen. */
export function collectRules(root: Element): string {
  const elements = [root, ...root.querySelectorAll("*")];
  const key = [...new Set(elements.map(({ tagName, className }) => `${tagName} ${className}`))].join();
  let rules = known.get(key);
  if (rules === undefined) {
    rules = [...document.styleSheets].flatMap(({ cssRules }) => toTexts([...cssRules], root)).join("\n");
    if (known.size >= mostKnown) known.clear();
    known.set(key, rules);
  }
  return rules;
}

function toTexts(rules: readonly CSSRule[], root: Element): string[] {
  return rules.flatMap((rule) => {
    if (rule instanceof CSSStyleRule) return isNeeded(rule.selectorText, root) ? [rule.cssText] : [];
    if (!(rule instanceof CSSContainerRule)) return [];
    const inner = toTexts([...rule.cssRules], root);
    return inner.length > 0 ? [`@container ${rule.conditionText} {${inner.join("\n")}}`] : [];
  });
}

function isNeeded(selector: string, root: Element): boolean {
  if (selector.includes(":root")) return true;
  const elements = selector.replaceAll(/::(?:before|after)/g, "");
  return root.matches(elements) || root.querySelector(elements) !== null;
}

/**
 * Returns the page's font faces that a text needs, with their files in them: each picture decodes them again. They are
 * read once; a failure is tried again.
 */
export async function collectFonts(text: string): Promise<string> {
  fonts ??= readFonts().catch((error: unknown) => {
    fonts = undefined;
    throw error;
  });
  const codes = [...new Set(text)].map((character) => character.codePointAt(0)!);
  return (await fonts)
    .filter(({ range }) => range === undefined || codes.some((code) => isInRange(range, code)))
    .map(({ rule }) => rule)
    .join("\n");
}

/** `range` is a list of `U+41`, `U+0-FF` or `U+4??`, as in a style sheet. */
function isInRange(range: string, code: number): boolean {
  return range.split(",").some((part) => {
    const [first, last = first] = part.trim().slice(2).split("-");
    const from = Number.parseInt(first!.replaceAll("?", "0"), 16);
    return code >= from && code <= Number.parseInt(last!.replaceAll("?", "F"), 16);
  });
}

async function readFonts(): Promise<readonly FontFace[]> {
  const faces = [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules].flatMap((rule) =>
      rule instanceof CSSFontFaceRule ? [{ style: rule.style, base: sheet.href ?? document.baseURI }] : [],
    ),
  );
  const rules = faces.map(async ({ style, base }) => {
    const path = /url\("([^"]+\.woff2)"\)/.exec(style.getPropertyValue("src"))?.[1] ?? "";
    const file = await (await fetch(new URL(path, base))).blob();
    const range = style.getPropertyValue("unicode-range") || undefined;
    const rule = `@font-face {
      font-family: ${style.getPropertyValue("font-family")};
      font-weight: ${style.getPropertyValue("font-weight")};
      src: url("${await toDataUrl(file)}") format("woff2");
      ${range === undefined ? "" : `unicode-range: ${range};`}
    }`;
    return { range, rule };
  });
  return Promise.all(rules);
}

async function toDataUrl(file: Blob): Promise<string> {
  const reader = new FileReader();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  reader.addEventListener("load", () => {
    resolve(reader.result as string);
  });
  reader.addEventListener("error", () => {
    reject(reader.error!);
  });
  reader.readAsDataURL(file);
  return promise;
}
