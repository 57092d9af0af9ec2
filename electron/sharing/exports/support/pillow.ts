// Pillow, another reader of pictures: sizes, frames, times, pixels and texts as it sees them.
import { spawnSync } from "node:child_process";

const script = `
import json, sys
from PIL import Image
path, probes = sys.argv[1], json.loads(sys.argv[2])
image = Image.open(path)
frames = []
for index in range(getattr(image, "n_frames", 1)):
    image.seek(index)
    image.load()
    colors = [list(image.convert("RGB").getpixel((x, y))) for x, y in probes]
    frames.append({"durationMs": image.info.get("duration"), "colors": colors})
image.seek(0)
texts = {key: value.decode() if isinstance(value, bytes) else value for key, value in {**image.info, **getattr(image, "text", {})}.items() if isinstance(value, (str, bytes))}
print(json.dumps({"format": image.format, "size": image.size, "loop": image.info.get("loop"), "frames": frames, "texts": texts}))
`;

export interface PillowReading {
  readonly format: string;
  readonly size: readonly [widthPx: number, heightPx: number];
  readonly loop: number | null;
  readonly frames: readonly {
    readonly durationMs: number | null;
    /** Red, green and blue of each probed pixel. */
    readonly colors: readonly (readonly number[])[];
  }[];
  readonly texts: Readonly<Record<string, string>>;
}

/** Python with Pillow; undefined if there is none. */
export const pillowPython = ["python3", "/usr/bin/python3"].find(
  (python) => spawnSync(python, ["-c", "import PIL"], { stdio: "ignore" }).status === 0,
);

export function readWithPillow(
  path: string,
  probes: readonly (readonly [x: number, y: number])[] = [],
): PillowReading {
  const args = ["-c", script, path, JSON.stringify(probes)];
  const { status, stdout, stderr } = spawnSync(pillowPython!, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`Pillow cannot read ${path}: ${stderr}`);
  return JSON.parse(stdout) as PillowReading;
}
