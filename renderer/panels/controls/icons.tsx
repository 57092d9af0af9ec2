// The viewer's own icons: 16 × 16, drawn in the colour of the text around them, silent to a screen reader.
import type { ReactNode } from "react";

function Icon({ children, size = 16 }: { children: ReactNode; size?: number }): ReactNode {
  return (
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
      {children}
    </svg>
  );
}

/** An echo top: a storm's tower over the ground. */
export function BrandIcon(): ReactNode {
  return (
    <Icon size={20}>
      <path d="M1.5 13.5h13" />
      <path d="M2.5 13.5 8 2.5l5.5 11" />
      <path d="M5.5 13.5 8 8.5l2.5 5" />
    </Icon>
  );
}

export function ClearIcon(): ReactNode {
  return (
    <Icon>
      <path d="m4 4 8 8M12 4l-8 8" />
    </Icon>
  );
}

export function SearchIcon(): ReactNode {
  return (
    <Icon>
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.25 10.25 3.5 3.5" />
    </Icon>
  );
}

export function PlaceIcon(): ReactNode {
  return (
    <Icon>
      <path d="M8 14s4.5-4.2 4.5-7.5a4.5 4.5 0 0 0-9 0C3.5 9.8 8 14 8 14Z" />
      <circle cx="8" cy="6.5" r="1.25" />
    </Icon>
  );
}

export function PlayIcon(): ReactNode {
  return (
    <Icon>
      <path d="M5 3.250v9.500l7.5-4.750Z" fill="currentColor" />
    </Icon>
  );
}

export function PauseIcon(): ReactNode {
  return (
    <Icon>
      <path d="M5.5 3.500v9M10.5 3.500v9" strokeWidth="2.5" />
    </Icon>
  );
}

export function PreviousIcon(): ReactNode {
  return (
    <Icon>
      <path d="M4 3.500v9" strokeWidth="2" />
      <path d="M12 3.750v8.500L6.5 8Z" fill="currentColor" />
    </Icon>
  );
}

export function NextIcon(): ReactNode {
  return (
    <Icon>
      <path d="M12 3.500v9" strokeWidth="2" />
      <path d="M4 3.750v8.500L9.5 8Z" fill="currentColor" />
    </Icon>
  );
}

export function PlusIcon(): ReactNode {
  return (
    <Icon>
      <path d="M8 3v10M3 8h10" />
    </Icon>
  );
}

export function MinusIcon(): ReactNode {
  return (
    <Icon>
      <path d="M3 8h10" />
    </Icon>
  );
}

/** The whole event in view: a frame's four corners. */
export function WholeIcon(): ReactNode {
  return (
    <Icon>
      <path d="M2.5 5.500v-3h3M10.5 2.500h3v3M13.5 10.500v3h-3M5.5 13.500h-3v-3" />
    </Icon>
  );
}

export function PanelIcon(): ReactNode {
  return (
    <Icon>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="M6.5 3v10" />
    </Icon>
  );
}

export function KeysIcon(): ReactNode {
  return (
    <Icon>
      <rect x="1.5" y="4" width="13" height="8" rx="1.5" />
      <path d="M4.25 6.750h.01M6.75 6.750h.01M9.25 6.750h.01M11.75 6.750h.01M5 9.500h6" />
    </Icon>
  );
}

export function CloseIcon(): ReactNode {
  return (
    <Icon>
      <path d="m4 4 8 8M12 4l-8 8" />
    </Icon>
  );
}

export function ChevronIcon(): ReactNode {
  return (
    <Icon>
      <path d="m4.5 6.5 3.5 3.5 3.5-3.5" />
    </Icon>
  );
}

export function StopIcon(): ReactNode {
  return (
    <Icon>
      <rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" />
    </Icon>
  );
}
