import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  longestViewLabel,
  mostViewPins,
  toNewestView,
  type CitableView,
  type PinnedFrame,
  type ViewedPane,
} from "./citable-view.ts";
import { anyView, examplePane, exampleRevision, exampleView } from "./support/any-view.ts";
import { isViewError } from "./view-error.ts";
import { longestViewFile, parseView, parseViewFile, toViewFile } from "./view-file.ts";
import { isViewLink, longestViewLink, parseLink, toLink, toWebLink } from "./view-link.ts";

const seeded = { seed: 16, numRuns: 100 };

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return isViewError(error) ? error.code : "another error";
  }
}

describe("a link", () => {
  test("says any view again", () => {
    fc.assert(
      fc.property(anyView, (view) => {
        expect(parseLink(toLink(view))).toEqual(view);
        expect(parseLink(toWebLink(view, "https://storms.example/viewer/?a=b#token=x"))).toEqual(view);
        expect(parseViewFile(toViewFile(view))).toEqual(view);
      }),
      seeded,
    );
  });

  test("is short for one pane, and bounded for four that compare", () => {
    const before = { ...exampleRevision, sequence: 3 };
    const comparing = { before, layer: "mrms-mesh", side: "swipe", swipeAt: 0.5, threshold: 0 } as const;
    const pane: ViewedPane = { ...examplePane, knownAt: 30, comparing };
    const pins: CitableView["pins"] = Array.from({ length: 5 }, () => ({
      label: "Oklahoma City, OK",
      coordinate: [-97, 35],
    }));
    expect(toLink(exampleView).length).toBeLessThan(800);
    const largest: CitableView = { ...exampleView, panes: [pane, pane, pane, pane], pins };
    expect(toLink(largest).length).toBeLessThan(4_096);
  });

  test("of the largest view with the longest labels is opened", () => {
    const label = "雹".repeat(longestViewLabel);
    const bounds: PinnedFrame["bounds"] = [
      -98.12345678901234, 34.12345678901234, -96.12345678901234, 36.12345678901234,
    ];
    const layers = exampleRevision.layers.map((layer) => ({ ...layer, bounds }));
    const revision = { ...exampleRevision, sequence: 99_999_999, id: "A".repeat(100), layers };
    const pane: ViewedPane = {
      ...{ event: { id: "a".repeat(64), label, nature: "synthetic" }, layers: examplePane.layers },
      ...{ revision, latest: 99_999_999, knownAt: 99_999_999 },
      camera: { center: [-97.12345678901234, 35.12345678901234], zoom: 7.123456789012345 },
      soFar: { product: "mrms-mesh", opacity: 0.123456789012345, first: 1, frames: 9_999 },
      comparing: {
        before: { ...revision, sequence: 99_999_998 },
        ...{ layer: "mrms-reflectivity", side: "before", swipeAt: 0.123456789012345, threshold: 20 },
      },
    };
    const pins: CitableView["pins"] = Array.from({ length: mostViewPins }, () => ({
      ...{ label, coordinate: [-97.12345678901234, 35.12345678901234] },
    }));
    const largest: CitableView = { ...exampleView, panes: [pane, pane, pane, pane], pins };
    expect(parseLink(toLink(largest))).toEqual(largest);
    expect(parseViewFile(toViewFile(largest))).toEqual(largest);
  });

  test("is readable, and leaves the page's token and fragment out", () => {
    const link = toWebLink(toNewestView(exampleView), "http://127.0.0.1:47800/#token=secret-of-this-run");
    expect(link).toBe(
      "http://127.0.0.1:47800/#view?v=1&follow=newest&event=demonstration~Demonstration%20storm%20(synthetic)~synthetic" +
        "&layer=mrms-reflectivity~1~0.8~&layer=mrms-mesh~1~0.85~25.4&camera=-97.4389~35.2226~7.25" +
        "&screen=0~observed&look=echotop~in~dark&ground=0~counties~highways&pin=Norman%2C%20OK~-97.4395~35.2226&chosen=0",
    );
  });

  test("is known in each of its forms, and nothing else is one", () => {
    const [, query = ""] = toLink(exampleView).split("?");
    for (const form of [
      "echotop://view?",
      "echotop:view?",
      "echotop://view/?",
      "#view?",
      " ECHOTOP://view?",
    ]) {
      expect(parseLink(form + query)).toEqual(exampleView);
    }
    for (const other of [
      "Norman, OK",
      "https://example.com/?view",
      "#token=0123456789abcdef",
      "echotop://pack?a=b",
    ]) {
      expect(isViewLink(other)).toBe(false);
      expect(codeOf(() => parseLink(other))).toBe("view-invalid");
    }
  });
});

describe("a hostile or damaged link", () => {
  const link = toLink(exampleView);

  test("is refused by name wherever it is cut", () => {
    for (let length = 0; length < link.length; length += 1) {
      const cut = link.slice(0, length);
      expect(
        codeOf(() => parseLink(cut)),
        cut,
      ).toBe("view-invalid");
    }
  });

  test("gives a view of the schema or a named refusal, whatever is changed in it", () => {
    const outcomes = new Map<string, number>();
    fc.assert(
      fc.property(
        fc.nat(link.length - 1),
        fc.constantFrom(
          "",
          "~",
          "&",
          "=",
          "%",
          "%00",
          "%ff",
          "9",
          "-",
          "&layer=mrms-mesh~1~1~",
          "&__proto__=1",
          "é",
        ),
        fc.nat(8),
        (at, text, drop) => {
          const changed = link.slice(0, at) + text + link.slice(at + drop);
          const code = codeOf(() => parseView(parseLink(changed)));
          outcomes.set(code ?? "opened", (outcomes.get(code ?? "opened") ?? 0) + 1);
        },
      ),
      { seed: 16, numRuns: 3000 },
    );
    expect(outcomes.get("opened")).toBeGreaterThan(0);
    expect(outcomes.get("view-invalid")).toBeGreaterThan(1000);
    for (const outcome of outcomes.keys()) expect(outcome).toMatch(/^(?:opened|view-[a-z-]+)$/);
  });

  test.each([
    ["a repeated parameter", link.replace("&look=", "&look=echotop~in~dark&look=")],
    ["an unknown parameter", `${link}&task=delete`],
    ["a parameter named like a prototype", `${link}&__proto__=1`],
    ["too many fields", link.replace("~dark", "~dark~more")],
    ["an opacity beyond 1", link.replace("mrms-mesh~1~0.85", "mrms-mesh~1~1.01")],
    ["a latitude beyond the pole", link.replace("~35.2226~7.25", "~95~7.25")],
    ["a number without end", link.replace("~7.25", "~Infinity")],
    ["a hexadecimal number", link.replace("~7.25", "~0x7")],
    ["a layer twice", link.replace("&camera", "&layer=mrms-mesh~1~1~&camera")],
    ["a sequence of 0", link.replace("revision=23", "revision=0")],
    ["a fraction of a revision", link.replace("revision=23", "revision=23.5")],
    ["a revision later than the newest", link.replace("latest=32", "latest=22")],
    ["an id with a path", link.replace("event=demonstration~", "event=..%2F..%2Fevents~")],
    [
      "a frame at another address",
      link.replace(/frame=mrms-mesh~b+/, "frame=mrms-mesh~https%3A%2F%2Fevil.example"),
    ],
    ["a line break in a label", link.replace("Norman", "Nor%0Aman")],
    ["six pins", link.replace("&chosen", "&pin=a~1~1".repeat(5) + "&chosen")],
    ["a pinned view without a revision", link.replace("follow=newest", "").replace(/&revision=[^&]*/, "")],
    [
      "three panes",
      link.replace("&screen", "&event=a~A~live&event=b~B~live&screen").replace("pinned", "newest"),
    ],
    ["a frame before any event", link.replace("&event=", "&frame=mrms-mesh~b~1~1~2~2&event=")],
  ])("with %s is refused", (_, changed) => {
    expect(changed).not.toBe(link);
    expect(codeOf(() => parseLink(changed))).toBe("view-invalid");
  });

  test("that is too long, or of a newer version, has a name of its own", () => {
    expect(codeOf(() => parseLink(link + "a".repeat(longestViewLink)))).toBe("view-too-large");
    expect(codeOf(() => parseLink(link.replace("v=1", "v=2")))).toBe("view-version-unknown");
    expect(codeOf(() => parseViewFile(" ".repeat(longestViewFile + 1)))).toBe("view-too-large");
  });
});

describe("a file", () => {
  const text = toViewFile(exampleView);

  test("with an unknown key, at any depth, is refused", () => {
    const keys = ["extra", "__proto__", "constructor", "toString"];
    for (const key of keys) {
      for (const before of ["{", '"event": {', '"camera": {', '"layers": [\n        {']) {
        const changed = text.replace(before, `${before} "${key}": {},`);
        expect(changed).not.toBe(text);
        expect(
          codeOf(() => parseViewFile(changed)),
          changed,
        ).toBe("view-invalid");
      }
    }
    expect(({} as Record<string, unknown>).extra).toBeUndefined();
  });

  test("that is not a view is refused, whatever it is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (other) => {
        expect(codeOf(() => parseViewFile(other))).toMatch(/^view-/);
      }),
      seeded,
    );
  });
});
