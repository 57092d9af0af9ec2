// The events that are here, each as a pack: one line each, and below the open one what can be done with it.
import { useState, type ReactNode } from "react";
import type { Pack, PackList } from "../../../shared/contract/packs.ts";
import { packFacts, packSentence, sharingObstacleWords } from "../../text/pack-text.ts";
import { findSharingObstacle, inPanelOrder, type SharingObstacle } from "../../state/slices/packs-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ActionButton } from "../controls/action-button.tsx";
import { ChevronIcon } from "../controls/icons.tsx";
import { TaskRow } from "../controls/task-row.tsx";
import { PackKeeping } from "./pack-keeping.tsx";
import { PackSharing } from "./pack-sharing.tsx";
import { usePackTask } from "./pack-task.ts";

export function MyPacks({ list }: { readonly list: PackList }): ReactNode {
  const selectedId = useViewerState((state) => state.selectedEventId);
  const [openId, setOpenId] = useState(selectedId);
  const obstacle = findSharingObstacle(list.hosting);
  return (
    <>
      {list.packs.every(({ shared, gotFrom }) => shared === null && gotFrom === null) && (
        <p>{packSentence}</p>
      )}
      {obstacle && <Obstacle obstacle={obstacle} list={list} />}
      {list.packs.length === 0 && <p>There is no event yet that could be handed on.</p>}
      <ul className="pack-list" aria-label="My packs">
        {inPanelOrder(list.packs, selectedId).map((pack) => (
          <PackRow
            key={pack.eventId}
            pack={pack}
            obstacle={obstacle}
            open={pack.eventId === openId}
            onToggle={() => {
              setOpenId(pack.eventId === openId ? undefined : pack.eventId);
            }}
          />
        ))}
      </ul>
    </>
  );
}

/** Why nothing can be shared, with the way out of it. */
function Obstacle({
  obstacle,
  list,
}: {
  readonly obstacle: SharingObstacle;
  readonly list: PackList;
}): ReactNode {
  const { actions } = useViewer();
  const { listener, git } = list.hosting;
  return (
    <div className="pack-obstacle" role="note">
      <p>
        {sharingObstacleWords[obstacle]}
        {git.status === "missing" && ` ${git.problem}`}
        {listener.status === "failed" && ` ${listener.problem}`}
      </p>
      {obstacle !== "git-missing" && (
        <ActionButton onPress={() => void actions.act("hosting.switch", { on: true })}>
          {obstacle === "hosting-off" ? "Switch hosting on" : "Try again"}
        </ActionButton>
      )}
    </div>
  );
}

interface PackRowProps {
  readonly pack: Pack;
  readonly obstacle: SharingObstacle | undefined;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function PackRow({ pack, obstacle, open, onToggle }: PackRowProps): ReactNode {
  const task = usePackTask(pack);
  return (
    <li className="pack">
      <button type="button" className="pack-head" aria-expanded={open} title={pack.label} onClick={onToggle}>
        <ChevronIcon />
        <span className="pack-label">{pack.label}</span>
        <PackMark pack={pack} />
        <span className="pack-facts caption">{packFacts(pack)}</span>
      </button>
      {open && (
        <div className="pack-body" role="group" aria-label={`Pack of ${pack.label}`}>
          {task && <TaskRow task={task} />}
          <PackSharing key={pack.eventId} pack={pack} obstacle={obstacle} />
          <PackKeeping key={`${pack.eventId} kept`} pack={pack} />
        </div>
      )}
    </li>
  );
}

function PackMark({ pack: { shared, origin } }: { readonly pack: Pack }): ReactNode {
  if (shared === null) return <span className="pack-mark">{origin === "got" ? "got" : ""}</span>;
  return shared.problem === null ? (
    <span className="pack-mark">shared</span>
  ) : (
    <span className="pack-mark late">shared, behind</span>
  );
}
