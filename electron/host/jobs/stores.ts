// The stores of a location, open for one piece of work. Their modules are loaded when needed.
import type { ReadableStores, Stores, StoresLocation } from "../../catalog/stores/located-stores.ts";
import type { Effects } from "../../platform/effects.ts";

type OpenStores<Kind> = (location: StoresLocation) => Promise<Kind>;

/** Each frame is read once. */
const cache = { frameCacheByteLimit: 0 };

/** Opens for writing; creates a missing directory. @throws as `openStores` does */
export function openOrCreate({ now }: Pick<Effects, "now">): OpenStores<Stores> {
  return async (location) => {
    const { openStores } = await import("../../catalog/stores/open-stores.ts");
    return openStores(location, { now, ...cache });
  };
}

/** Opens for writing. @throws AppError `not-found` if a directory has no catalog, and as `openStores` does */
export function openExisting(effects: Pick<Effects, "now">): OpenStores<Stores> {
  return async (location) => {
    if (location.kind === "directory") await (await openReadable(location)).close();
    return openOrCreate(effects)(location);
  };
}

/** Opens for reading. @throws AppError `not-found` if a directory has no catalog */
export const openReadable: OpenStores<ReadableStores> = async (location) => {
  const { openReadableStores } = await import("../../catalog/stores/open-stores.ts");
  return openReadableStores(location, cache);
};

/** @throws as `open` and `use` do */
export async function useStores<Kind extends ReadableStores, Result>(
  location: StoresLocation,
  open: OpenStores<Kind>,
  use: (stores: Kind) => Promise<Result>,
): Promise<Result> {
  const stores = await open(location);
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}

/** @throws as `open` and `use` do */
export function useCatalog<Kind extends ReadableStores, Result>(
  location: StoresLocation,
  open: OpenStores<Kind>,
  use: (catalog: Kind["catalog"]) => Promise<Result>,
): Promise<Result> {
  return useStores(location, open, ({ catalog }) => use(catalog));
}
