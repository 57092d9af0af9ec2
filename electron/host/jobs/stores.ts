// The stores of a data directory, open for one piece of work. Their modules are loaded when needed.
import type { Catalog, ReadableCatalog } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import type { Effects } from "../../platform/effects.ts";

type OpenCatalog<Kind> = (directory: string) => Promise<Kind>;

/** Opens for writing; creates a missing directory. @throws as `openCatalog` does */
export function openOrCreate({ now }: Pick<Effects, "now">): OpenCatalog<Catalog> {
  return async (directory) => {
    const { openCatalog } = await import("../../catalog/sqlite/open-catalog.ts");
    return openCatalog({ directory, now });
  };
}

/** Opens for writing. @throws AppError `not-found` if there is no catalog, and as `openCatalog` does */
export function openExisting(effects: Pick<Effects, "now">): OpenCatalog<Catalog> {
  return async (directory) => {
    await (await openReadable(directory)).close();
    return openOrCreate(effects)(directory);
  };
}

/** Opens for reading. @throws AppError `not-found` if there is no catalog */
export const openReadable: OpenCatalog<ReadableCatalog> = async (directory) => {
  const { openReadableCatalog } = await import("../../catalog/sqlite/open-catalog.ts");
  return openReadableCatalog({ directory });
};

/** @throws as `open` and `use` do */
export async function useCatalog<Kind extends ReadableCatalog, Result>(
  directory: string,
  open: OpenCatalog<Kind>,
  use: (catalog: Kind) => Promise<Result>,
): Promise<Result> {
  const catalog = await open(directory);
  try {
    return await use(catalog);
  } finally {
    await catalog.close();
  }
}

/** @throws as `open` and `use` do */
export async function useStores<Kind extends ReadableCatalog, Result>(
  directory: string,
  open: OpenCatalog<Kind>,
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
