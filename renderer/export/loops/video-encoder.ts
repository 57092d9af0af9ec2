// Encodes a loop as MP4 or WebM with the browser's encoder. Loaded when the person opens the dialog.
import {
  CanvasSource,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  Quality,
  StreamTarget,
  WebMOutputFormat,
  type StreamTargetChunk,
  type VideoCodec,
  type VideoEncodingConfig,
} from "mediabunny";
import { AppError } from "../../../shared/app-error.ts";
import type { SheetSize } from "../sheet-drawer.ts";
import type { EncoderOptions, FrameTime, LoopEncoder } from "./loop-encoder.ts";
import { formatFacts, toBitRate, type VideoFormat } from "./loop-formats.ts";
import { loopFormatNames } from "../../text/loop-text.ts";
import { toComment, toTitle } from "./loop-tags.ts";

/** Key frames, from which players seek, every so many frames. */
const keyFrameEvery = 16;

/** Returns the first codec of the format that the browser encodes at this size; undefined if there is none. */
export async function findCodec(
  format: VideoFormat,
  size: SheetSize,
  framesPerSecond: number,
): Promise<VideoCodec | undefined> {
  if (typeof VideoEncoder === "undefined") return undefined;
  const found = await getFirstEncodableVideoCodec([...formatFacts[format].codecs], {
    width: size.widthPx,
    height: size.heightPx,
    quality: new Quality({ bitrate: toBitRate(format, size, framesPerSecond) }),
  });
  return found ?? undefined;
}

/** @throws AppError if the browser cannot encode the format */
export async function openVideoEncoder(format: VideoFormat, options: EncoderOptions): Promise<LoopEncoder> {
  const { plan, size, file } = options;
  const codec = await findCodec(format, size, plan.speed);
  if (codec === undefined)
    throw new AppError("conflict", `This browser cannot encode ${loopFormatNames[format]} of this size.`);
  const output = new Output({
    format: format === "mp4" ? new Mp4OutputFormat({ fastStart: "reserve" }) : new WebMOutputFormat(),
    target: new StreamTarget(new WritableStream<StreamTargetChunk>({ write: (chunk) => file.write(chunk) }), {
      chunked: true,
      chunkSize: 1 << 20,
    }),
  });
  output.setMetadataTags({
    title: toTitle(plan),
    comment: toComment(plan),
    date: new Date(plan.madeMs),
    raw: { [format === "mp4" ? "cprt" : "COPYRIGHT"]: plan.attribution },
  });
  const config: VideoEncodingConfig = {
    codec,
    quality: new Quality({ bitrate: toBitRate(format, size, plan.speed), bitrateMode: "variable" }),
    keyFrameInterval: keyFrameEvery / plan.speed,
    latencyMode: "quality",
  };
  let source: CanvasSource | undefined;
  return {
    add: async (canvas: HTMLCanvasElement, { startMs, durationMs }: FrameTime) => {
      if (!source) {
        source = new CanvasSource(canvas, config);
        output.addVideoTrack(source, { frameRate: plan.speed, maximumPacketCount: plan.frames.length });
        await output.start();
      }
      await source.add(startMs / 1000, durationMs / 1000);
    },
    finish: () => output.finalize(),
    close: async () => {
      if (output.state === "started" || output.state === "pending") await output.cancel();
    },
  };
}
