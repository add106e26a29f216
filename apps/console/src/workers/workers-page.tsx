import { getRouteApi } from "@tanstack/react-router";
import { StreamsAndFailures } from "./streams-and-failures.tsx";

const route = getRouteApi("/shell/workers");

/** Workers page. The open messages are stored in the URL. */
export function WorkersPage() {
  const navigate = route.useNavigate();
  return <StreamsAndFailures search={route.useSearch()} onSearch={(search) => void navigate({ search })} />;
}
