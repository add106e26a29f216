/** What stands around every screen, read as one file beside the screen's own. */
export { DeskHeader } from "../desk/desk-header.tsx";
export { RpcProvider } from "../lib/rpc-provider.tsx";
export { followServer } from "../realtime/events-socket.ts";
export { AccountMenu } from "./account-menu.tsx";
