// The bottom edge: transport and timeline.
import type { ReactNode } from "react";
import { Timeline } from "./timeline.tsx";
import { Transport } from "./transport.tsx";

export function BottomBar(): ReactNode {
  return (
    <section className="bottom-bar" aria-label="Revisions">
      <Transport />
      <Timeline />
    </section>
  );
}
