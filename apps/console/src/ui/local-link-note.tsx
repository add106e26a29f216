import { isLinkLocal } from "../lib/link-address.ts";

const text =
  "Only this computer can open this address. Start Followspot with HOST=0.0.0.0, or set FOLLOWSPOT_PUBLIC_URL.";

/** Warning beside a link that names a loopback address; nothing beside other links. */
export function LocalLinkNote() {
  if (!isLinkLocal()) return null;
  return (
    <p role="note" className="text-sm text-danger">
      {text}
    </p>
  );
}
