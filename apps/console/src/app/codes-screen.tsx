import { useParams } from "@tanstack/react-router";
import { CodesPage } from "../event/check-in/codes-page.tsx";
import { RpcProvider } from "../lib/rpc-provider.tsx";

export function CodesScreen() {
  const { eventId = "" } = useParams({ strict: false });
  return (
    <RpcProvider>
      <CodesPage key={eventId} eventId={eventId} />
    </RpcProvider>
  );
}
