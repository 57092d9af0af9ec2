// The layout of an event pack: paths in its tree, references, and its repository in the data directory. A pack has no
// other paths.
import { join } from "node:path";
import { listRefs } from "../git/refs.ts";
import { KeptOverlayName } from "../../../shared/contract/overlays.ts";
import { type ProductId, productIds } from "../../../shared/contract/primitives.ts";

const tagFolder = "refs/tags/rev";

/** Returns the lightweight tag of a revision's commit. */
export function tagRefOf(sequence: number): string {
  return `${tagFolder}/${sequence}`;
}

/** Returns the sequence of a revision's tag, or undefined for another reference. */
export function parseTagRef(ref: string): number | undefined {
  const digits = /^refs\/tags\/rev\/([1-9]\d{0,14})$/.exec(ref)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns the tags of revisions in a repository here, with their commits. */
export async function listRevisionTags(gitdir: string): Promise<ReadonlyMap<string, string>> {
  const tags = await listRefs(gitdir, tagFolder);
  return new Map([...tags].filter(([ref]) => parseTagRef(ref) !== undefined));
}

export const packFile = "pack.json";
/** Only in the pack of an event whose briefing has steps. */
export const stepsFile = "steps.json";
/** Only in the pack of an event with overlays: their facts, and the folder of their files. */
export const overlaysFile = "overlays.json";
export const overlaysFolder = "overlays";
export const manifestFile = "manifest.json";
export const packFolders = ["frames", overlaysFolder, "revisions", "sources"] as const;

/** The storm specification's pattern with a length limit: the id names files. */
export const revisionIdPattern = /^[A-Za-z0-9-]{1,100}$/;
/** SHA-256 of the frame's bytes, lower-case hexadecimal. */
export const frameIdPattern = /^[0-9a-f]{64}$/;

export type PackPath =
  | { readonly kind: "pack" }
  | { readonly kind: "steps" }
  | { readonly kind: "overlays" }
  | { readonly kind: "overlay"; readonly name: string }
  | { readonly kind: "manifest"; readonly revisionId: string }
  | { readonly kind: "sources"; readonly revisionId: string }
  | { readonly kind: "frame"; readonly productId: ProductId; readonly frameId: string };

export function toPath(place: PackPath): string {
  switch (place.kind) {
    case "pack":
      return packFile;
    case "steps":
      return stepsFile;
    case "overlays":
      return overlaysFile;
    case "overlay":
      return `${overlaysFolder}/${place.name}`;
    case "manifest":
      return `revisions/${place.revisionId}/${manifestFile}`;
    case "sources":
      return `sources/${place.revisionId}.json`;
    case "frame":
      return `frames/${place.productId}/${place.frameId}.png`;
  }
}

/** Returns undefined for a path that is not part of a pack. */
export function parsePath(path: string): PackPath | undefined {
  const [first, second, third, ...rest] = path.split("/");
  if (rest.length > 0) return undefined;
  if (path === packFile) return { kind: "pack" };
  if (path === stepsFile) return { kind: "steps" };
  if (path === overlaysFile) return { kind: "overlays" };
  if (first === overlaysFolder && third === undefined) {
    return KeptOverlayName.safeParse(second).success ? { kind: "overlay", name: second! } : undefined;
  }
  if (first === "revisions" && third === manifestFile && revisionIdPattern.test(second!)) {
    return { kind: "manifest", revisionId: second! };
  }
  if (first === "sources" && third === undefined) {
    const revisionId = stem(second, ".json");
    return revisionIdPattern.test(revisionId) ? { kind: "sources", revisionId } : undefined;
  }
  const productId = productIds.find((id) => id === second);
  const frameId = stem(third, ".png");
  if (first !== "frames" || !productId || !frameIdPattern.test(frameId)) return undefined;
  return { kind: "frame", productId, frameId };
}

/** Returns true if a pack may contain this folder. */
export function isPackFolder(path: string): boolean {
  const [first, second, ...rest] = path.split("/");
  if (rest.length > 0) return false;
  if (second === undefined) return packFolders.some((name) => name === first);
  if (first === "frames") return productIds.some((id) => id === second);
  return first === "revisions" && revisionIdPattern.test(second);
}

/** Returns the name without its ending, or "", which is not an id, if it has another ending. */
function stem(name: string | undefined, ending: string): string {
  return name?.endsWith(ending) === true ? name.slice(0, -ending.length) : "";
}

/** Returns the bare repository of an event's pack in a data directory. */
export function packDirectoryOf(dataDirectory: string, eventId: string): string {
  return join(dataDirectory, "packs", `${eventId}.git`);
}
