// Sizes of a briefing's stills: large enough for a projector.

export const stillSize = { widthPx: 1600, heightPx: 1000 } as const;
/** Height of the head above the map, and width of the column next to it. */
export const headPx = 112;
export const sidePx = 340;
export const mapSize = {
  widthPx: stillSize.widthPx - sidePx,
  heightPx: stillSize.heightPx - headPx,
} as const;
