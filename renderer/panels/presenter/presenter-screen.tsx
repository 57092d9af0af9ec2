// The presenter's window: what is on the projector, the next step, the notes, the time, and what waits. It draws
// nothing on the projector, and changes it only by a command.
import { useEffect, useLayoutEffect, type ReactNode } from "react";
import type { PresenterState } from "../../state/briefing/presenter-messages.ts";
import { findShowCommand } from "../../state/briefing/show.ts";
import { linkNotes } from "../../text/presenter-text.ts";
import { PresenterButton as Button } from "./presenter-button.tsx";
import { NextStep, Notes, WaitingList } from "./beside-projector.tsx";
import { OnProjector } from "./on-projector.tsx";
import { PresenterCommands } from "./presenter-commands.tsx";
import { usePresenter, usePresenterView } from "./presenter-context.ts";
import { PresenterHead } from "./presenter-head.tsx";

export function PresenterScreen(): ReactNode {
  const projector = usePresenterView((view) => view.projector);
  const theme = projector?.steps[projector.current]?.view.theme ?? "dark";
  usePresenterKeys();
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return (
    <div className="presenter">
      <PresenterHead projector={projector} />
      <LinkNote />
      {projector && <Window projector={projector} />}
    </div>
  );
}

function Window({ projector }: { readonly projector: PresenterState }): ReactNode {
  return (
    <>
      <main className="presenter-main">
        <OnProjector projector={projector} />
        <aside className="presenter-side" aria-label="For the presenter">
          <NextStep projector={projector} />
          <Notes projector={projector} />
          <WaitingList waiting={projector.waiting} />
        </aside>
      </main>
      <PresenterCommands projector={projector} />
    </>
  );
}

/** Says that there is no projector, and why. */
function LinkNote(): ReactNode {
  const link = usePresenterView((view) => view.link);
  const note = linkNotes[link];
  if (!note) return null;
  return (
    <section className="presenter-note" role="alert" data-link={link}>
      <h2>{note.title}</h2>
      <p>{note.words}</p>
      {link !== "asking" && (
        <Button
          onPress={() => {
            window.close();
          }}
        >
          Close this window
        </Button>
      )}
    </section>
  );
}

/** Takes the keys of keyboard and clicker. A focused button keeps its own. */
function usePresenterKeys(): void {
  const { session } = usePresenter();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const isOnButton = event.target instanceof HTMLButtonElement;
      if (isOnButton && (event.key === " " || event.key === "Enter")) return;
      const found = findShowCommand(event.key);
      if (found === undefined || found === "presenter") {
        if (event.key.length === 1) session.stay();
        return;
      }
      event.preventDefault();
      session.press(found);
    };
    window.addEventListener("keydown", press);
    return () => {
      window.removeEventListener("keydown", press);
    };
  }, [session]);
}
