// The words of the files of data that leave the viewer.

/** Contents of each format. */
export const dataHints = {
  geotiff: "The cells of the revision on screen: class indexes, with their edges in the file",
  kmz: "The loop's revisions as pictures for a globe such as Google Earth",
  csv: "The story of the chosen pin: both edges of its class in each window",
  contours: "GeoJSON outlines of the largest so far, from the loop's start to the revision on screen",
  contoursKml: "The same outlines as KML, in their legend's colors",
  source: "The original files of the revision on screen, as they were read, where they were kept",
} as const;

/** Reasons why a format cannot be written now. */
export const dataReasons = {
  nothingPublished: "Nothing is published yet",
  publicService: "A service of the public does not give its source files",
  noLayer: "No layer is shown: switch one on",
  noPin: "Pin a place first: the file is its story",
  noOutlines: "The event has no frames of this layer yet",
  unread: (place: string) => `Open the story of ${place} until every window is read`,
} as const;

export function dataProgress({ done, total }: { readonly done: number; readonly total: number }): string {
  return `${done} of ${total}`;
}

export function savedFile(fileName: string): string {
  return `Saved ${fileName}`;
}
