// Saves one file of data at a time for the viewer, and keeps its progress in the store. The dialog may close meanwhile.
import { AppError } from "../../../shared/app-error.ts";
import { toCsvName, toGeotiffName, toStem } from "../../../shared/rasters/export-names.ts";
import type { AnalysisClient } from "../../frames/analysis-client.ts";
import type { OutlinesFormat } from "../../frames/analysis-messages.ts";
import { saveFile } from "../../platform/save-file.ts";
import { selectSelectedEvent } from "../../state/selectors.ts";
import type { ViewerState, ViewerStore } from "../../state/store.ts";
import type { DataLayer } from "./data-messages.ts";
import { layersOf, planLoopLayers, planOutlines, planShownLayers } from "./plan-data.ts";
import { drawCredits, drawLegends } from "./screen-pictures.ts";
import { fetchSources } from "./fetch-sources.ts";
import { writeData } from "./write-data.ts";

const underWay = new WeakMap<ViewerStore, AbortController>();

interface Work {
  readonly fileName: string;
  readonly total: number;
  readonly write: (options: {
    readonly signal: AbortSignal;
    readonly onProgress: (done: number) => void;
  }) => Promise<Blob | undefined>;
}

/** Saves the visible layers of the revision on screen: one GeoTIFF, or an archive of several. */
export function saveGeotiff(main: ViewerStore, shown: ViewerState): Promise<void> {
  const layers = planShownLayers(shown);
  const [first, ...others] = layers;
  if (!first) return Promise.resolve();
  const fileName = others.length === 0 ? toGeotiffName(first.facts) : `${toFileStem(layers)}-geotiff.zip`;
  return save(main, {
    fileName,
    total: layers.length,
    write: (options) => writeData({ format: "geotiff", layers }, options),
  });
}

/** Saves the visible layers of the loop's revisions for a globe. */
export function saveKmz(main: ViewerStore, shown: ViewerState): Promise<void> {
  const layers = planLoopLayers(shown);
  const last = layers.at(-1);
  if (!last) return Promise.resolve();
  return save(main, {
    fileName: `${toFileStem(layers)}.kmz`,
    total: layers.length,
    write: async (options) => {
      const legend = await drawLegends(layersOf(shown, layers));
      const credits = await drawCredits(last.facts.revision);
      return writeData({ format: "kmz", layers, legend, credits }, options);
    },
  });
}

/** Saves the outlines of the largest so far. */
export function saveOutlines(
  main: ViewerStore,
  shown: ViewerState,
  analysis: Pick<AnalysisClient, "writeOutlines">,
  format: OutlinesFormat,
): Promise<void> {
  const plan = planOutlines(shown, format);
  if (!plan) return Promise.resolve();
  return save(main, {
    fileName: plan.name,
    total: plan.request.frames.length,
    write: async ({ signal, onProgress }) =>
      (await analysis.writeOutlines(plan.request, signal, onProgress)).file,
  });
}

/** Saves the files that the layers on screen were made from: one under its own name, or an archive of several. */
export function saveSources(main: ViewerStore, shown: ViewerState): Promise<void> {
  const layers = planShownLayers(shown);
  if (layers.length === 0) return Promise.resolve();
  const fileName = `${toFileStem(layers)}-source.zip`;
  return save(main, { fileName, total: layers.length, write: (options) => fetchSources(layers, options) });
}

/** Saves a table of the chosen event. */
export function saveCsv(main: ViewerStore, content: string, text: string): Promise<void> {
  const event = selectSelectedEvent(main.getState());
  if (!event) return Promise.resolve();
  const write = (): Promise<Blob> => Promise.resolve(new Blob([text], { type: "text/csv" }));
  return save(main, { fileName: toCsvName(event, content), total: 1, write });
}

/** Stops the saving; no file is left. */
export function cancelData(main: ViewerStore): void {
  underWay.get(main)?.abort();
}

async function save(main: ViewerStore, { fileName, total, write }: Work): Promise<void> {
  if (underWay.has(main)) return;
  const controller = new AbortController();
  underWay.set(main, controller);
  const { setDataSaving, setDataOutcome } = main.getState();
  const onProgress = (done: number): void => {
    setDataSaving({ fileName, done, total });
  };
  setDataOutcome(undefined);
  onProgress(0);
  try {
    const file = await write({ signal: controller.signal, onProgress });
    if (!file) throw new AppError("not-found", "No frame of the loop can be used.");
    const name = file instanceof File ? file.name : fileName;
    saveFile(name, file);
    setDataOutcome({ kind: "saved", fileName: name });
  } catch (error) {
    if (!controller.signal.aborted) setDataOutcome({ kind: "failed", problem: toProblem(error) });
  } finally {
    underWay.delete(main);
    setDataSaving(undefined);
  }
}

function toFileStem(layers: readonly DataLayer[]): string {
  return toStem(layers.map(({ facts }) => facts));
}

function toProblem(error: unknown): string {
  return error instanceof AppError ? error.detail : "The file could not be written. Try again.";
}
