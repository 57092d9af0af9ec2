// The demonstration event as files in the order of publication: an hour of both products every two minutes, and a late
// correction of one reflectivity file.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { mesh } from "../../../shared/products/mesh.ts";
import type { Product } from "../../../shared/products/product.ts";
import { reflectivity } from "../../../shared/products/reflectivity.ts";
import { windowMs } from "../../../shared/revisions/observation-window.ts";
import { createObserver } from "./demo-fields.ts";
import type { Spike } from "./interference.ts";
import { encodeMrmsFile, mrmsFileName } from "./mrms-file.ts";
import { createRandom } from "./random.ts";
import { region } from "./region.ts";

/** One publication: both products of a window, or the correction of an earlier one. */
export interface DemonstrationStep {
  /** 0 to WINDOW_COUNT - 1. */
  readonly window: number;
  readonly kind: "observation" | "correction";
}

export interface DemonstrationFile {
  /** The name in the style of MRMS. A correction has the name of the file that it replaces. */
  readonly name: string;
  readonly product: ProductId;
  /** RFC 3339, UTC. */
  readonly observedAt: string;
  readonly kind: DemonstrationStep["kind"];
  /** A `.grib2.gz` file. */
  readonly bytes: Uint8Array;
}

export interface DemonstrationGenerator {
  /**
   * Generates reflectivity, then MESH; only reflectivity for a correction. The same step always gives the same files.
   */
  generate(step: DemonstrationStep): DemonstrationFile[];
}

export const demonstrationEvent = {
  id: "demonstration",
  kind: "historical-event",
  label: "Demonstration storm",
  origin: "synthetic",
} as const;

export const WINDOW_COUNT = 31;
/** The start of the hour, fixed so that all machines generate the same files. */
export const START_MS = Date.UTC(2026, 4, 20, 21);

/** The window whose first reflectivity file has a spike, and the window after which it is corrected. */
export const CORRECTED_WINDOW = 14;
const CORRECTED_AFTER = 21;
const spike: Spike = { callSign: "KVNX", azimuthDeg: 196.5, beamsDbz: [19, 25, 13] };

/** All steps in the order of publication. */
export const demonstrationSteps: readonly DemonstrationStep[] = Array.from(
  { length: WINDOW_COUNT },
  (_, window): DemonstrationStep[] => {
    const observation: DemonstrationStep = { window, kind: "observation" };
    return window === CORRECTED_AFTER
      ? [observation, { window: CORRECTED_WINDOW, kind: "correction" }]
      : [observation];
  },
).flat();

/** Returns the number of files of a step. */
export function fileCountOf({ kind }: DemonstrationStep): number {
  return kind === "observation" ? 2 : 1;
}

export const demonstrationFileCount = demonstrationSteps.reduce(
  (files, step) => files + fileCountOf(step),
  0,
);

/** Returns the time of a product in a window: as in the feed, some 40 seconds past the even minute. */
export function observedAt(window: number, product: ProductId): string {
  const random = createRandom(window * 2 + (product === "mrms-mesh" ? 1 : 0));
  const seconds = (product === "mrms-mesh" ? 36 : 38) + Math.floor(random() * 4);
  return new Date(START_MS + window * windowMs + seconds * 1000).toISOString().replace(".000Z", "Z");
}

/** Creates a generator, which takes a moment: it makes the noise for all steps. */
export function createDemonstrationGenerator(): DemonstrationGenerator {
  const observer = createObserver();
  return {
    generate({ window, kind }) {
      const timeMin = (Date.parse(observedAt(window, "mrms-reflectivity")) - START_MS) / 60_000;
      const disturbed = kind === "observation" && window === CORRECTED_WINDOW;
      const fields = observer.observe(timeMin, disturbed ? spike : undefined);
      const toFile = (product: Product, tenths: Int16Array): DemonstrationFile => {
        const at = observedAt(window, product.id);
        const bytes = encodeMrmsFile({ product, observedAt: at, grid: region, tenths });
        return { name: mrmsFileName(product, at), product: product.id, observedAt: at, kind, bytes };
      };
      const first = toFile(reflectivity, fields.reflectivity);
      return kind === "correction" ? [first] : [first, toFile(mesh, fields.mesh)];
    },
  };
}

/** Generates every file in the order of publication. */
export function* demonstrationFiles(): Generator<DemonstrationFile, void, undefined> {
  const generator = createDemonstrationGenerator();
  for (const step of demonstrationSteps) yield* generator.generate(step);
}
