import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Briefing, GatewayZone } from "../../../shared/contract/briefings.ts";
import { commonVisitors } from "./common-visitors.ts";
import {
  chooseVisitor,
  otherVisitor,
  toExplainInput,
  toFirstDraft,
  toFirstUrl,
  type ExplainDraft,
} from "./explain-draft.ts";

const draft: ExplainDraft = {
  url: " https://brief.example/iowa/r/3/ ",
  visitor: "GPTBot",
  userAgent: "curl/8",
  address: " 203.0.113.7 ",
  referer: "",
};

describe("a request that is to be explained", () => {
  test("bears the user agent of the visitor that was chosen", () => {
    expect(toExplainInput(draft)).toEqual({
      input: {
        url: "https://brief.example/iowa/r/3/",
        address: "203.0.113.7",
        userAgent: expect.stringContaining("GPTBot/") as string,
      },
    });
  });

  test("bears any other that was typed, and the page that it came from", () => {
    const input = toExplainInput({ ...draft, visitor: otherVisitor, referer: "https://brief.example/iowa/" });
    expect(input).toMatchObject({ input: { userAgent: "curl/8", referer: "https://brief.example/iowa/" } });
  });

  test.each([
    [{ url: "/iowa/r/3/" }, /full address of a page/],
    [{ url: "ftp://brief.example/" }, /full address of a page/],
    [{ address: "" }, /visitor's address/],
    [{ address: "300.1.1.1" }, /visitor's address/],
    [{ visitor: otherVisitor, userAgent: "x".repeat(1_025) }, /too long/],
  ])("is incomplete with %j, and the message names the problem", (changes, sentence) => {
    expect(toExplainInput({ ...draft, ...changes })).toEqual({
      problem: expect.stringMatching(sentence) as string,
    });
  });

  test("may come from an IPv6 address", () => {
    expect(toExplainInput({ ...draft, address: "2001:db8::7" })).toMatchObject({
      input: { address: "2001:db8::7" },
    });
  });
});

test("common visitors have unique names and identify themselves", () => {
  const names = commonVisitors.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, kind, userAgent } of commonVisitors)
    if (kind !== "browser") expect(userAgent.toLowerCase()).toContain(name.toLowerCase());
});

describe("the form to begin with", () => {
  const first = toFirstDraft("https://brief.example/iowa/r/3/");

  test("is whole: a crawler that trains AI, at an address of its own", () => {
    expect(toExplainInput(first)).toMatchObject({
      input: { userAgent: expect.stringContaining("CCBot/") as string },
    });
  });

  test("names a crawler that the list which comes with Echotop can prove by its address", () => {
    const path = new URL("../../../assets/bots.json", import.meta.url);
    const { bots } = JSON.parse(readFileSync(path, "utf8")) as {
      bots: { name: string; category: string; dns_suffixes: string[]; ranges: string[] }[];
    };
    const crawler = bots.find(({ name }) => name === first.visitor);
    expect(crawler).toMatchObject({ category: "AI Crawler" });
    expect([...crawler!.dns_suffixes, ...crawler!.ranges]).not.toEqual([]);
  });

  test("gives another visitor's known address, or none, but keeps one that was typed", () => {
    const search = chooseVisitor(first, "Googlebot");
    expect(search.address).not.toBe(first.address);
    expect(toExplainInput(search)).toHaveProperty("input");
    expect(chooseVisitor(search, "GPTBot").address).toBe("");
    const typed = { ...first, address: "203.0.113.7" };
    expect(chooseVisitor(typed, "Googlebot").address).toBe("203.0.113.7");
    expect(chooseVisitor(typed, otherVisitor).address).toBe("203.0.113.7");
  });
});

describe("the page to begin with", () => {
  const zone = { publicOrigin: "https://brief.example", servesBriefings: true } as GatewayZone;
  const briefing = { eventId: "iowa" } as Briefing;

  test("is that of the shown revision in the event's briefing", () => {
    expect(toFirstUrl(zone, { briefing, shown: 31 })).toBe("https://brief.example/iowa/r/31/");
  });

  test("is the zone's own without a briefing or a revision, or where it serves something else", () => {
    expect(toFirstUrl(zone, { briefing: undefined, shown: 31 })).toBe("https://brief.example/");
    expect(toFirstUrl(zone, { briefing, shown: undefined })).toBe("https://brief.example/");
    expect(toFirstUrl({ ...zone, servesBriefings: false }, { briefing, shown: 31 })).toBe(
      "https://brief.example/",
    );
  });
});
