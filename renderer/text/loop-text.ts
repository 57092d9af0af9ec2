// Words for loops that are saved as files.
import type { LoopFormat, LoopOutcome, LoopSaving } from "../state/slices/loops-slice.ts";
import { byteSize, counted } from "./format.ts";

export const loopFormatNames: Readonly<Record<LoopFormat, string>> = {
  mp4: "MP4",
  webm: "WebM",
  gif: "GIF",
  webp: "WebP",
};

/** Purpose of each format, and what it cannot do. */
export const loopFormatHints: Readonly<Record<LoopFormat, string>> = {
  mp4: "Video that nearly every program plays",
  webm: "Video for web pages",
  gif: "Animated picture for mail; colors are reduced, not for measuring",
  webp: "Animated picture with exact colors",
};

/** `27 revisions, 1 gap · 8 s at 4 a second` */
export function loopLengthWords({
  revisions,
  gaps,
  durationMs,
  speed,
}: {
  readonly revisions: number;
  readonly gaps: number;
  readonly durationMs: number;
  readonly speed: number;
}): string {
  const frames = [counted(revisions, "revision", "revisions")];
  if (gaps > 0) frames.push(counted(gaps, "gap", "gaps"));
  return `${frames.join(", ")} · ${Math.round(durationMs / 1000)} s at ${speed} a second`;
}

/** `about 6 MB`, `less than 1 MB` */
export function expectedSize(bytes: number): string {
  return bytes < 1_000_000 ? "less than 1 MB" : `about ${byteSize(bytes)}`;
}

/** `18 of 32 · about 6 s left` */
export function loopProgressWords({ done, total, leftMs }: LoopSaving): string {
  const count = `${done} of ${total}`;
  return leftMs === undefined ? count : `${count} · about ${Math.max(1, Math.ceil(leftMs / 1000))} s left`;
}

/** Says that the event has gone on since the loop's frames were chosen. */
export function madeBeforeWords(newest: number, latest: number | undefined): string | undefined {
  return latest === undefined || latest <= newest ? undefined : `made before revision ${newest + 1}`;
}

export function outcomeWords(outcome: LoopOutcome): string {
  return outcome.kind === "saved"
    ? `Saved ${outcome.fileName} · ${fileSize(outcome.byteLength)}`
    : outcome.problem;
}

/** `780 kB`, `5.8 MB`, `23 MB` */
function fileSize(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  if (megabytes < 1) return `${Math.max(1, Math.round(bytes / 1000))} kB`;
  return megabytes < 10 ? `${megabytes.toFixed(1)} MB` : byteSize(bytes);
}
