// The picture as a file or in the clipboard.
import type { ReactNode } from "react";

export function PictureSection(): ReactNode {
  return null;
}
