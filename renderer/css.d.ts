// Custom properties that components pass to the style sheets.
import "react";

declare module "react" {
  interface CSSProperties {
    /** Filled part of a range, a percentage. */
    "--fill"?: string;
  }
}
