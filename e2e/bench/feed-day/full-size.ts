// Messages on the whole CONUS grid for a day of both products: the real files if they are next to the project, else
// synthetic ones. Each observation has a different picture, so that no frame is deduplicated.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeGrib2 } from "../../../electron/pipeline/demo/grib2-writer.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import { mesh } from "../../../shared/products/mesh.ts";
import type { MakeMessage } from "../../feed/day-script.ts";
import { projectRoot } from "../../../electron/support/host-process.ts";
import { restamp } from "../../support/restamp.ts";
import { conus, loadConusMessage } from "../conus-files.ts";

const realMesh = join(projectRoot, "../shared/mrms/conus/MRMS_MESH_00.50_20240228-025239.grib2");

/**
 * Offsets in a message without section 2: longitudes of the first and the last point in microdegrees, octets 51 to 54
 * and 60 to 63 of section 3 (grid template 3.0).
 */
const section3 = 16 + 21;
const longitudesAt = [section3 + 50, section3 + 59] as const;
const cellUdeg = 10_000;
/** Number of distinct pictures: one per window of the day. */
const shifts = 720;

function loadMesh(): Buffer {
  if (existsSync(realMesh)) return readFileSync(realMesh);
  const tenths = new Int16Array(conus.columns * conus.rows).fill(-10);
  for (let cell = 1000; cell < tenths.length; cell += 12_345) tenths[cell] = 100 + (cell % 400);
  const observedAt = "2024-02-28T02:52:39Z";
  return Buffer.from(encodeGrib2({ identity: mesh.grib, observedAt, grid: conus, tenths }));
}

/** Returns a copy moved east by whole cells, which changes its bounds and so its frame. */
function moveEast(message: Buffer, cells: number): Buffer {
  for (const at of longitudesAt) message.writeUInt32BE(message.readUInt32BE(at) + cells * cellUdeg, at);
  return message;
}

export function createFullSizeMessages(): { makeMessage: MakeMessage; source: string } {
  const { message, source } = loadConusMessage();
  const messages = { "mrms-reflectivity": message, "mrms-mesh": loadMesh() };
  return {
    source: `${source}, ${existsSync(realMesh) ? "real MESH file" : "synthetic MESH file"}`,
    makeMessage: (product, observedAt, version) => {
      const stamped = Buffer.from(restamp(messages[product], observedAt));
      return moveEast(stamped, (observationWindow(observedAt) % shifts) + version * shifts);
    },
  };
}
