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

/** Returns the maps where they are on the screen; undefined if none can be read. */
async function takePicture(maps: readonly ShownMap[]): Promise<Blob | undefined> {
  const scale = Math.min(1, pictureWidthPx / window.innerWidth);
  const sheet = document.createElement("canvas");
  sheet.width = Math.round(window.innerWidth * scale);
  sheet.height = Math.round(window.innerHeight * scale);
  const context = sheet.getContext("2d")!;
  const read = maps.map((map) =>
    map.readPixels((canvas) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      context.drawImage(canvas, left * scale, top * scale, width * scale, height * scale);
      return true;
    }),
  );
  return read.includes(true) ? toFile(sheet, "image/webp") : undefined;
}
