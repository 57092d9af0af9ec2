// The view on screen as a link, a file or a citation, pinned to its revisions or following the newest.
import { useEffect, useRef, useState, type ReactNode } from "react";
import { isLoopbackHost } from "../../../shared/packs/pairing-code.ts";
import { toNewestView, type CitableView, type FollowMode } from "../../../shared/views/citable-view.ts";
import { toCitation } from "../../../shared/views/citation.ts";
import { toViewFile, viewFileExtension } from "../../../shared/views/view-file.ts";
import { parseLink, toLink, toWebLink } from "../../../shared/views/view-link.ts";
import { saveFile } from "../../platform/save-file.ts";
import { captureCredits, captureView } from "../../state/views/capture-view.ts";
import { openViewFile } from "../../state/views/open-view-text.ts";
import { toViewFileName } from "../../text/view-text.ts";
import { useViewer } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { Segmented } from "../controls/segmented.tsx";
import { useFromPanes } from "../panes/use-from-panes.ts";

const followOptions = [
  { value: "pinned", label: "Pinned to revisions" },
  { value: "newest", label: "Follow newest" },
] as const;

const explanations: Readonly<Record<FollowMode, string>> = {
  pinned: "Opens these exact revisions, even next year, or says what differs.",
  newest: "Opens this event and view at whatever is newest then.",
};

const forms = [
  { value: "app", label: "App", hint: "echotop:// opens in Echotop on any machine that has the event" },
  {
    value: "web",
    label: "Web",
    hint: "The address of this page; it works where this service can be reached",
  },
] as const;
type Form = (typeof forms)[number]["value"];

const nothingShown = "Nothing is shown yet";

export function LinkSection(): ReactNode {
  const viewer = useViewer();
  const [follow, setFollow] = useState<FollowMode>("pinned");
  const [form, setForm] = useState<Form>(isLoopbackHost(window.location.hostname) ? "app" : "web");
  const [result, setResult] = useState("");
  /** The text that the browser did not let us copy. */
  const [uncopied, setUncopied] = useState("");
  const pinned = useShownLink();
  const view = pinned === "" ? undefined : toFollowing(parseLink(pinned), follow);
  const unavailable = view ? undefined : nothingShown;
  const link = view ? toForm(view, form) : "";

  async function copy(text: string, said: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setUncopied("");
      setResult(said);
    } catch {
      // Some browsers deny access to the clipboard; the keyboard shortcut always works.
      setUncopied(text);
      setResult("Press Ctrl+C to copy it");
    }
  }

  return (
    <section className="export-section link-section" aria-label="Link">
      <div className="export-section-head">
        <h3>Link</h3>
        <Segmented
          legend="Revisions of the link"
          options={followOptions}
          value={follow}
          onChange={setFollow}
        />
      </div>
      <div className="link-row">
        <input
          className="field"
          aria-label="Link to this view"
          readOnly
          spellCheck={false}
          value={link}
          placeholder={nothingShown}
          onFocus={(event) => {
            event.target.select();
          }}
        />
        <Button unavailable={unavailable} onPress={() => void copy(link, "Link copied")}>
          Copy link
        </Button>
      </div>
      <div className="link-row link-actions">
        <Segmented legend="Kind of link" options={forms} value={form} onChange={setForm} />
        <Button
          unavailable={unavailable}
          onPress={() => {
            if (!view) return;
            saveFile(toViewFileName(view), new Blob([toViewFile(view)], { type: "application/json" }));
            setResult("File saved");
          }}
        >
          Save as file
        </Button>
        <Button
          unavailable={unavailable}
          onPress={() => {
            if (!view) return;
            const credits = captureCredits(viewer.panes.store.getState().panes);
            void copy(toCitation(view, credits, link), "Citation copied");
          }}
        >
          Copy citation
        </Button>
      </div>
      {uncopied !== "" && <SelectedText text={uncopied} />}
      <p className="caption">
        {explanations[follow]} <OpenFile />
        <span role="status">{result !== "" && ` ${result}`}</span>
      </p>
    </section>
  );
}

/** Returns the pinned link of the view on screen, of all its panes; empty while there is none. */
function useShownLink(): string {
  const viewer = useViewer();
  const links = useFromPanes(() => {
    const view = captureView(viewer);
    return view ? toLink(view) : "";
  });
  return links[0] ?? "";
}

function toFollowing(view: CitableView, follow: FollowMode): CitableView {
  return follow === "pinned" ? view : toNewestView(view);
}

function toForm(view: CitableView, form: Form): string {
  return form === "app" ? toLink(view) : toWebLink(view, window.location.href);
}

/** Shows a text as selected, for the keyboard's copy. */
function SelectedText({ text }: { readonly text: string }): ReactNode {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [text]);
  return <textarea ref={field} className="field" aria-label="Text to copy" readOnly rows={3} value={text} />;
}

function OpenFile(): ReactNode {
  const viewer = useViewer();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={viewFileExtension}
        hidden
        aria-label="View file"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen) void openViewFile(viewer, chosen);
          // The same file can be chosen again.
          target.value = "";
        }}
      />
      <Button className="link" onPress={() => input.current?.click()}>
        Open a view file…
      </Button>
    </>
  );
}
