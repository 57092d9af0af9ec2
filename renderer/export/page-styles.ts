// The page's own style rules for a part of it that is drawn as an image, which sees nothing of the page: its rules are
// copied into it, and its fonts with them.

/** The rules of one part, by the names of classes in it: pictures of one loop differ in few. */
const known = new Map<string, string>();
const mostKnown = 8;

let fonts: Promise<string> | undefined;

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

/** Returns the page's font faces with their files in them. Read once; a failure is tried again. */
export function collectFonts(): Promise<string> {
  fonts ??= readFonts().catch((error: unknown) => {
    fonts = undefined;
    throw error;
  });
  return fonts;
}

async function readFonts(): Promise<string> {
  const faces = [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules].flatMap((rule) =>
      rule instanceof CSSFontFaceRule ? [{ style: rule.style, base: sheet.href ?? document.baseURI }] : [],
    ),
  );
  const texts = faces.map(async ({ style, base }) => {
    const path = /url\("([^"]+\.woff2)"\)/.exec(style.getPropertyValue("src"))?.[1] ?? "";
    const file = await (await fetch(new URL(path, base))).blob();
    const range = style.getPropertyValue("unicode-range");
    return `@font-face {
      font-family: ${style.getPropertyValue("font-family")};
      font-weight: ${style.getPropertyValue("font-weight")};
      src: url("${await toDataUrl(file)}") format("woff2");
      ${range === "" ? "" : `unicode-range: ${range};`}
    }`;
  });
  return (await Promise.all(texts)).join("\n");
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
