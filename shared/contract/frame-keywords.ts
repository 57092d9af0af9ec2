// The keywords of the two iTXt chunks in a frame's PNG. Apart from their schemas, so that a render worker, which writes them,
// need not load a schema library first: that takes longer than everything else it loads.

export const frameClassesKeyword = "echotop:classes";
export const frameCoverageKeyword = "echotop:coverage";
