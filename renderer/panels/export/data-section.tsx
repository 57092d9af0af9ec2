// The data as published: files that other programs open.
import type { ReactNode } from "react";

export function DataSection(): ReactNode {
  return null;
}
