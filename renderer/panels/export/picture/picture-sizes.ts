// The sizes that a picture can have here, and the reason where one cannot be had.
import type { SheetSize } from "../../../export/sheet-drawer.ts";
import type { SheetSizeName } from "../../../state/slices/export-slice.ts";
import { fixedSizes } from "../sheet/sheet-layout.ts";

export type SizeAnswer = SheetSize | { readonly unavailable: string };

const oneDisplay = "Only one display is connected";
const unknownDisplay = "This browser does not tell the size of the other display";

/** The part of the page's screen that knows about other displays. */
export interface DisplaySource {
  readonly screen: { readonly isExtended?: boolean };
  readonly getScreenDetails?: () => Promise<{
    readonly screens: readonly DisplaySize[];
    readonly currentScreen: DisplaySize;
  }>;
}

interface DisplaySize {
  readonly width: number;
  readonly height: number;
  readonly devicePixelRatio: number;
}

/** Returns the size of the display that the viewer is not on. */
export async function findProjector({ screen, getScreenDetails }: DisplaySource): Promise<SizeAnswer> {
  if (screen.isExtended === false) return { unavailable: oneDisplay };
  if (!getScreenDetails) return { unavailable: unknownDisplay };
  try {
    const { screens, currentScreen } = await getScreenDetails();
    const other = screens.find((candidate) => candidate !== currentScreen);
    if (!other) return { unavailable: oneDisplay };
    const { width, height, devicePixelRatio: ratio } = other;
    return { widthPx: Math.round(width * ratio), heightPx: Math.round(height * ratio) };
  } catch {
    // The person or the desktop has refused it.
    return { unavailable: unknownDisplay };
  }
}

/** Returns the size of the picture; that of the window and of the projector are known by the caller. */
export function toSize(
  name: SheetSizeName,
  windowSize: SheetSize,
  projector: SizeAnswer | undefined,
): SheetSize {
  if (name === "window") return windowSize;
  if (name === "projector") return projector && "widthPx" in projector ? projector : fixedSizes["1080p"];
  return fixedSizes[name];
}
