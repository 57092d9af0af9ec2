import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { productIds, type ProductId } from "../../../shared/contract/primitives.ts";
import { decidePairing, type WindowPairing } from "./pairing.ts";

const mesh: ProductId = "mrms-mesh";
const reflectivity: ProductId = "mrms-reflectivity";
const waitMs = 60_000;

function pairing(
  parts: Partial<Record<"arrived" | "published" | "expected" | "wentPast", ProductId[]>>,
): WindowPairing {
  return {
    arrived: new Set(parts.arrived),
    published: new Set(parts.published),
    expected: new Set(parts.expected),
    wentPast: new Set(parts.wentPast),
    knownSinceMs: 1_000_000,
  };
}

describe("a window", () => {
  test("without an arrival is left alone", () => {
    expect(decidePairing(pairing({ expected: [mesh] }), 1_000_000, waitMs)).toEqual({ kind: "nothing" });
  });

  test("with both products is published at once", () => {
    const both = pairing({ arrived: [mesh, reflectivity] });
    expect(decidePairing(both, 1_000_000, waitMs)).toEqual({ kind: "publish" });
  });

  test("without one product waits for it, and is published when the time is over", () => {
    const alone = pairing({ arrived: [mesh] });
    expect(decidePairing(alone, 1_000_000, waitMs)).toEqual({ kind: "wait", untilMs: 1_060_000 });
    expect(decidePairing(alone, 1_059_999, waitMs).kind).toBe("wait");
    expect(decidePairing(alone, 1_060_000, waitMs)).toEqual({ kind: "publish" });
  });

  test("does not wait for a product that the source has skipped", () => {
    const passed = pairing({ arrived: [mesh], wentPast: [reflectivity] });
    expect(decidePairing(passed, 1_000_000, waitMs)).toEqual({ kind: "publish" });
  });

  test("waits for a product that is listed but not downloaded yet", () => {
    const listed = pairing({ arrived: [mesh], expected: [reflectivity], wentPast: [reflectivity] });
    expect(decidePairing(listed, 1_000_000, waitMs).kind).toBe("wait");
  });

  test("that is published takes a completion or a correction at once", () => {
    expect(decidePairing(pairing({ arrived: [reflectivity], published: [mesh] }), 1_000_000, waitMs)).toEqual(
      {
        kind: "publish",
      },
    );
    expect(decidePairing(pairing({ arrived: [mesh], published: [mesh] }), 1_000_000, waitMs)).toEqual({
      kind: "publish",
    });
  });

  test("does not wait forever when the clock is set back", () => {
    expect(decidePairing(pairing({ arrived: [mesh] }), 999_999, waitMs)).toEqual({ kind: "publish" });
  });
});

test("no window with something to publish waits beyond its limit", () => {
  const set = fc.subarray([...productIds]).map((ids) => new Set(ids));
  fc.assert(
    fc.property(
      fc.record({
        arrived: set.filter((ids) => ids.size > 0),
        published: set,
        expected: set,
        wentPast: set,
        knownSinceMs: fc.nat(),
      }),
      fc.nat(),
      fc.nat(),
      (window, nowMs, wait) => {
        const decision = decidePairing(window, nowMs, wait);
        if (decision.kind === "wait") {
          expect(decision.untilMs).toBeGreaterThan(nowMs);
          expect(decision.untilMs - nowMs).toBeLessThanOrEqual(wait);
        }
        expect(decidePairing(window, window.knownSinceMs + wait, wait).kind).toBe("publish");
      },
    ),
    { seed: 20_260_520 },
  );
});
