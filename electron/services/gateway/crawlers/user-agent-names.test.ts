import { expect, test } from "vitest";
import { createNameFinder } from "./user-agent-names.ts";

const finder = createNameFinder(["GPTBot", "ChatGPT-User", "Applebot", "meta-externalagent", "v1.Bot"]);

test.each([
  ["GPTBot", ["gptbot"]],
  ["gptbot/1.1", ["gptbot"]],
  [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)",
    ["gptbot"],
  ],
  ["Mozilla/5.0 (compatible;GPTBOT)", ["gptbot"]],
  ["Mozilla/5.0 (Applebot/0.1; +http://www.apple.com/go/applebot)", ["applebot"]],
  [
    "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
    ["meta-externalagent"],
  ],
  ["ChatGPT-User/1.0 GPTBot/1.0 gptbot/2.0", ["chatgpt-user", "gptbot"]],
  ["V1.bot", ["v1.bot"]],
])("%s names %j", (userAgent, names) => {
  expect(finder.find(userAgent)).toEqual(names);
  expect(finder.isIn(userAgent)).toBe(true);
});

test.each([
  ...[
    "",
    "NotGPTBotX",
    "NotGPTBot/1.0",
    "GPTBots/1.0",
    "GPT Bot",
    "GPTBot-Image/1.0",
    "X-GPTBot",
    "GPTBot.evil/1",
  ],
  ...[
    "Applebot-Extended/1.0",
    "Google-Extended",
    "curl/8 (+https://openai.com/gptbot)",
    "a/b+gptbot@openai.com",
  ],
  ...["v1xBot", "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"],
])("%j names none of them", (userAgent) => {
  expect(finder.find(userAgent)).toEqual([]);
  expect(finder.isIn(userAgent)).toBe(false);
});

test("a finder of no names finds none", () => {
  expect(createNameFinder([]).isIn("GPTBot")).toBe(false);
});

test("a long and hostile User-Agent is searched quickly", () => {
  const long = `${"GPTBot-".repeat(2000)}x`;
  const began = performance.now();
  for (let round = 0; round < 20; round += 1) expect(finder.isIn(long)).toBe(false);
  expect(performance.now() - began).toBeLessThan(2_000);
});
