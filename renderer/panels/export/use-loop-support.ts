// The formats in which this browser can write a loop of a size.
import { useEffect, useState } from "react";
import type { SheetSize } from "../../export/sheet-drawer.ts";
import { canKeepFiles } from "../../export/loops/loop-file.ts";
import { formatFacts, isVideo } from "../../export/loops/loop-formats.ts";
import { loopFormats, type LoopFormat } from "../../state/slices/loops-slice.ts";
import type { Speed } from "../../state/timeline/playback.ts";
import { loopFormatNames } from "../../text/loop-text.ts";

export type LoopObstacles = Readonly<Partial<Record<LoopFormat, string>>>;

/** Returns the reason why each format cannot be written; none until the browser has answered. */
export function useLoopObstacles({ widthPx, heightPx }: SheetSize, speed: Speed): LoopObstacles {
  const [obstacles, setObstacles] = useState<LoopObstacles>({});
  useEffect(() => {
    let isCurrent = true;
    void findObstacles({ widthPx, heightPx }, speed).then((found) => {
      if (isCurrent) setObstacles(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [widthPx, heightPx, speed]);
  return obstacles;
}

async function findObstacles(size: SheetSize, speed: Speed): Promise<LoopObstacles> {
  const entries = await Promise.all(
    loopFormats.map(async (format) => [format, await findObstacle(format, size, speed)] as const),
  );
  return Object.fromEntries(entries.filter(([, reason]) => reason !== undefined));
}

async function findObstacle(format: LoopFormat, size: SheetSize, speed: Speed): Promise<string | undefined> {
  const name = loopFormatNames[format];
  if (!canKeepFiles()) return "The browser saves loops only on this computer's own page or over HTTPS";
  if (Math.max(size.widthPx, size.heightPx) > formatFacts[format].mostPx)
    return `${name} cannot be ${size.widthPx} × ${size.heightPx} pixels`;
  if (!isVideo(format)) return undefined;
  const { findCodec } = await import("../../export/loops/video-encoder.ts");
  const codec = await findCodec(format, size, speed);
  return codec === undefined
    ? `This browser cannot encode ${name} of ${size.widthPx} × ${size.heightPx} pixels`
    : undefined;
}
