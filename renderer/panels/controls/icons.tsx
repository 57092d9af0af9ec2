// The viewer's icons: 16 × 16, drawn in the color of the text around them, silent to a screen reader.
import type { ReactNode } from "react";

function createIcon(drawing: ReactNode, size = 16): () => ReactNode {
  return () => (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawing}
    </svg>
  );
}

function windowWith(lines: string): ReactNode {
  return (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d={lines} />
    </>
  );
}

/** An echo top: the tower of a storm over the ground. */
export const BrandIcon = createIcon(<path d="M1.5 13.5h13M2.5 13.5 8 2.5l5.5 11M5.5 13.5 8 8.5l2.5 5" />, 20);
export const ChevronIcon = createIcon(<path d="m4.5 6.5 3.5 3.5 3.5-3.5" />);
export const CloseIcon = createIcon(<path d="m4 4 8 8M12 4l-8 8" />);
/** Columns over a base line. */
export const ChartIcon = createIcon(<path d="M2 13.5h12M4 13.5v-3M7 13.5v-7M10 13.5v-10M13 13.5v-5" />);
/** An arrow out of a tray. */
export const ExportIcon = createIcon(<path d="M8 10V2.5M5 5.25 8 2.5l3 2.75M5 7H3.5v6.5h9V7H11" />);
export const CopyIcon = createIcon(
  <>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.25" />
    <path d="M10.5 5.5V3.75c0-.7-.55-1.25-1.25-1.25h-5.5c-.7 0-1.25.55-1.25 1.25v5.5c0 .7.55 1.25 1.25 1.25H5.5" />
  </>,
);
export const DownIcon = createIcon(<path d="M8 3v10M4 9l4 4 4-4" />);
export const UpIcon = createIcon(<path d="M8 13V3M4 7l4-4 4 4" />);
export const FilterIcon = createIcon(<path d="M2.5 3.5h11L9.5 8.5v4l-3-1.5v-2.5Z" />);
/** Two arrowheads apart, with a line between. */
export const SwipeIcon = createIcon(<path d="M8 3.5v9M4.5 5.5 2 8l2.5 2.5M11.5 5.5 14 8l-2.5 2.5" />);
/** Two arrowheads down; UnfoldIcon has them up. */
export const FoldIcon = createIcon(<path d="m4.5 4 3.5 3.5L11.5 4M4.5 8.5 8 12l3.5-3.5" />);
export const InfoIcon = createIcon(
  <>
    <circle cx="8" cy="8" r="5.75" />
    <path d="M8 7.5v3.25M8 5.25h.01" />
  </>,
);
export const KeyboardIcon = createIcon(
  <>
    <rect x="1.5" y="4" width="13" height="8" rx="1.5" />
    <path d="M4.25 6.75h.01M6.75 6.75h.01M9.25 6.75h.01M11.75 6.75h.01M5 9.5h6" />
  </>,
);
export const BellIcon = createIcon(
  <path d="M8 2a3.75 3.75 0 0 0-3.75 3.75c0 3.5-1.5 4.75-1.5 4.75h10.5s-1.5-1.25-1.5-4.75A3.75 3.75 0 0 0 8 2ZM6.5 12.75a1.6 1.6 0 0 0 3 0" />,
);
/** A loudspeaker. */
export const SpeakIcon = createIcon(
  <path d="M2.5 6v4h2.25L8.5 13V3L4.75 6ZM11 5.75a3.2 3.2 0 0 1 0 4.5M12.75 4a5.6 5.6 0 0 1 0 8" />,
);
/** Three sliders. */
export const SettingsIcon = createIcon(
  <>
    <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />
    <path d="M10.5 3v3M5.5 6.5v3M9 10v3" strokeWidth="2.5" />
  </>,
);
/** Layers of a map. */
export const MapOptionsIcon = createIcon(
  <>
    <path d="m8 2 6 3-6 3-6-3Z" />
    <path d="m2 8 6 3 6-3M2 11l6 3 6-3" />
  </>,
);
/** A ruler. */
export const MeasureIcon = createIcon(
  <>
    <path d="m2 10.75 8.75-8.75L14 5.25 5.25 14Z" />
    <path d="m4.5 8.25 1.5 1.5M7 5.75l1.5 1.5M9.25 3.5l1.5 1.5" />
  </>,
);
/** A line from a point to an arrowhead. */
export const MotionIcon = createIcon(
  <>
    <path d="M5 11 13.25 2.75M8.75 2.75h4.5v4.5" />
    <circle cx="3.5" cy="12.5" r="1.75" />
  </>,
);
export const MinusIcon = createIcon(<path d="M3 8h10" />);
export const NextIcon = createIcon(
  <>
    <path d="M12 3.5v9" strokeWidth="2" />
    <path d="M4 3.75v8.5L9.5 8Z" fill="currentColor" />
  </>,
);
export const PanelIcon = createIcon(windowWith("M6.5 3v10"));
export const PauseIcon = createIcon(<path d="M5.5 3.5v9M10.5 3.5v9" strokeWidth="2.5" />);
export const PlaceIcon = createIcon(
  <>
    <path d="M8 14s4.5-4.2 4.5-7.5a4.5 4.5 0 0 0-9 0C3.5 9.8 8 14 8 14Z" />
    <circle cx="8" cy="6.5" r="1.25" />
  </>,
);
export const PlayIcon = createIcon(<path d="M5 3.25v9.5l7.5-4.75Z" fill="currentColor" />);
/** One, two and four panes. */
export const OnePaneIcon = createIcon(windowWith(""));
export const TwoPanesIcon = createIcon(windowWith("M8 3v10"));
export const FourPanesIcon = createIcon(windowWith("M8 3v10M2 8h12"));
export const LockIcon = createIcon(
  <>
    <rect x="3.5" y="7" width="9" height="6" rx="1.25" />
    <path d="M5.5 7V5.25a2.5 2.5 0 0 1 5 0V7" />
  </>,
);
export const OpenLockIcon = createIcon(
  <>
    <rect x="3.5" y="7" width="9" height="6" rx="1.25" />
    <path d="M5.5 7V5a2.5 2.5 0 0 1 4.75-1.1" />
  </>,
);
export const MoreIcon = createIcon(<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.25" />);
/** An outline over an area, as a warning is drawn. */
export const OverlaysIcon = createIcon(
  <>
    <path d="M2 4.5 12 2.5l2 8.5-9.5 2.5Z" />
    <path d="m8 5.5 2 4H6Z" fill="currentColor" strokeWidth="1" />
  </>,
);
export const PlusIcon = createIcon(<path d="M8 3v10M3 8h10" />);
export const PreviousIcon = createIcon(
  <>
    <path d="M4 3.5v9" strokeWidth="2" />
    <path d="M12 3.75v8.5L6.5 8Z" fill="currentColor" />
  </>,
);
/** A screen on a stand. */
export const ProjectorIcon = createIcon(
  <>
    <path d="M1.5 3h13M8 10.5v1.5M5 14l3-2.5 3 2.5" />
    <path d="M2.75 3v7.5h10.5V3" />
  </>,
);
export const SearchIcon = createIcon(
  <>
    <circle cx="7" cy="7" r="4.25" />
    <path d="m10.25 10.25 3.5 3.5" />
  </>,
);
export const StopIcon = createIcon(<rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" />);
export const UnfoldIcon = createIcon(<path d="m4.5 7.5 3.5-3.5 3.5 3.5M4.5 12 8 8.5l3.5 3.5" />);
/** Four corners of a frame: the whole event in view. */
export const WholeEventIcon = createIcon(
  <path d="M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3" />,
);
