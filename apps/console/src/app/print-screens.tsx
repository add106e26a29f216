import { useParams } from "@tanstack/react-router";
import { RpcProvider } from "../lib/rpc-provider.tsx";
import { SheetPage } from "../lights/sheet-page.tsx";
import { SetlistPage } from "../music/playlists/setlist-page.tsx";

export function SheetScreen() {
  return (
    <RpcProvider>
      <SheetPage />
    </RpcProvider>
  );
}

export function SetlistScreen() {
  const { playlistId = "" } = useParams({ strict: false });
  return (
    <RpcProvider>
      <SetlistPage playlistId={playlistId} />
    </RpcProvider>
  );
}
