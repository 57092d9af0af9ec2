// The packs here: one line each, and the actions of the open one below it.
import { useState, type ReactNode } from "react";
import type { HostingState, Pack, PackList } from "../../../../shared/contract/packs.ts";
import {
  findSharingObstacle,
  inPanelOrder,
  type SharingObstacle,
} from "../../../state/slices/packs-slice.ts";
import { findPackTask, isUnderWay } from "../../../state/slices/tasks-slice.ts";
import { packFacts, packIntroduction, sharingObstacleWords } from "../../../text/pack-text.ts";
import { useViewer, useViewerState } from "../../../viewer-context.ts";
import { ActionButton } from "../../controls/button.tsx";
import { ExpandableRow } from "../../controls/expandable.tsx";
import { TaskRow } from "../../controls/task-row.tsx";
import { PackKeeping } from "./pack-keeping.tsx";
import { PackSharing } from "./pack-sharing.tsx";

export function MyPacks({ list: { packs, hosting } }: { readonly list: PackList }): ReactNode {
  const selectedId = useViewerState((state) => state.selectedEventId);
  const [openId, setOpenId] = useState(selectedId);
  const obstacle = findSharingObstacle(hosting);
  return (
    <>
      {packs.every(({ shared, gotFrom }) => shared === null && gotFrom === null) && <p>{packIntroduction}</p>}
      {obstacle && <Obstacle obstacle={obstacle} hosting={hosting} />}
      {packs.length === 0 && <p>No events to share yet</p>}
      <ul aria-label="My packs">
        {inPanelOrder(packs, selectedId).map((pack) => (
          <PackRow
            key={pack.eventId}
            pack={pack}
            obstacle={obstacle}
            isOpen={pack.eventId === openId}
            onToggle={() => {
              setOpenId(pack.eventId === openId ? undefined : pack.eventId);
            }}
          />
        ))}
      </ul>
    </>
  );
}

interface ObstacleProps {
  readonly obstacle: SharingObstacle;
  readonly hosting: HostingState;
}

/** The reason why nothing can be shared, and what to do. */
function Obstacle({ obstacle, hosting: { listener, git } }: ObstacleProps): ReactNode {
  const { actions } = useViewer();
  return (
    <div className="pack-obstacle" role="note">
      <p>
        {sharingObstacleWords[obstacle]}
        {git.status === "missing" && ` ${git.problem}`}
        {listener.status === "failed" && ` ${listener.problem}`}
      </p>
      {obstacle !== "git-missing" && (
        <ActionButton onPress={() => void actions.act("hosting.switch", { on: true })}>
          {obstacle === "hosting-off" ? "Turn on sharing" : "Try again"}
        </ActionButton>
      )}
    </div>
  );
}

interface PackRowProps {
  readonly pack: Pack;
  readonly obstacle: SharingObstacle | undefined;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function PackRow({ pack, obstacle, isOpen, onToggle }: PackRowProps): ReactNode {
  const { eventId, label, shared, origin, latestSequence } = pack;
  const task = useViewerState((state) => findPackTask(state.tasks, eventId));
  const isBehind = shared !== null && shared.problem !== null;
  const sharedMark = isBehind ? "Shared, behind" : "Shared";
  const noData = latestSequence === 0 ? "No frames yet" : undefined;
  const busy = task !== undefined && isUnderWay(task) ? "A task is working on this pack" : noData;
  return (
    <ExpandableRow
      label={label}
      mark={shared ? sharedMark : origin === "got" ? "Downloaded" : ""}
      isMarkWarning={isBehind}
      facts={packFacts(pack)}
      title={`Pack of ${label}`}
      isOpen={isOpen}
      onToggle={onToggle}
    >
      {task && <TaskRow task={task} />}
      <PackSharing
        // An invitation ends with the sharing.
        key={shared === null ? "private" : "shared"}
        pack={pack}
        busy={busy}
        obstacle={obstacle && sharingObstacleWords[obstacle]}
      />
      <PackKeeping pack={pack} busy={busy} />
    </ExpandableRow>
  );
}
