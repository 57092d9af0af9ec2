import { beforeEach, describe, expect, test } from "vitest";
import type { ProductId } from "../../../shared/contract/index.ts";
import { classEdges } from "../../../shared/products/product.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import type { DecodedFrame } from "../../frames/decoded-frame.ts";
import { exampleHistory, steadyFrames } from "../../support/example-data.ts";
import { toRevisions, type Revision } from "../timeline/revisions.ts";
import { createOnsetFinder, type Onset, type OnsetFinder, type OnsetRule } from "./onset.ts";

/** A frame of one cell whose class holds `value`. */
function frameOf(id: ProductId, value: number): DecodedFrame {
  const edges = classEdges(getProduct(id));
  const index = edges.findLastIndex((edge) => edge <= value) + 1;
  const size = { widthPx: 1, heightPx: 1 };
  return {
    kind: "indexed",
    ...size,
    grid: { kind: "raw", ...size, indices: Uint8Array.of(index) },
    coarser: [],
    echo: undefined,
    palette: new Uint8Array(1024),
    classes: { product: id, unit: getProduct(id).unit, edges },
    coverage: undefined,
  };
}

describe("the onset of a storm", () => {
  const revisions = toRevisions(exampleHistory(steadyFrames(4)));
  const never = new AbortController().signal;
  /** Values of the windows, ascending. */
  let dbz: number[];
  let asked: string[];
  let finder: OnsetFinder;

  beforeEach(() => {
    dbz = [20, 39.5, 40, 60];
    asked = [];
    finder = createOnsetFinder({
      load: (imageUrl) => {
        asked.push(imageUrl);
        const index = revisions.findIndex(({ layers }) =>
          layers.some((layer) => layer.imageUrl === imageUrl),
        );
        if (Number.isNaN(dbz[index])) return Promise.reject(new Error("gone"));
        const { id } = revisions[index]!.layers.find((layer) => layer.imageUrl === imageUrl)!;
        return Promise.resolve(frameOf(id, id === "mrms-mesh" ? 10 : dbz[index]!));
      },
    });
  });

  async function find(rule: OnsetRule, list: readonly Revision[] = revisions): Promise<Onset[]> {
    const reports: Onset[] = [];
    await finder.find(list, rule, (onset) => reports.push(onset), never);
    return reports;
  }

  test("is the first window that reaches the limit, and later ones are not read", async () => {
    const reports = await find("either");
    expect(reports.at(-1)).toEqual({
      kind: "found",
      window: revisions[2]!.window,
      observedMs: revisions[2]!.observedMs,
      by: "mrms-reflectivity",
      unread: 0,
    });
    expect(reports[0]).toEqual({ kind: "searching", read: 0, windows: 4 });
    expect(asked.some((imageUrl) => revisions[3]!.layers.some((layer) => layer.imageUrl === imageUrl))).toBe(
      false,
    );
  });

  test("is known at once the second time, and reads only what is new in a longer list", async () => {
    await find("either");
    const count = asked.length;
    expect(await find("either")).toHaveLength(1);
    await find("either", [...revisions]);
    expect(asked).toHaveLength(count);
  });

  test("says how many windows before it could not be read", async () => {
    dbz = [Number.NaN, 20, 45, 60];
    expect((await find("mrms-reflectivity")).at(-1)).toMatchObject({ kind: "found", unread: 1 });
  });

  test("is none where nothing reaches the limit", async () => {
    dbz = [20, 20, 20, 20];
    expect((await find("mrms-reflectivity")).at(-1)).toEqual({ kind: "none", unread: 0 });
  });

  test("is not reported after the search is given up", async () => {
    const abort = new AbortController();
    const reports: Onset[] = [];
    const search = finder.find(revisions, "either", (onset) => reports.push(onset), abort.signal);
    abort.abort();
    await search;
    expect(reports.every(({ kind }) => kind === "searching")).toBe(true);
  });
});
