import { useStore } from "../lib/store.ts";
import { useWakefulScreen } from "../ui/use-wakeful-screen.ts";
import { Code, DoorState, ShortCode } from "./code-card.tsx";
import { guestStrings as text } from "./guest.strings.ts";
import { Empty } from "./parts.tsx";
import type { TabProps } from "./tabs.ts";

/** QR code at full size, for the door. */
export function CodeTab({ night }: TabProps) {
  useWakefulScreen();
  const { night: mine } = useStore(night.view);
  const event = mine?.event;
  if (!event) return <Empty>{text.event.none}</Empty>;
  return (
    <div className="m-auto flex w-full max-w-sm flex-col items-center gap-4 text-center">
      <h2 className="text-2xl font-semibold">{mine?.userName}</h2>
      {event.code && (
        <div className="w-full">
          <Code event={event} name={mine?.userName ?? ""} />
        </div>
      )}
      <ShortCode event={event} />
      <DoorState event={event} />
    </div>
  );
}
