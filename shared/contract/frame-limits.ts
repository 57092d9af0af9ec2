// How large a frame may be: no larger than a viewer draws, so that nothing is published, or taken over from another
// service, that nobody can see.

/** Width times height. The CONUS at 0.005 degrees in Web Mercator has 120 million. */
export const maxFramePixels = 140_000_000;
