// The commands of the presenter's window, each with its key; and the question before what cannot be taken back.
import { useEffect, useRef, type ReactNode } from "react";
import type { PresenterState } from "../../state/briefing/presenter-messages.ts";
import { questions } from "../../text/presenter-text.ts";
import { NextIcon, PreviousIcon } from "../controls/icons.tsx";
import { PresenterButton } from "./presenter-button.tsx";
import { usePresenter, usePresenterView } from "./presenter-context.ts";

export function PresenterCommands({ projector }: { readonly projector: PresenterState }): ReactNode {
  const { press } = usePresenter().session;
  const isOff = usePresenterView(({ link }) => link !== "here");
  const { frozen, black, steps, current } = projector;
  return (
    <footer className="presenter-commands" aria-label="Commands">
      <PresenterButton
        shortcut="←"
        isOff={isOff || (current === 0 && !black)}
        onPress={() => {
          press("back");
        }}
      >
        <PreviousIcon />
        Back
      </PresenterButton>
      <PresenterButton
        isMain
        isOff={isOff || (current === steps.length - 1 && !black)}
        onPress={() => {
          press("next");
        }}
      >
        Next
        <NextIcon />
      </PresenterButton>
      <PresenterButton
        shortcut="B"
        isPressed={black}
        isOff={isOff}
        onPress={() => {
          press("black");
        }}
      >
        Black screen
      </PresenterButton>
      <PresenterButton
        shortcut="F"
        isOff={isOff}
        onPress={() => {
          press("freeze");
        }}
      >
        {frozen ? "Unfreeze" : "Freeze"}
      </PresenterButton>
      <Question isFrozen={frozen !== null} />
      <PresenterButton
        shortcut="Esc"
        isOff={isOff}
        onPress={() => {
          press("leave");
        }}
      >
        Leave
      </PresenterButton>
    </footer>
  );
}

function Question({ isFrozen }: { readonly isFrozen: boolean }): ReactNode {
  const { session } = usePresenter();
  const asking = usePresenterView((view) => view.asking);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector("button")?.focus();
  }, [asking]);
  if (asking === undefined) {
    return (
      <p className="caption presenter-hint">{isFrozen && "Unfreeze jumps to the newest, and asks first"}</p>
    );
  }
  const { words, verb, key } = questions[asking];
  return (
    <div className="presenter-question" role="alertdialog" aria-label={words} ref={box}>
      <strong>{words}</strong>
      <PresenterButton onPress={session.stay}>Stay</PresenterButton>
      <PresenterButton
        shortcut={key}
        onPress={() => {
          session.press(asking === "unfreeze" ? "freeze" : "leave");
        }}
      >
        {verb}
      </PresenterButton>
    </div>
  );
}
