// Last resort: if a panel fails to render, the screen says so and offers a restart instead of going blank.
import { Component, type ReactNode } from "react";

interface BoundaryState {
  readonly failed: boolean;
}

export class FailureBoundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failed: false };

  static getDerivedStateFromError(): BoundaryState {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <section className="map-message" role="alert">
        <h2>The viewer stopped working</h2>
        <p>Your data is unchanged. Restart the viewer to continue.</p>
        <button
          type="button"
          className="button"
          onClick={() => {
            window.location.reload();
          }}
        >
          Restart
        </button>
      </section>
    );
  }
}
