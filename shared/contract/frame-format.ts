// Keywords of the iTXt chunks in frames and pictures, and the largest frame. Separate from the schemas: a render worker
// would load the schema library longer than everything else.

export const frameClassesKeyword = "echotop:classes";
export const frameCoverageKeyword = "echotop:coverage";

/**
 * Largest width × height that a viewer draws; nothing larger is published or copied. CONUS at 0.005° has 120 million.
 */
export const maxFramePixels = 140_000_000;

/** Keyword of the JSON in a picture that was saved for people: what it shows. */
export const pictureKeyword = "echotop:picture";
