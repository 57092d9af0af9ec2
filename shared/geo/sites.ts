// The formats of assets/ground: places that forecasters know by an identifier.
import type { Coordinate } from "../contract/primitives.ts";

/** A WSR-88D. */
export interface RadarSite {
  /** ICAO identifier, such as KTLX. */
  readonly id: string;
  readonly name: string;
  /** Postal code of the state or territory. */
  readonly state: string;
  readonly coordinate: Coordinate;
}

/** An airport with an ICAO and an FAA identifier. */
export interface Airport {
  /** ICAO identifier, such as KOKC. */
  readonly id: string;
  /** FAA identifier, such as OKC. */
  readonly faaId: string;
  readonly name: string;
  readonly city: string;
  /** Postal code of the state or territory. */
  readonly state: string;
  /** 1: a hub; 2: other scheduled service; 3: no scheduled service. */
  readonly size: 1 | 2 | 3;
  readonly coordinate: Coordinate;
}
