// Is the table of reports open, which report is chosen, and what do the estimates say of the reports?
import type { StateCreator } from "zustand";
import type { VerifiedReport, Verdict } from "../../../shared/reports/report-verification.ts";
import type { StormReport } from "../../../shared/reports/storm-report.ts";

/** The comparison of the hail reports with the frames known. */
export interface ComparedReports {
  /** Frames read so far, and those to read. */
  readonly read: number;
  readonly total: number;
  /** Undefined until every frame is read; the one before stays meanwhile if it is of the same reports. */
  readonly verified: readonly VerifiedReport[] | undefined;
  /** Times of observation of frames that could not be read. */
  readonly unreadable: readonly string[];
  /** Why nothing could be compared, in a sentence. */
  readonly problem: string | undefined;
}

export const noneCompared: ComparedReports = {
  read: 0,
  total: 0,
  verified: undefined,
  unreadable: [],
  problem: undefined,
};

export interface ReportsSlice {
  readonly isReportsOpen: boolean;
  /** Verdict of the rows that the table shows; undefined for all. */
  readonly shownVerdict: Verdict | undefined;
  /** The report that the person chose, in the table or on the map. */
  readonly chosenReport: StormReport | undefined;
  readonly compared: ComparedReports;
  readonly setReportsOpen: (open: boolean) => void;
  readonly setShownVerdict: (verdict: Verdict | undefined) => void;
  readonly chooseReport: (report: StormReport | undefined) => void;
  readonly learnCompared: (compared: ComparedReports) => void;
}

export const createReportsSlice: StateCreator<ReportsSlice, [], [], ReportsSlice> = (set) => ({
  isReportsOpen: false,
  shownVerdict: undefined,
  chosenReport: undefined,
  compared: noneCompared,

  setReportsOpen: (isReportsOpen) => {
    set({ isReportsOpen });
  },

  setShownVerdict: (shownVerdict) => {
    set({ shownVerdict });
  },

  chooseReport: (chosenReport) => {
    set({ chosenReport });
  },

  learnCompared: (compared) => {
    set({ compared });
  },
});
