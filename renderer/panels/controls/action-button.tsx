// A button that does something beyond looking: it cannot be pressed where that is not allowed, stays reachable by keyboard
// all the same, and says why.
import type { ReactNode } from "react";
import { mayAct } from "../../state/slices/tasks-slice.ts";
import { readOnlyWords } from "../../text/state-text.ts";
import { useViewerState } from "../../viewer-context.ts";

export interface ActionButtonProps {
  readonly children: ReactNode;
  /** The whole words where the button's own are cut short. */
  readonly name?: string | undefined;
  /** Why it cannot be pressed now, beside the lack of a token; undefined when it can. */
  readonly unavailable?: string | undefined;
  readonly className?: string;
  readonly onPress: () => void;
}

export function ActionButton(props: ActionButtonProps): ReactNode {
  const access = useViewerState((state) => state.access);
  const reason = mayAct(access) ? props.unavailable : readOnlyWords[access];
  return (
    <button
      type="button"
      className={props.className ?? "button small"}
      aria-disabled={reason !== undefined}
      aria-label={props.name}
      title={reason ?? props.name}
      onClick={() => {
        if (reason === undefined) props.onPress();
      }}
    >
      {props.children}
    </button>
  );
}
