import { getRouteApi } from "@tanstack/react-router";
import { StreamsAndFailures } from "./streams-and-failures.tsx";

const route = getRouteApi("/shell/workers");

/** Workers, with the messages that are open in the address. */
export function WorkersPage() {
  const navigate = route.useNavigate();
  return <StreamsAndFailures search={route.useSearch()} onSearch={(search) => void navigate({ search })} />;
}
