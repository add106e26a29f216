import { useParams } from "@tanstack/react-router";
import { RpcProvider } from "../lib/rpc-provider.tsx";
import { VisualizerPage } from "../visualizer/visualizer-page.tsx";

export function VisualizerScreen() {
  const { id } = useParams({ from: "/music/$id/visualizer" });
  return (
    <RpcProvider>
      <VisualizerPage key={id} songId={id} />
    </RpcProvider>
  );
}
