// The checkout's folder, for programs that run in it from sources or from the bundle `.vite/cli`.
import { join } from "node:path";

/** False in sources, which Node runs as they are. */
export const isBundled = !import.meta.filename.endsWith(".ts");

/** The sources lie as deep as the bundle: two folders below. */
export const projectRoot = join(import.meta.dirname, "..", "..");
