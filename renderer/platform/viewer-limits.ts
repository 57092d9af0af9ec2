// The viewer's budgets, limits and intervals. Durations are in milliseconds.
import { windowMs } from "../../shared/revisions/observation-window.ts";

/** Memory and GPU memory for frames, in bytes. */
export interface FrameBudget {
  readonly memoryBytes: number;
  readonly gpuBytes: number;
}

/** Limits of the frame memory that a person may choose, in MiB; a machine offers those it can bear. */
export const frameLimitsMib = [128, 256, 512, 1024, 2048] as const;
export type FrameLimitMib = (typeof frameLimitsMib)[number];
/** Largest limit for each GiB of the machine's memory, in MiB. */
const mostMibPerGib = 256;

export function findFrameLimitsMib(): FrameLimitMib[] {
  return frameLimitsMib.filter((mib) => mib <= findMemoryGib() * mostMibPerGib);
}

/**
 * Returns the budget for the frames of one map: its share of the limit that the person chose, else of 96 MiB for each
 * GiB of the machine's memory, at least 256 MiB, at most 768 MiB. A third is main memory, the rest GPU memory.
 */
export function findFrameBudget(limitMib?: FrameLimitMib, share = 1): FrameBudget {
  const totalMib = limitMib ?? Math.min(768, Math.max(256, findMemoryGib() * 96));
  const thirdBytes = Math.floor((totalMib / 3) * 2 ** 20 * share);
  return { memoryBytes: thirdBytes, gpuBytes: 2 * thirdBytes };
}

/** The budget of the map of a picture or loop, which needs each frame once: room for the next few of CONUS. */
export const stillFrameBudget: FrameBudget = { memoryBytes: 32 * 2 ** 20, gpuBytes: 64 * 2 ** 20 };

/** Returns the memory of the machine; browsers that hide it count as 8 GiB. */
function findMemoryGib(): number {
  return (navigator as { deviceMemory?: number }).deviceMemory ?? 8;
}

/** Assumed size of a frame in memory before any has been decoded: a regional cut. */
export const firstFrameGuessBytes = 1 << 20;
/** Frames fetched and decoded at once. */
export const maxFrameLoads = 2;
export const decodeWorkers = 2;
/** Workers that read pinned places. */
export const placeWorkers = 2;
/** Places that can be pinned. */
export const mostPins = 5;
/** Places whose readings are kept, pinned or not: a place pinned again needs no reading. */
export const mostPlacesRead = 10;
/** Least time between two updates of the strip while places are read. */
export const placeReportMs = 100;
/** Attempts to fetch a frame before it counts as failed; failed frames are retried later. */
export const frameFetchAttempts = 2;
export const frameRetryMs = { first: 2_000, longest: 60_000 } as const;
/** Largest frame file, in bytes. The largest of ours, a CONUS grid full of echo, has a few million. */
export const maxFrameFileBytes = 128 * 1024 * 1024;
/** Largest texture that WebGL 2 guarantees everywhere; color pictures are cut to it when they are decoded. */
export const colorTilePx = 2048;
/** Upload time in one animation frame: when a step waits for it, and otherwise. */
export const uploadMs = { urgent: 40, quiet: 8 } as const;
/** Bytes in one upload slice: a few milliseconds of work. */
export const uploadSliceBytes = 2 << 20;
/** Time that a step of a briefing may wait for its frames before it is shown without them. */
export const longestStepWaitMs = 15_000;
/** Revisions prefetched ahead of the playhead while it plays. */
export const prefetchAhead = 10;
/** Revisions prefetched on each side of the playhead while it rests. */
export const prefetchAround = 3;
/** Swaths made ahead: they go to the screen with their step. */
export const swathsAhead = { playing: 4, resting: 2 } as const;
/** Delays before a failed part of the basemap is requested again. */
export const basemapRetryMs = { first: 2_000, longest: 30_000 } as const;

export const requestTimeoutMs = 15_000;
/** Responses stored for revalidation: events, feeds, and of four panes the newest revisions and histories. */
export const maxStoredResponses = 10;
export const streamTiming = {
  firstDelayMs: 500,
  longestDelayMs: 30_000,
  /** A connection attempt that takes longer is given up. */
  openDeadlineMs: 10_000,
  pingEveryMs: 10_000,
  /** Any message counts as an answer to the ping. */
  pongDeadlineMs: 5_000,
} as const;

/** Intervals of polling. Lists answer 304 while nothing changes, so frequent polling costs little. */
export const pollTiming = {
  /** The list of events while it is empty. */
  firstEventMs: 1_000,
  eventsMs: 5_000,
  /** Sources and the history of the chosen event. */
  othersMs: 30_000,
  feedsMs: 5_000,
  /** Tasks while one is running. */
  tasksMs: 1_000,
  idleTasksMs: 10_000,
  /** The lists in the open Share panel, which other programs change. */
  panelMs: 5_000,
} as const;
/** Intervals at a public service, which is asked for the newest revision, and seldom for anything else. */
export const publicTiming = {
  /** The newest revision of the chosen event. */
  latestMs: 30_000,
  /** Share of the interval by which it may be shorter or longer. */
  jitter: 0.2,
  /** The same after many failures. */
  longestMs: 300_000,
  firstEventMs: 30_000,
  eventsMs: 300_000,
  othersMs: 300_000,
} as const;
export const clockTickMs = 1_000;
/** Rest of the map before the revisions that change its area are counted again. */
export const viewChangesPauseMs = 300;
/** Pause in typing before a place search is sent. */
export const searchPauseMs = 160;
/** Revisions of one event beyond which the viewer reads no older ones: a week of windows, 7 MB. */
export const mostHeldRevisions = 5_000;
/** Frames of two layers in the longest event. */
const mostFramesOfEvent = 2 * mostHeldRevisions;
/** Readings that a place keeps; fewer than the frames of one event would be read for ever. */
export const mostReadingsOfPlace = mostFramesOfEvent;
/** Frames of which the highest class is kept for the search of onsets, in four panes. */
export const mostHighestKept = 4 * mostFramesOfEvent;

/** Age of a live event's newest observation beyond which it is stale: three cadences. */
export const staleAfterMs = 3 * windowMs;
/** Silence of the service beyond which the viewer is offline; less is a reconnection. */
export const offlineAfterMs = 12_000;

/** Time that the last picture of a loop stays before the loop begins again. */
export const loopDwellMs = 1_500;
/** Shortest wait for a picture that the screen mentions; a shorter notice would flicker with every step. */
export const noticeableWaitMs = 600;

/** Most bytes of decoded frames that the analysis worker keeps for the next difference or swath. */
export const analysisSourceBytes = 64 * 1024 ** 2;
/** Time after which the reading of an overlay file is given up. */
export const overlayReadMs = 30_000;
/** Files of overlays that are kept over a visit, and the bytes of all of them. */
export const keptOverlays = { files: 24, bytes: 64 * 2 ** 20 } as const;
/** Pace at which the overlays of the host are looked for. */
export const hostOverlaysMs = 15_000;
/** The same while one of them was not read yet. */
export const startingOverlayMs = 1_000;
/** Overlays of the host whose choices are kept over a visit; the ones chosen last stay. */
export const keptHostChoices = 96;
