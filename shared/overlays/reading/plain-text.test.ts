import { expect, test } from "vitest";
import { overlayLimits } from "../overlay.ts";
import { toLabel, toPlainName, toPlainText } from "./plain-text.ts";

test.each([
  ["Hail <b>1.75</b> in &lt;golf ball&gt; &#38; wind&nbsp;60 mph", "Hail 1.75 in <golf ball> & wind 60 mph"],
  ["<p>One</p><p>Two</p><table><tr><td>a</td></tr></table>", "One\n\nTwo\n\na"],
  ["gusts < 50 kt, hail <1 in", "gusts < 50 kt, hail <1 in"],
  ["a<script>alert('x < y')</script>b<style>p{}</style>c<!-- d -->e", "abce"],
  ["a<SCRIPT src=x>never closed", "a"],
  ["a <a href='javascript:alert(1)'>link</a>", "a link"],
  ["unclosed <b", "unclosed <b"],
  ["left\u202eright\u0000\u0007\u200b\ud800 end", "leftright end"],
  ["one\r\ntwo\rthree\tfour", "one\ntwo\nthree four"],
  ["&#x1F328; &#1114112; &unknown;", "🌨 &unknown;"],
])("%j becomes plain text", (text, expected) => {
  expect(toPlainText(text)).toBe(expected);
});

test("nothing is left of markup alone", () => {
  expect(toPlainText("<p> <br/></p>\u0000")).toBeUndefined();
  expect(toLabel("")).toBeUndefined();
});

test("long texts are cut, never inside a character", () => {
  expect(toPlainText("a".repeat(100_000))).toBe(`${"a".repeat(overlayLimits.textLength - 1)}…`);
  expect(toLabel("🌨".repeat(100))).toBe(`${"🌨".repeat(39)}…`);
});

test("a label is one line", () => {
  expect(toLabel("Norman<br>72°F\n\ndew point 68")).toBe("Norman 72°F dew point 68");
});

test("the name of a file is one line without marks of direction", () => {
  expect(toPlainName("a\n\u202etxt <1 in>\u0007.txt")).toBe("a txt <1 in>.txt");
});

test.each(["<script>", "<!--", "<a", "&", "<a><"])("many of %s take no long time", (part) => {
  const begun = performance.now();
  toPlainText(part.repeat(1_000_000));
  expect(performance.now() - begun).toBeLessThan(2_000);
});
