import { Link } from "@tanstack/react-router";
import { strings } from "../lib/strings.ts";
import { useDocumentTitle } from "../ui/page.tsx";

/** Page for an unknown address below /admin. */
export function NotFoundPage() {
  useDocumentTitle(strings.notFoundTitle);
  return (
    <main className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <h1 className="text-lg font-semibold">{strings.notFound}</h1>
      <Link to="/" className="text-accent underline">
        {strings.toDashboard}
      </Link>
    </main>
  );
}
