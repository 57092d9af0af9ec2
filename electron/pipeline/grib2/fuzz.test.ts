// Random damage from fixed seeds: the decoder quickly returns a field or throws a Grib2Error.
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeField } from "./decode-field.ts";
import { isGrib2Error } from "./grib2-error.ts";
import { gunzip, gunzipPrefix } from "./gunzip.ts";
import { readMessage } from "./message.ts";
import { fixtureNames, loadFixture, sectionStarts } from "../../support/grib2-fixtures/load.ts";
import { visitFieldRows } from "./visit-rows.ts";

const seed = 20_240_228;
const fixtures = fixtureNames.filter((name) => !/^scan-.[^0]/.test(name)).map((name) => loadFixture(name));

/** Returns "field" or "Grib2Error"; throws anything else. */
function toOutcome(action: () => unknown): "field" | "Grib2Error" {
  try {
    action();
    return "field";
  } catch (error) {
    if (isGrib2Error(error)) return "Grib2Error";
    throw error;
  }
}

interface Damage {
  readonly at: number;
  readonly xor: number;
}

const damages = fc.array(fc.record({ at: fc.nat({ max: 4095 }), xor: fc.integer({ min: 1, max: 255 }) }), {
  minLength: 1,
  maxLength: 6,
});

function applyDamages(bytes: Uint8Array, list: readonly Damage[]): Uint8Array {
  const copy = bytes.slice();
  for (const { at, xor } of list) copy[at % copy.length]! ^= xor;
  return copy;
}

describe("seeded fuzzing", () => {
  it("2,000 messages with changed bytes give a field or a Grib2Error", () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(fc.constantFrom(...fixtures), damages, (bytes, list) => {
        outcomes.add(toOutcome(() => decodeField(applyDamages(bytes, list))));
      }),
      { seed, numRuns: 2000 },
    );
    expect(outcomes).toEqual(new Set(["field", "Grib2Error"]));
  });

  it("1,000 messages with changed headers give a field or a Grib2Error", () => {
    const headerDamages = fc.array(
      fc.record({
        at: fc.integer({ min: sectionStarts[3], max: sectionStarts[7] + 40 }),
        xor: fc.integer({ min: 1, max: 255 }),
      }),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...fixtures), headerDamages, (bytes, list) => {
        toOutcome(() => decodeField(applyDamages(bytes, list)));
      }),
      { seed, numRuns: 1000 },
    );
  });

  it("1,000 messages of random bytes after a valid header give a field or a Grib2Error", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...fixtures),
        fc.uint8Array({ minLength: 1, maxLength: 400 }),
        (bytes, noise) => {
          const copy = bytes.slice();
          copy.set(noise.subarray(0, copy.length - sectionStarts[5] - 9), sectionStarts[5] + 5);
          toOutcome(() => decodeField(copy));
        },
      ),
      { seed, numRuns: 1000 },
    );
  });

  it.each(["simple-bitmap.grib2", "differences-2-missing.grib2", "png-16.grib2", "png-24.grib2"])(
    "%s truncated at any byte gives a Grib2Error",
    (name) => {
      const bytes = loadFixture(name);
      for (let length = 0; length < bytes.length; length++) {
        expect(toOutcome(() => decodeField(bytes.subarray(0, length)))).toBe("Grib2Error");
      }
    },
  );

  it("a packed PNG with any one bit flipped gives a Grib2Error", () => {
    const bytes = loadFixture("png-16.grib2");
    for (let at = sectionStarts[7] + 5; at < bytes.length - 4; at++) {
      for (let bit = 0; bit < 8; bit++) {
        expect(toOutcome(() => decodeField(applyDamages(bytes, [{ at, xor: 1 << bit }])))).toBe("Grib2Error");
      }
    }
  });

  it("300 damaged messages fail row by row exactly as in one pass", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fixtures), damages, async (bytes, list) => {
        const damaged = applyDamages(bytes, list);
        const atOnce = toOutcome(() => decodeField(damaged));
        let byRow = "field";
        try {
          await visitFieldRows(readMessage(damaged), () => undefined);
        } catch (error) {
          expect(error).toSatisfy(isGrib2Error);
          byRow = "Grib2Error";
        }
        expect(byRow).toBe(atOnce);
      }),
      { seed, numRuns: 300 },
    );
  });

  it("2,000 damaged gzip files give the original bytes or a Grib2Error", () => {
    const plain = loadFixture("simple.grib2");
    const packed = new Uint8Array(gzipSync(plain));
    fc.assert(
      fc.property(damages, (list) => {
        const damaged = applyDamages(packed, list);
        let result: Uint8Array | undefined;
        toOutcome(() => (result = gunzip(damaged, 1_000_000)));
        if (result) expect(new Uint8Array(result)).toEqual(plain);
        toOutcome(() => gunzipPrefix(damaged.subarray(0, 300), 4096));
      }),
      { seed, numRuns: 2000 },
    );
  });
});
