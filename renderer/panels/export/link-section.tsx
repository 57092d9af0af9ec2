// The view on screen as a link, a file or a citation.
import type { ReactNode } from "react";

export function LinkSection(): ReactNode {
  return null;
}
