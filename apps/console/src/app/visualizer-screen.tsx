import { useParams } from "@tanstack/react-router";
import { VisualizerPage } from "../visualizer/visualizer-page.tsx";

export function VisualizerScreen() {
  const { id } = useParams({ from: "/music/$id/visualizer" });
  return <VisualizerPage key={id} songId={id} />;
}
