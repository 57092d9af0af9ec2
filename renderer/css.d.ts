// Custom properties that components hand to the style sheet.
import "react";

declare module "react" {
  interface CSSProperties {
    /** How far a range's track is filled, a percentage. */
    "--fill"?: string;
  }
}
