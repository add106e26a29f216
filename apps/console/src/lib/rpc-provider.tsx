import { TransportProvider } from "@connectrpc/connect-query";
import type { PropsWithChildren } from "react";
import { transport } from "./transport.ts";

/** RPCs for what stands inside. Loaded with the first screen: the shell itself needs none. */
export function RpcProvider({ children }: PropsWithChildren) {
  return <TransportProvider transport={transport}>{children}</TransportProvider>;
}
