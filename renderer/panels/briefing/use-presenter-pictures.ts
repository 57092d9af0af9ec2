// Sends the presenter's window a small picture of the maps on the projector whenever they change.
import { useEffect } from "react";
import { toFile } from "../../export/markup-image.ts";
import { openPageChannel } from "../../platform/page-channel.ts";
import { selectVisiblePanes } from "../../state/panes/pane-store.ts";
import { sendPictures } from "../../state/briefing/presenter-pictures.ts";
import type { ViewerState } from "../../state/store.ts";
import { toPaneViewer, useViewer, type Viewer } from "../../viewer-context.ts";

/** Enough for a laptop beside the projector. */
const pictureWidthPx = 1280;

export function usePresenterPictures(): void {
  const viewer = useViewer();
  useEffect(() => {
    const { showId } = viewer.briefing;
    const sender = sendPictures({
      ...{ showId, openChannel: openPageChannel, now: Date.now },
      take: () => takePicture(findMaps(viewer)),
    });
    let stops: readonly (() => void)[] = [];
    const followPanes = (): void => {
      for (const stop of stops) stop();
      const visible = selectVisiblePanes(viewer.panes.store.getState());
      stops = visible.map(({ store }) =>
        store.subscribe((state, previous) => {
          if (looksOther(state, previous)) changed();
        }),
      );
      changed();
    };
    const changed = (): void => {
      sender.changed();
      // Ground and labels may come after the storm.
      void Promise.all(findMaps(viewer).map((map) => map.whenSettled())).then(sender.changed);
    };
    followPanes();
    const stopFollowing = viewer.panes.store.subscribe(followPanes);
    return () => {
      stopFollowing();
      for (const stop of stops) stop();
      sender.close();
    };
  }, [viewer]);
}

type ShownMap = NonNullable<ReturnType<Viewer["map"]["find"]>>;

function findMaps(viewer: Viewer): ShownMap[] {
  const visible = selectVisiblePanes(viewer.panes.store.getState());
  return visible.flatMap((pane) => toPaneViewer(viewer, pane).map.find() ?? []);
}

const looks = ["view", "layerPreferences", "palette", "theme", "ground", "pins", "userMap"] as const;

function looksOther(state: ViewerState, previous: ViewerState): boolean {
  return (
    state.picture.drawn !== previous.picture.drawn || looks.some((part) => state[part] !== previous[part])
  );
}

/** Returns the maps as they lie beside one another on the screen; undefined if none can be read. */
async function takePicture(maps: readonly ShownMap[]): Promise<Blob | undefined> {
  const shots = maps.flatMap(
    (map) =>
      map.readPixels((canvas) => ({ copy: copyOf(canvas), place: canvas.getBoundingClientRect() })) ?? [],
  );
  if (shots.length === 0) return undefined;
  const [left, top] = [
    Math.min(...shots.map(({ place }) => place.left)),
    Math.min(...shots.map(({ place }) => place.top)),
  ];
  const widthPx = Math.max(...shots.map(({ place }) => place.right)) - left;
  const heightPx = Math.max(...shots.map(({ place }) => place.bottom)) - top;
  const scale = Math.min(1, pictureWidthPx / widthPx);
  const sheet = document.createElement("canvas");
  sheet.width = Math.round(widthPx * scale);
  sheet.height = Math.round(heightPx * scale);
  const context = sheet.getContext("2d")!;
  for (const { copy, place } of shots) {
    const [x, y] = [(place.left - left) * scale, (place.top - top) * scale];
    context.drawImage(copy, x, y, place.width * scale, place.height * scale);
  }
  return toFile(sheet, "image/webp");
}

/** Returns a copy of no more pixels than the picture needs: those of a map can be read only at once. */
function copyOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const scale = Math.min(1, pictureWidthPx / canvas.width);
  const copy = document.createElement("canvas");
  copy.width = Math.round(canvas.width * scale);
  copy.height = Math.round(canvas.height * scale);
  copy.getContext("2d")!.drawImage(canvas, 0, 0, copy.width, copy.height);
  return copy;
}
