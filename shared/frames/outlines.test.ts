import { describe, expect, test } from "vitest";
import { classEdges } from "../products/product.ts";
import { getProduct } from "../products/registry.ts";
import { findOutlined, outlineWidthPx, traceOutlines } from "./outlines.ts";

const classesOf = (id: "mrms-mesh" | "mrms-reflectivity") => {
  const product = getProduct(id);
  return { product: id, unit: product.unit, edges: classEdges(product) };
};

describe("outlines", () => {
  test("begin at one and two inches of hail, and nowhere in reflectivity", () => {
    const { edges } = classesOf("mrms-mesh");
    expect(findOutlined(classesOf("mrms-mesh"), undefined)).toEqual([
      edges.indexOf(25.4) + 1,
      edges.indexOf(50.8) + 1,
    ]);
    expect(findOutlined(classesOf("mrms-reflectivity"), undefined)).toEqual([]);
  });

  test("are left out where their classes are hidden or missing", () => {
    const { edges } = classesOf("mrms-mesh");
    expect(findOutlined(classesOf("mrms-mesh"), 25.4)).toHaveLength(2);
    expect(findOutlined(classesOf("mrms-mesh"), 38.1)).toEqual([edges.indexOf(50.8) + 1]);
    expect(findOutlined({ ...classesOf("mrms-mesh"), edges: [10, 20] }, undefined)).toEqual([]);
  });

  test("are absent where a cell is a pixel, and wider where cells are large", () => {
    expect([0.2, 1, 1.6, 5, 6, 40].map(outlineWidthPx)).toEqual([0, 0, 1, 1, 2, 2]);
  });

  test("lie around the higher class, never on it", () => {
    const trace = (rows: readonly string[], linePx: number): string[] => {
      const widthPx = rows[0]!.length;
      const indices = Uint8Array.from(rows.join(""), Number);
      const traced = traceOutlines({
        indices,
        widthPx,
        heightPx: rows.length,
        outlined: [5, 8],
        linePx,
      });
      return rows.map((_, row) => traced.subarray(row * widthPx, (row + 1) * widthPx).join(""));
    };
    expect(trace(["0000000", "0000000", "0005500", "0004000", "0000000"], 1)).toEqual([
      "0000000",
      "0011110",
      "0010010",
      "0011110",
      "0000000",
    ]);
    // Two inches inside one inch.
    expect(trace(["4555558555"], 1)).toEqual(["1000010100"]);
    expect(trace(["4444555558"], 2)).toEqual(["0021000210"]);
    // The corners of a wide line are whole.
    expect(trace(["000000", "000000", "000000", "000500", "000000"], 2)).toEqual([
      "000000",
      "022222",
      "021112",
      "021012",
      "021112",
    ]);
  });
});
