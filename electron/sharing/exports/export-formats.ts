// The formats of exports, each loaded only if it is asked for.
import type { WriteExport } from "./export-request.ts";

export interface ExportFormat {
  /** `file` for one file, or one a revision with its sequence in the name. */
  readonly out: "file" | "folder";
  /** True if `PictureChoice` applies. */
  readonly isPicture: boolean;
  readonly load: () => Promise<WriteExport>;
}

export const exportFormatIds = ["png", "gif", "webp", "geotiff", "kmz", "source"] as const;
export type ExportFormatId = (typeof exportFormatIds)[number];

export const exportFormats: Readonly<Record<ExportFormatId, ExportFormat>> = {
  png: {
    out: "file",
    isPicture: true,
    load: async () => (await import("./png-files.ts")).writePngFiles,
  },
  gif: {
    out: "file",
    isPicture: true,
    load: async () => (await import("./gif-file.ts")).writeGifFile,
  },
  webp: {
    out: "file",
    isPicture: true,
    load: async () => (await import("./webp-file.ts")).writeWebpFile,
  },
  geotiff: {
    out: "folder",
    isPicture: false,
    load: async () => (await import("./data/geotiff-files.ts")).writeGeotiffFiles,
  },
  kmz: {
    out: "folder",
    isPicture: false,
    load: async () => (await import("./data/kmz-file.ts")).writeKmzFile,
  },
  source: {
    out: "folder",
    isPicture: false,
    load: async () => (await import("./data/source-files.ts")).writeSourceFiles,
  },
};
