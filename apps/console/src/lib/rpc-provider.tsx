import { TransportProvider } from "@connectrpc/connect-query";
import type { PropsWithChildren } from "react";
import { transport } from "./transport.ts";

/** Provides RPCs to its children. Loaded with the first screen: the shell needs none. */
export function RpcProvider({ children }: PropsWithChildren) {
  return <TransportProvider transport={transport}>{children}</TransportProvider>;
}
