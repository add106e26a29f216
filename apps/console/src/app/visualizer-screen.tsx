import { useParams } from "@tanstack/react-router";
import { DeskHeader } from "../desk/desk-header.tsx";
import { RpcProvider } from "../lib/rpc-provider.tsx";
import { VisualizerPage } from "../visualizer/visualizer-page.tsx";

export function VisualizerScreen() {
  const { id = "" } = useParams({ strict: false });
  const songId = id.trim();
  return (
    <RpcProvider>
      <VisualizerPage key={songId} songId={songId} desk={<DeskHeader />} />
    </RpcProvider>
  );
}
