export const docsStrings = {
  title: "Docs",
  tabs: { label: "Reference", api: "ConnectRPC API", websocket: "WebSocket" },
  search: "Search",
  searchHint: "Search services and methods",
  category: "Category",
  all: "All",
  services: "Services",
  empty: "No services found matching your search.",
  request: "Request",
  response: "Response",
  access: (who: string) => `Access: ${who}`,
  noFields: "No fields",
  copy: "Copy as curl",
  copied: "Copied",
  notCopied: "This browser lets pages copy over https or on localhost only.",
  bearer:
    "The API uses a bearer token: every call carries Authorization: Bearer TOKEN. A browser that signed in here sends its session cookie instead.",
} as const;
