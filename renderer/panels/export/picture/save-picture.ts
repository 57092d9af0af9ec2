// Saves or copies the picture on screen with the last choice of size and parts, and reports the result.
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import { insertTexts } from "../../../../shared/png/text-chunks.ts";
import { toLink } from "../../../../shared/views/view-link.ts";
import { toFile } from "../../../export/markup-image.ts";
import { toPictureName, toPictureTexts } from "../../../export/picture-texts.ts";
import { saveFile } from "../../../platform/save-file.ts";
import type { ExportReport } from "../../../state/slices/export-slice.ts";
import { captureView } from "../../../state/views/capture-view.ts";
import type { Viewer } from "../../../viewer-context.ts";
import { PictureStudio, type TakenPicture } from "./picture-studio.ts";

const studios = new WeakMap<Viewer, PictureStudio>();

/** Returns the studio of the viewer: the same one each time. */
export function findStudio(main: Viewer): PictureStudio {
  let studio = studios.get(main);
  if (!studio) {
    studio = new PictureStudio(main);
    studios.set(main, studio);
  }
  return studio;
}

/** Saves the picture as a PNG. */
export function savePicture(main: Viewer): Promise<void> {
  return report(main, async () => {
    const name = await takePng(main, ({ file, name }) => {
      saveFile(name, file);
      return name;
    });
    return `Saved ${name}`;
  });
}

/** Copies the picture as a PNG. Call it during a press, which gives the right to the clipboard. */
export function copyPicture(main: Viewer): Promise<void> {
  return report(main, async () => {
    // Pages of plain HTTP from another machine have no clipboard.
    const { clipboard } = navigator as { readonly clipboard?: Clipboard };
    if (!clipboard)
      throw new AppError("conflict", "This page may not use the clipboard. Save the picture instead.");
    let name = "";
    const png = takePng(main, (picture) => {
      name = picture.name;
      return picture.file;
    });
    try {
      await clipboard.write([new ClipboardItem({ "image/png": png })]);
    } catch (error) {
      // Its own failure has its own words.
      await png;
      throw new AppError("conflict", "The browser refused the clipboard. Save the picture instead.", {
        cause: error,
      });
    }
    return `Copied ${name.replace(".png", "")}`;
  });
}

interface PngPicture {
  readonly file: Blob;
  readonly name: string;
}

function takePng<T>(main: Viewer, use: (picture: PngPicture) => T): Promise<T> {
  const { sheetSize: size, sheetIncludes: includes } = main.store.getState();
  return findStudio(main).take({ size, includes }, async (picture) => use(await toPng(main, picture)));
}

async function toPng(main: Viewer, { canvas, states }: TakenPicture): Promise<PngPicture> {
  const view = captureView(main);
  const texts = toPictureTexts({ states, link: view && toLink(view) });
  const png = await toFile(canvas, "image/png");
  const pieces = insertTexts(new Uint8Array(await png.arrayBuffer()), texts);
  return { file: new Blob(pieces as BlobPart[], { type: "image/png" }), name: toPictureName(states) };
}

async function report({ store }: Viewer, work: () => Promise<string>): Promise<void> {
  const tell = (told: ExportReport): void => {
    store.getState().setExportReport(told);
  };
  tell({ kind: "working", words: "Drawing the picture…" });
  try {
    tell({ kind: "done", words: await work() });
  } catch (error) {
    if (!isAppError(error)) {
      tell({ kind: "failed", words: "The picture could not be drawn." });
      throw error;
    }
    tell({ kind: "failed", words: error.detail });
  }
}
