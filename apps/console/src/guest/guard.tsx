import { Component, type ReactNode } from "react";
import { guestStrings as text } from "./guest.strings.ts";
import { Button } from "./parts.tsx";

/** Error boundary for a part that could not be loaded; the rest of the page stays. */
export class Guard extends Component<{ readonly children: ReactNode }, { readonly isBroken: boolean }> {
  override readonly state = { isBroken: false };

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children;
    return (
      <div className="flex flex-col items-start gap-2 p-2">
        <p role="alert" className="text-sm text-danger">
          {text.notLoaded}
        </p>
        <Button onClick={() => location.reload()}>{text.retry}</Button>
      </div>
    );
  }
}
