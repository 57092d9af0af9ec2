// Messages about invalid expressions, and the place of the caret.
import { describe, expect, test } from "vitest";
import { compileExpression } from "./compile-expression.ts";
import { ExpressionError } from "./expression-error.ts";

function faultOf(text: string): ExpressionError {
  try {
    compileExpression(text);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`${text} was taken.`);
}

/** Returns the text above the carets. */
function marked(text: string): string {
  const [, line = "", carets = ""] = faultOf(text).message.split("\n");
  return line.slice(carets.indexOf("^"), carets.lastIndexOf("^") + 1);
}

describe("a fault", () => {
  test("is shown with its place, its line, carets and a sentence", () => {
    expect(faultOf("ip.src==34").message).toBe(
      "Filter parsing error (1:9):\nip.src==34\n        ^^ ip.src is an IP address, and 34 is an Integer.",
    );
  });

  test("in a later line is shown with only that line", () => {
    const error = faultOf('ssl and (\r\n\thttp.host EQ "x"\r\n)');
    expect(error.message).toBe(
      'Filter parsing error (2:12):\n\thttp.host EQ "x"\n\t          ^^ Operators are written in lower case: eq.',
    );
    expect([error.line, error.column]).toEqual([2, 12]);
  });

  test("at the end is marked right after the text", () => {
    const error = faultOf("http.host eq \n\n");
    expect([error.line, error.column]).toEqual([1, 13]);
    expect(error.message.split("\n")[2]).toBe(
      " ".repeat(12) + "^ The expression ends where a String is needed.",
    );
  });

  test("is counted in characters, not in surrogates", () => {
    expect(faultOf('http.host eq "🌩" ?').column).toBe(18);
  });

  test("in a long line is shown with its surroundings", () => {
    const text = `${"ssl or ".repeat(300)}nothing or ${"ssl or ".repeat(200)}ssl`;
    expect(marked(text)).toBe("nothing");
    const shown = faultOf(text).message.split("\n")[1] ?? "";
    expect(shown.length).toBeLessThanOrEqual(160);
  });

  test("is shown without control characters", () => {
    expect(faultOf('\u001B[2J"x"').message.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });
});

describe("an invalid expression is refused", () => {
  test.each([
    ["http.host eq", "", /ends where a String/],
    ["", "", /empty/],
    [" \n ", undefined, /empty/],
    ['foo eq "x"', "foo", /no field/],
    ["constructor", "constructor", /no field/],
    ['HTTP.HOST eq "x"', "HTTP.HOST", /lower case: http\.host/],
    ['http.host EQ "x"', "EQ", /lower case: eq/],
    ["ssl AND ssl", "AND", /lower case: and/],
    ['path starts_with "/a"', "path", /no field/],
    [
      'http.request.uri.path starts_with "/a"',
      "starts_with",
      /function: write starts_with\(http\.request\.uri\.path/,
    ],
    ['http.host is "x"', "is", /no operator/],
    ['http.host "x"', '"x"', /operator is missing/],
    ['http.host not in {"x"}', "not", /before the comparison/],
    ['http.host matches "^a"', "matches", /Regular expressions are not available/],
    ['http.host ~ "^a"', "~", /Regular expressions are not available/],
    ['http.host strict "a"', '"a"', /strict wildcard/],
    ['http.host = "a"', "=", /write ==/],
    ["ssl & ssl", "&", /write &&/],
    ["http.host eq 'a'", "'", /double quotes/],
    ['http.host eq "a', '"', /no closing quote/],
    [String.raw`http.host eq "a\d"`, String.raw`\d`, /Unknown escape/],
    [String.raw`http.host eq "a\x4"`, String.raw`\x`, /Unknown escape/],
    [String.raw`http.host eq "a\477"`, String.raw`\4`, /Unknown escape/],
    ['http.host eq "a\\', "\\", /Unknown escape/],
    ['http.host eq r"a', 'r"', /not closed by "/],
    ['http.host eq r##"a"#', 'r##"', /not closed by "##/],
    ["http.host eq r##a", "r##a", /raw string begins/],
    [`http.host eq r${"#".repeat(256)}"a"`, undefined, /at most 255/],
    ["http.host in $list", "$", /Named lists/],
    ["http.host eq http.referer", "http.referer", /not a value of that type/],
    ['"a" eq http.host', '"a"', /begins with a field/],
    ["1 eq 1", "1", /begins with a field/],
    ["(ssl", "(", /not closed/],
    ['(http.host eq "a" ssl)', "ssl", /not closed/],
    ["ssl)", ")", /never opened/],
    ["ssl ssl", "ssl", /no operator/],
    ['http.host eq "a" ssl', "ssl", /operator is missing/],
    ["()", ")", /begins with a field/],
    ["ssl and", "", /ends where a field/],
    ["not", "", /ends where a field/],
    ["or ssl", "or", /no field/],
    ["http.host in {}", "{", /at least one/],
    ['http.host in {"a", "b"}', ",", /not by commas/],
    ['http.host in {"a"', "", /not closed/],
    ['http.host in "a"', '"a"', /A set in braces/],
  ])("%s at %s", (text, place, problem) => {
    if (place !== undefined) expect(marked(text)).toBe(place);
    expect(faultOf(text).problem).toMatch(problem);
  });

  test.each([
    ["ip.src==34", /ip\.src is an IP address, and 34 is an Integer/],
    ['ip.src in {1.1.1.1 "x"}', /ip\.src is an IP address, and "x" is a String/],
    ["http.host eq 1", /http\.host is a String, and 1 is an Integer/],
    ["http.host eq 1.2.3.4", /http\.host is a String, and 1\.2\.3\.4 is an IP address/],
    ["http.host in {true}", /http\.host is a String, and true is a Boolean/],
    ["ssl eq 1", /ssl is a Boolean, and 1 is an Integer/],
    ['len(http.host) eq "1"', /len\(…\) is an Integer, and "1" is a String/],
    ["http.host", /http\.host is a String where a Boolean is needed/],
    ["not len(http.host)", /len\(…\) is an Integer where a Boolean/],
    ['http.host lt "b"', /lt compares an Integer, and http\.host is a String/],
    ["ip.src >= 1.2.3.4", /ge compares an Integer, and ip\.src is an IP address/],
    ['ip.src contains "1"', /contains compares a String, and ip\.src is an IP address/],
    ['ssl wildcard "*"', /wildcard compares a String, and ssl is a Boolean/],
    ["ssl in {true}", /in compares a String or an Integer or an IP address, and ssl is a Boolean/],
    ["starts_with(http.host, 1)", /starts_with takes a String here, and this is an Integer/],
    ['lower(ip.src) eq r"a"', /lower takes a String here, and this is an IP address/],
    ['concat(ssl) eq r"a"', /concat takes a String or an Integer here, and this is a Boolean/],
  ])("%s, naming both types", (text, problem) => {
    expect(faultOf(text).problem).toMatch(problem);
  });

  test.each([
    ["starts_with(http.host)", /takes 2 arguments; 1 given/],
    ["starts_with()", /takes 2 arguments; 0 given/],
    ['starts_with(http.host, "a", "b")', /takes 2 arguments/],
    ['lower(http.host, "a") eq "a"', /takes 1 argument\./],
    ['lookup_json_string(cf.hostname.metadata) eq "a"', /at least 2 arguments/],
    ['starts_with(http.host "a")', /comma or a closing parenthesis/],
    ["starts_with(http.host, )", /argument is missing/],
    ['starts_with(http.host, "a"', /comma or a closing parenthesis/],
    ['STARTS_WITH(http.host, "a")', /lower case: starts_with/],
    ['regex_replace(http.host, "a", "b") eq "a"', /no function/],
    ['http.host(1) eq "a"', /is a field/],
    ["lower eq 1", /is a function/],
  ])("%s as a call", (text, problem) => {
    expect(faultOf(text).problem).toMatch(problem);
  });

  test.each([
    ["len(http.host) eq 9007199254740993", /lie between/],
    ["len(http.host) eq 017", /not a value of that type/],
    ["len(http.host) eq 1..2", /only in a set/],
    ["len(http.host) in {5..1}", /lower end/],
    ["len(http.host) in {1..2..3}", /not a value of that type/],
  ])("the integers of %s", (text, problem) => {
    expect(faultOf(text).problem).toMatch(problem);
  });
});

describe("the limits", () => {
  const padded = (length: number) => "ssl or".padEnd(length - 3) + "ssl";

  test("4,096 characters are accepted, one more is refused", () => {
    expect(compileExpression(padded(4_096)).text).toHaveLength(4_096);
    const error = faultOf(padded(4_097));
    expect([error.line, error.column]).toEqual([1, 4_097]);
    expect(error.problem).toMatch(/4,096/);
  });

  test.each([
    ["parentheses", (depth: number) => "(".repeat(depth) + "ssl" + ")".repeat(depth)],
    ["negations", (depth: number) => "!".repeat(depth) + "ssl"],
    ["calls", (depth: number) => `${"lower(".repeat(depth)}http.host${")".repeat(depth)} eq "x"`],
  ])("32 nested %s are accepted, one more is refused", (_, nested) => {
    expect(compileExpression(nested(32)).text).toBe(nested(32));
    expect(faultOf(nested(33)).problem).toMatch(/more than 32/);
    expect(faultOf(nested(500)).problem).toMatch(/more than 32/);
  });

  test("neighbors do not add to the depth", () => {
    expect(compileExpression(Array.from({ length: 100 }, () => "(!ssl)").join(" or ")).asksForBots).toBe(
      false,
    );
  });
});
