// The stores of a data directory, open for as long as one piece of work takes. They are loaded when they are needed.
import type { Catalog, ReadableCatalog } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import type { Effects } from "../../platform/effects.ts";

/** How a directory's catalog is opened, and what becomes of a directory without one. */
type Opening<Kind> = (directory: string) => Promise<Kind>;

/** Makes one. Throws as `openCatalog` does. */
export function making({ now }: Pick<Effects, "now">): Opening<Catalog> {
  return async (directory) => {
    const { openCatalog } = await import("../../catalog/open-catalog.ts");
    return openCatalog({ directory, now });
  };
}

/** For work on what is there already: throws `not-found`, and makes none. */
export function existing(effects: Pick<Effects, "now">): Opening<Catalog> {
  return async (directory) => {
    await (await reading(directory)).close();
    return making(effects)(directory);
  };
}

/** Changes nothing; throws `not-found`. */
export const reading: Opening<ReadableCatalog> = async (directory) => {
  const { openReadableCatalog } = await import("../../catalog/open-catalog.ts");
  return openReadableCatalog({ directory });
};

/** Throws as `open` and `use` do. */
export async function useCatalog<Kind extends ReadableCatalog, Result>(
  directory: string,
  open: Opening<Kind>,
  use: (catalog: Kind) => Promise<Result>,
): Promise<Result> {
  const catalog = await open(directory);
  try {
    return await use(catalog);
  } finally {
    await catalog.close();
  }
}

/** As `useCatalog`, with the frames beside it. */
export async function useStores<Kind extends ReadableCatalog, Result>(
  directory: string,
  open: Opening<Kind>,
  use: (stores: { readonly catalog: Kind; readonly frames: FrameStore }) => Promise<Result>,
): Promise<Result> {
  const { createFrameStore } = await import("../../catalog/files/file-frame-store.ts");
  return useCatalog(directory, open, async (catalog) => {
    const frames = createFrameStore({ directory, cacheByteLimit: 0 });
    try {
      return await use({ catalog, frames });
    } finally {
      await frames.close();
    }
  });
}
