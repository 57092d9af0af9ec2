// What a publication came to, as the sentence that its publisher reads.
import type { BriefingResult } from "./briefing.ts";

type Counts = Pick<BriefingResult, "revisionPages" | "written" | "unchanged" | "removed">;

/** `12 revisions have their pages: 3 files written, 35 unchanged.` */
export function toPublishedWords({ revisionPages, written, unchanged, removed }: Counts): string {
  const pages =
    revisionPages === 1 ? "1 revision has its page" : `${revisionPages} revisions have their pages`;
  if (written === 0 && removed === 0)
    return `${pages}. Nothing had changed: ${unchanged} files are as they were.`;
  const changes = [
    { count: written, what: "written" },
    { count: removed, what: "removed" },
    { count: unchanged, what: "unchanged" },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, what }, index) =>
      index > 0 ? `${count} ${what}` : `${count} ${count === 1 ? "file" : "files"} ${what}`,
    );
  return `${pages}: ${changes.join(", ")}.`;
}
