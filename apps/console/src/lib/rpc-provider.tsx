import { TransportProvider } from "@connectrpc/connect-query";
import type { ReactNode } from "react";
import { transport } from "./transport.ts";

/** RPCs for what stands inside. Loaded with the first screen: the shell itself needs none. */
export function RpcProvider({ children }: { readonly children: ReactNode }) {
  return <TransportProvider transport={transport}>{children}</TransportProvider>;
}
