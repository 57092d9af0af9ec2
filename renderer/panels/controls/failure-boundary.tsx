// The last resort: should a panel fail to render, the screen says so and offers to begin again, instead of going blank.
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
        <h2>The viewer has failed</h2>
        <p>Something in it went wrong. The data is not touched.</p>
        <button
          type="button"
          className="button"
          onClick={() => {
            window.location.reload();
          }}
        >
          Begin again
        </button>
      </section>
    );
  }
}
