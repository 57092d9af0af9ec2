// The head of the presenter's window: how the picture stands, how long the talk has lasted, and the time.
import { useEffect, useState, type ReactNode } from "react";
import type { PresenterState } from "../../state/briefing/presenter-messages.ts";
import { otherTime, timeWithZone } from "../../text/format.ts";
import { standingOf, talkTime } from "../../text/presenter-text.ts";
import { BrandIcon } from "../controls/icons.tsx";

export function PresenterHead({ projector }: { readonly projector: PresenterState | undefined }): ReactNode {
  const nowMs = useNow();
  const other = otherTime(nowMs);
  const standing = projector ? standingOf(projector) : [];
  return (
    <header className="presenter-head">
      <span className="brand" aria-hidden="true">
        <BrandIcon />
      </span>
      <h1>Presenter window</h1>
      <span className="quiet presenter-only">only on this screen</span>
      {projector && (
        <p className="presenter-standing" role="status" data-frozen={projector.frozen !== null}>
          {standing.map((words) => (
            <span key={words}>{words}</span>
          ))}
        </p>
      )}
      {projector && (
        <p className="box" aria-label="Duration of the talk">
          <span className="quiet">Talk</span>
          <strong>{talkTime(nowMs - projector.startedAtMs)}</strong>
        </p>
      )}
      <p className="box" aria-label="Time">
        <strong>{timeWithZone(nowMs)}</strong>
        {other !== undefined && <span className="quiet">{other}</span>}
      </p>
    </header>
  );
}

/** Returns the time, anew with each second. */
function useNow(): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = (): void => {
      const now = Date.now();
      setNow(now);
      timer = setTimeout(tick, 1_000 - (now % 1_000));
    };
    tick();
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return nowMs;
}
