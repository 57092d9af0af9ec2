// Buttons: a plain one, one that acts, and one that asks before it acts.
import { useState, type ReactNode } from "react";
import { mayAct } from "../../state/slices/tasks-slice.ts";
import { readOnlyWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";

export interface ButtonProps {
  readonly children: ReactNode;
  /** Accessible name and tooltip, where the visible words are not enough. */
  readonly name?: string | undefined;
  readonly className?: string | undefined;
  /** Reason why the button cannot be pressed now; it stays reachable by keyboard and shows the reason. */
  readonly unavailable?: string | undefined;
  /** Set on a button that opens and closes something. */
  readonly isOpen?: boolean;
  readonly onPress: () => void;
}

export function Button({ children, name, className, unavailable, isOpen, onPress }: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={className ?? "button small"}
      aria-disabled={unavailable !== undefined}
      aria-expanded={isOpen}
      aria-label={name}
      title={unavailable ?? name}
      onClick={unavailable === undefined ? onPress : undefined}
    >
      {children}
    </button>
  );
}

/** A button that is unavailable without the right to act; its tooltip gives the reason. */
export function ActionButton(props: ButtonProps): ReactNode {
  const access = useViewerState((state) => state.access);
  return <Button {...props} unavailable={mayAct(access) ? props.unavailable : readOnlyWords[access]} />;
}

export interface ConfirmButtonProps {
  readonly action: string;
  /** Label of the second press, which acts. */
  readonly confirm: string;
  /** Label of the link that takes the first press back. */
  readonly cancel: string;
  /** Object of the action, for a screen reader. */
  readonly about?: string;
  /** Consequence of the action, shown between the two presses. */
  readonly warning?: string;
  readonly className?: string | undefined;
  readonly unavailable?: string | undefined;
  readonly onConfirm: () => void;
}

/** Asks for a second press, for actions that cannot be undone. */
export function ConfirmButton(props: ConfirmButtonProps): ReactNode {
  const { about, warning, onConfirm } = props;
  const [isAsking, setAsking] = useState(false);
  const words = isAsking ? props.confirm : props.action;
  return (
    <>
      <ActionButton
        className={props.className}
        name={about && `${words}: ${about}`}
        unavailable={props.unavailable}
        onPress={() => {
          if (isAsking) onConfirm();
          setAsking(!isAsking);
        }}
      >
        {words}
      </ActionButton>
      {isAsking && (
        <>
          <Button
            className="link"
            onPress={() => {
              setAsking(false);
            }}
          >
            {props.cancel}
          </Button>
          {warning && <span className="caption row-words">{warning}</span>}
        </>
      )}
    </>
  );
}

export interface ShowOnMapButtonProps {
  readonly eventId: string | null;
  readonly words?: string;
}

/** Selects an event; absent if the event is not listed, or is selected already. */
export function ShowOnMapButton({ eventId, words = "Show on map" }: ShowOnMapButtonProps): ReactNode {
  const { store } = useViewer();
  const event = useViewerState(({ events }) => events.list.find(({ id }) => id === eventId));
  const isSelected = useViewerState((state) => state.selectedEventId === eventId);
  if (!event || isSelected) return null;
  return (
    <Button
      name={`${words}: ${event.label}`}
      onPress={() => {
        store.getState().chooseEvent(event.id);
      }}
    >
      {words}
    </Button>
  );
}
