// The requests and answers of the analysis worker. Both ends are built together, so messages are not parsed.
import type { Difference, DifferenceOptions } from "../../shared/analysis/difference.ts";
import type { SwathClass } from "../../shared/analysis/swath.ts";
import type { LineMark } from "../../shared/analysis/swath-marks.ts";
import type { MatchingArea, WatchedGround } from "../../shared/analysis/watch/matching-areas.ts";
import type { ContourFacts } from "../../shared/contours/contour-facts.ts";
import type { Coordinate } from "../../shared/contract/index.ts";
import type { EstimateFrame, FrameTask, VerifiedReport } from "../../shared/reports/report-verification.ts";
import type { StormReport } from "../../shared/reports/storm-report.ts";
import type { ErrorCode } from "../../shared/app-error.ts";
import type { DecodedFrame } from "./decoded-frame.ts";
import type { DerivedFrame, FrameRef } from "./frame-ref.ts";
import type { SwathPart } from "./swath-maker.ts";

export interface DifferenceRequest extends DifferenceOptions {
  readonly before: FrameRef;
  readonly after: FrameRef;
}

/** The difference, or a sentence why the two frames cannot be compared. */
export type DifferenceAnswer = Difference | { readonly why: string };

export interface SwathFacts {
  /** For each frame of the list, in its order. */
  readonly parts: readonly SwathPart[];
  /** Ascending, without classes that no cell has. */
  readonly classes: readonly SwathClass[];
  readonly lines: readonly LineMark[];
  /** The storm of the last frame; undefined if it draws nothing or cannot be read. */
  readonly storm: Coordinate | undefined;
}

export interface HighestAnswer {
  /** Index of the first frame with the highest class at the place; undefined if none has a class there. */
  readonly first: number | undefined;
}

/** The areas of cells at or above an edge in a part of a frame. */
export interface AreasRequest {
  readonly frame: FrameRef;
  /** Lower edge in the layer's unit. */
  readonly lower: number;
  readonly ground: WatchedGround;
}

export interface AreasAnswer {
  /** The highest first. */
  readonly areas: readonly MatchingArea[];
  /** True if radars see any of the ground. */
  readonly isCovered: boolean;
}

export type OutlinesFormat = "geojson" | "kml";

/** The swath's outlines as a file. */
export interface OutlinesRequest {
  readonly format: OutlinesFormat;
  readonly frames: readonly FrameRef[];
  /** Revision and time of each frame. */
  readonly revisions: readonly { readonly revisionId: string; readonly observedAt: string }[];
  readonly about: Pick<ContourFacts, "event" | "attribution" | "disclosure">;
}

export interface OutlinesAnswer {
  /** Undefined if no frame could be used. */
  readonly file: Blob | undefined;
}

/** A hail frame that stands in its window. */
export type EstimateRef = FrameRef & EstimateFrame;

export interface ReportsRequest {
  readonly reports: readonly StormReport[];
  /** Each frame that a report needs, once. */
  readonly tasks: readonly FrameTask<EstimateRef>[];
}

export interface ReportsAnswer {
  /** In the order of the reports. */
  readonly verified: readonly VerifiedReport[];
  /** Times of observation of frames that could not be read. */
  readonly unreadable: readonly string[];
}

export type AnalysisRequest =
  | { readonly type: "draw"; readonly derived: DerivedFrame }
  | ({ readonly type: "difference" } & DifferenceRequest)
  | ({ readonly type: "areas" } & AreasRequest)
  | { readonly type: "swath"; readonly frames: readonly FrameRef[] }
  | ({ readonly type: "outlines" } & OutlinesRequest)
  | ({ readonly type: "reports" } & ReportsRequest)
  | { readonly type: "highest"; readonly frames: readonly FrameRef[]; readonly place: Coordinate };

/** The answer to each type of request. */
export interface AnalysisAnswers {
  readonly draw: DecodedFrame;
  readonly difference: DifferenceAnswer;
  readonly swath: SwathFacts;
  readonly areas: AreasAnswer;
  readonly outlines: OutlinesAnswer;
  readonly reports: ReportsAnswer;
  readonly highest: HighestAnswer;
}

export type AnalysisPost =
  | { readonly id: number; readonly request: AnalysisRequest }
  | { readonly id: number; readonly abort: true };

/** Any number of "read", then one of the others unless the request was aborted. */
export type AnalysisReply =
  | { readonly id: number; readonly read: number }
  | { readonly id: number; readonly answer: AnalysisAnswers[AnalysisRequest["type"]] }
  | { readonly id: number; readonly problem: { readonly code: ErrorCode; readonly detail: string } };
