// The meaning of expressions, by table: operators, precedence, sets, functions.
import { describe, expect, test } from "vitest";
import { compileExpression } from "./compile-expression.ts";
import { someRequest } from "../support/some-request.ts";

const request = someRequest({ path: "/r/1", query: "p=2&q", userAgent: "Mozilla/5.0 (X11) TrainBot/1.1" });
const isTrue = (text: string, fields = request) => compileExpression(text).matches(fields);

describe("comparisons", () => {
  test.each([
    ['http.host eq "brief.example"', true],
    ['http.host == "Brief.example"', false],
    ['http.host ne "brief.example"', false],
    ['http.host != "x"', true],
    ['http.request.uri eq "/r/1?p=2&q"', true],
    ['http.request.uri.query eq "p=2&q"', true],
    ['http.request.full_uri eq "https://brief.example/r/1?p=2&q"', true],
    ['http.request.method in {"GET" "HEAD"}', true],
    ['http.user_agent contains "TrainBot"', true],
    ['http.user_agent contains "trainbot"', false],
    ['http.user_agent contains ""', true],
    ['http.referer eq ""', true],
    ["len(http.request.uri.path) gt 3", true],
    ["len(http.request.uri.path)>4", false],
    ["len(http.request.uri.path) ge 4 and len(http.request.uri.path) le 4", true],
    ["len(http.request.uri.path)<=3 || len(http.request.uri.path)<4", false],
    ["len(http.request.uri.path) lt -1", false],
    ["len(http.request.uri.path) in {1 3..5}", true],
    ["len(http.request.uri.path) in {1..3 5}", false],
    ['http.host in {"x" "brief.example"}', true],
    ['http.host in {"x"}', false],
    ['http.host in{r"x"r#"brief.example"#}', true],
    ["ssl", true],
    ["not ssl", false],
    ["ssl eq false", false],
    ["cf.client.bot", false],
    ["true", true],
    ["false", false],
  ])("%s is %s", (text, expected) => {
    expect(isTrue(text)).toBe(expected);
  });

  test("the URI has no question mark without a query", () => {
    expect(isTrue('http.request.uri eq "/r/1"', someRequest({ path: "/r/1", query: "" }))).toBe(true);
  });

  test("headers are compared as UTF-8 text, or byte by byte", () => {
    const utf8 = Buffer.from("Wetter für Köln").toString("latin1");
    expect(isTrue('http.user_agent contains "Köln"', someRequest({ userAgent: utf8 }))).toBe(true);
    expect(isTrue('http.user_agent eq "\\xfc"', someRequest({ userAgent: "\u00FC" }))).toBe(true);
    expect(isTrue("len(http.user_agent) eq 17", someRequest({ userAgent: utf8 }))).toBe(true);
  });
});

describe("precedence and grouping", () => {
  const yes = "ssl";
  const no = "cf.client.bot";
  test.each([
    [`${yes} or ${no} and ${no}`, true],
    [`(${yes} or ${no}) and ${no}`, false],
    [`not ${no} and ${no}`, false],
    [`not (${no} and ${no})`, true],
    [`not not ${yes}`, true],
    [`!${no} && !(${no})`, true],
    [`${yes} xor ${yes}`, false],
    [`${yes} xor ${yes} xor ${yes}`, true],
    [`${yes} xor ${no} and ${no}`, true],
    [`${yes} or ${yes} xor ${yes}`, true],
    [`${yes} ^^ ${no}`, true],
    [`${no} || ${no} ^^ ${yes}`, true],
    [`not http.host eq "x"`, true],
    [`((((${yes}))))`, true],
    [`${no}\r\n\tor\n${yes}`, true],
  ])("%s is %s", (text, expected) => {
    expect(isTrue(text)).toBe(expected);
  });

  test.each([true, false].flatMap((a) => [true, false].flatMap((b) => [true, false].map((c) => [a, b, c]))))(
    "every joint binds as it should for %s, %s, %s",
    (a, b, c) => {
      expect(isTrue(`${a} or ${b} and ${c}`)).toBe(a || (b && c));
      expect(isTrue(`${a} and ${b} or ${c}`)).toBe((a && b) || c);
      expect(isTrue(`${a} xor ${b} and ${c}`)).toBe(a !== (b && c));
      expect(isTrue(`${a} or ${b} xor ${c}`)).toBe(a || b !== c);
      expect(isTrue(`not ${a} and ${b} xor not ${c}`)).toBe((!a && b) !== !c);
    },
  );
});

describe("strings", () => {
  test.each([
    [String.raw`http.user_agent eq "a\"b\\c"`, String.raw`a"b\c`],
    [String.raw`http.user_agent eq "\x41\101\x7e"`, "AA~"],
    [String.raw`http.user_agent eq r"\d\"`, String.raw`\d` + "\\"],
    ['http.user_agent eq r#"say "hi""#', 'say "hi"'],
    ['http.user_agent eq r##"a"#b"##', 'a"#b'],
    ['http.user_agent eq ""', ""],
    ['http.user_agent eq "{ and } \n or ("', "{ and } \n or ("],
  ])("%s is the text that it spells", (text, userAgent) => {
    expect(isTrue(text, someRequest({ userAgent }))).toBe(true);
    expect(isTrue(text, someRequest({ userAgent: `${userAgent}.` }))).toBe(false);
  });
});

describe("functions", () => {
  test.each([
    ['starts_with(http.request.uri.path, "/r/")', true],
    ['starts_with(http.request.uri.path, "/R/")', false],
    ['ends_with(http.host, ".example")', true],
    ['ends_with(http.host, "brief")', false],
    ['not starts_with(http.host, "x") and ends_with(lower(http.user_agent), "trainbot/1.1")', true],
    ['upper(http.host) eq "BRIEF.EXAMPLE"', true],
    ['lower("ÀB") eq "Àb"', true],
    ['len("für") eq 4', true],
    ['concat(http.host, "/", 12, http.request.method) eq "brief.example/12GET"', true],
    ['lookup_json_string(cf.hostname.metadata, "mode") eq ""', true],
  ])("%s is %s", (text, expected) => {
    expect(isTrue(text)).toBe(expected);
  });

  const lookup = 'lookup_json_string(cf.hostname.metadata, "redirects_for_ai_training") eq "enabled"';
  test.each([
    ['{"redirects_for_ai_training":"enabled"}', true],
    ['{"redirects_for_ai_training":"disabled"}', false],
    ['{"redirects_for_ai_training":true}', false],
    ['{"redirects_for_ai_training":["enabled"]}', false],
    ['{"other":"enabled"}', false],
    ["", false],
    ["{", false],
    ["null", false],
    ['"enabled"', false],
    ["[".repeat(200_000), false],
  ])("metadata %.40s is opted in: %s", (hostnameMetadata, expected) => {
    expect(isTrue(lookup, someRequest({ hostnameMetadata }))).toBe(expected);
  });

  test("names select members of objects, integers those of arrays, and inherited properties are not found", () => {
    const fields = someRequest({ hostnameMetadata: '{"a":[{"b":"x"}],"0":"y"}' });
    expect(isTrue('lookup_json_string(cf.hostname.metadata, "a", 0, "b") eq "x"', fields)).toBe(true);
    expect(isTrue('lookup_json_string(cf.hostname.metadata, "0") eq "y"', fields)).toBe(true);
    expect(isTrue('lookup_json_string(cf.hostname.metadata, 0) eq ""', fields)).toBe(true);
    expect(isTrue('lookup_json_string(cf.hostname.metadata, "a", "length") eq ""', fields)).toBe(true);
    expect(isTrue('lookup_json_string(cf.hostname.metadata, "constructor", "name") eq ""', fields)).toBe(
      true,
    );
  });
});

describe("the need for a verdict", () => {
  test.each([
    ['cf.verified_bot_category eq "AI Crawler"', true],
    ["ssl or not (ssl or cf.client.bot)", true],
    ['len(lower(cf.verified_bot_category)) gt 0 or http.host eq "x"', true],
    ['http.host eq "cf.client.bot"', false],
    ["ssl", false],
  ])("%s needs it: %s", (text, expected) => {
    const compiled = compileExpression(text);
    expect([compiled.asksForBots, compiled.text]).toEqual([expected, text]);
  });

  test("the visitor's verdict comes from the request", () => {
    const fields = someRequest({ verifiedBotCategory: "AI Crawler", isVerifiedBot: true });
    expect(isTrue('cf.client.bot and cf.verified_bot_category eq "AI Crawler"', fields)).toBe(true);
  });
});
