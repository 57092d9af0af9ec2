import { expect, test } from "vitest";
import { NotAMapError } from "./map-archive.ts";
import { UserMap } from "./user-map.ts";

/** Returns a file that is not a map, and the function that lets it be read. */
function createSlowFile(): { readonly file: File; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<ArrayBuffer>();
  const file = new File([], "slow.pmtiles");
  const blob = new Blob();
  blob.arrayBuffer = () => promise;
  file.slice = () => blob;
  return {
    file,
    release: () => {
      resolve(new ArrayBuffer(200));
    },
  };
}

test("a file that cannot be used is reported only while it is wanted", async () => {
  const userMap = new UserMap();
  const { file, release } = createSlowFile();
  const slow = userMap.show(file);
  await expect(userMap.show(new File(["Not a map."], "notes.pmtiles"))).rejects.toThrow(
    new NotAMapError("notes.pmtiles is not a PMTiles file."),
  );
  release();
  await expect(slow).resolves.toBeUndefined();
  const again = createSlowFile();
  const wanted = userMap.show(again.file);
  again.release();
  await expect(wanted).rejects.toThrow(new NotAMapError("slow.pmtiles is not a PMTiles file."));
});
