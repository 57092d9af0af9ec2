// The loop as a video or an animated picture.
import type { ReactNode } from "react";

export function LoopSection(): ReactNode {
  return null;
}
