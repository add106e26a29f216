import { SheetPage } from "../lights/sheet-page.tsx";
import { RpcProvider } from "../lib/rpc-provider.tsx";

export function SheetScreen() {
  return (
    <RpcProvider>
      <SheetPage />
    </RpcProvider>
  );
}
