// Custom properties that components pass to the style sheets.
import "react";

declare module "react" {
  interface CSSProperties {
    /** Filled part of a range, a percentage. */
    "--fill"?: string;
    /** Place of the swipe line across the map, a percentage. */
    "--at"?: string;
    /** Colors of a rise and of a fall, and those of their patterns. */
    "--up"?: string;
    "--up-accent"?: string;
    "--down"?: string;
    "--down-dark"?: string;
    "--down-accent"?: string;
  }
}
