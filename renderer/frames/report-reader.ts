// Storm reports against frames, in the analysis worker: frames that were read before for the same reports are not read
// again, so that an arrival costs one frame.
import type { CellFrame } from "../../shared/analysis/cell-frame.ts";
import { readAround, type AroundReading } from "../../shared/reports/around-reading.ts";
import { ReportVerification, type FrameTask } from "../../shared/reports/report-verification.ts";
import type { ReportsAnswer, ReportsRequest, EstimateRef } from "./analysis-messages.ts";
import type { FrameRef } from "./frame-ref.ts";

interface Progress {
  readonly onRead: (count: number) => void;
  readonly signal: AbortSignal;
}

export class ReportReader {
  readonly #load: (ref: FrameRef) => Promise<CellFrame>;
  /** The places that were read, as text, and their readings by frame. */
  #places = "";
  #readings = new Map<string, readonly AroundReading[]>();

  constructor(load: (ref: FrameRef) => Promise<CellFrame>) {
    this.#load = load;
  }

  async read({ reports, tasks }: ReportsRequest, { onRead, signal }: Progress): Promise<ReportsAnswer> {
    const places = JSON.stringify(reports);
    if (places !== this.#places) this.#readings = new Map();
    this.#places = places;
    const readings = this.#readings;
    const verification = new ReportVerification(reports);
    const unreadable: string[] = [];
    for (const [index, task] of tasks.entries()) {
      signal.throwIfAborted();
      const known = readings.get(task.frame.imageUrl) ?? (await this.#readFrame(task, reports));
      if (known) {
        readings.set(task.frame.imageUrl, known);
        verification.add(task, known);
      } else unreadable.push(task.frame.observedAt);
      onRead(index + 1);
    }
    return { verified: verification.finish(), unreadable };
  }

  async #readFrame(
    { frame, reports: near }: FrameTask<EstimateRef>,
    reports: ReportsRequest["reports"],
  ): Promise<readonly AroundReading[] | undefined> {
    const cells = await this.#load(frame).catch(() => undefined);
    return cells && near.map((index) => readAround(cells, reports[index]!));
  }
}
