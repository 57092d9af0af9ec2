// Reads saved loops with programs of others: ffprobe and ffmpeg for videos, Pillow for GIF and animated WebP.
import { spawnSync } from "node:child_process";
import * as z from "zod";
import { runProgram } from "./run-program.ts";

const hasFfmpeg = ["ffprobe", "ffmpeg"].every((name) => spawnSync(name, ["-version"]).status === 0);
const python = ["python3", "/usr/bin/python3"].find(
  (name) => spawnSync(name, ["-c", "import PIL.Image"]).status === 0,
);

/** Reason why videos, or animated pictures, cannot be read here; undefined if they can. */
export const noVideoReader = hasFfmpeg ? undefined : "ffmpeg is not installed";
export const noAnimationReader = python === undefined ? "python3-pil is not installed" : undefined;

export interface ReadLoop {
  /** Name of the codec, or of the picture's format. */
  readonly format: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly durationMs: number;
  /** RGB of each frame, row-major. */
  readonly frames: readonly Buffer[];
  /** Everything that the file says of itself in words. */
  readonly words: string;
}

const Probe = z.object({
  streams: z.tuple([
    z.object({ codec_name: z.string(), width: z.number(), height: z.number(), nb_read_frames: z.string() }),
  ]),
  format: z.object({ duration: z.string(), tags: z.record(z.string(), z.string()) }),
});

export async function readVideo(path: string): Promise<ReadLoop> {
  const ask = ["-v", "error", "-count_frames", "-show_format", "-show_streams", "-of", "json", path];
  const { streams, format } = Probe.parse(JSON.parse((await run("ffprobe", ask)).toString("utf8")));
  const [{ codec_name, width, height, nb_read_frames }] = streams;
  const decode = [
    "-v",
    "error",
    "-i",
    path,
    "-fps_mode",
    "passthrough",
    "-f",
    "rawvideo",
    "-pix_fmt",
    "rgb24",
    "-",
  ];
  const frames = split(await run("ffmpeg", decode), 3 * width * height);
  if (frames.length !== Number(nb_read_frames)) throw new Error("ffmpeg and ffprobe count other frames.");
  return {
    format: codec_name,
    widthPx: width,
    heightPx: height,
    durationMs: Number(format.duration) * 1000,
    frames,
    words: Object.values(format.tags).join("\n"),
  };
}

const Animation = z.object({
  format: z.string(),
  size: z.tuple([z.number(), z.number()]),
  durations: z.array(z.number()),
  words: z.string(),
});

/** One line of JSON, then the pixels of all frames. */
const readWithPillow = `
import json, sys
from PIL import Image
image = Image.open(sys.argv[1])
words = image.info.get("comment") or image.info.get("xmp") or b""
frames, durations = [], []
for index in range(image.n_frames):
    image.seek(index)
    frames.append(image.convert("RGB").tobytes())
    durations.append(image.info["duration"])
head = {"format": image.format, "size": image.size, "durations": durations, "words": words.decode("utf-8")}
sys.stdout.buffer.write(json.dumps(head).encode() + b"\\n" + b"".join(frames))
`;

export async function readAnimation(path: string): Promise<ReadLoop> {
  const output = await run(python!, ["-c", readWithPillow, path]);
  const end = output.indexOf("\n");
  const { format, size, durations, words } = Animation.parse(JSON.parse(output.toString("utf8", 0, end)));
  const [widthPx, heightPx] = size;
  return {
    format,
    widthPx,
    heightPx,
    durationMs: durations.reduce((sum, durationMs) => sum + durationMs),
    frames: split(output.subarray(end + 1), 3 * widthPx * heightPx),
    words,
  };
}

async function run(program: string, args: readonly string[]): Promise<Buffer> {
  const { status, stdout, stderr } = await runProgram(program, args);
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return stdout;
}

function split(bytes: Buffer, length: number): Buffer[] {
  return Array.from({ length: bytes.length / length }, (_, index) =>
    bytes.subarray(index * length, (index + 1) * length),
  );
}
