import { strings } from "../../lib/strings.ts";
import { sayWhy } from "../../ui/delete-dialog.tsx";
import { showLasting, showToast } from "../../ui/toast.tsx";
import { importStrings as text } from "./import.strings.ts";

/** Deletes the users that an import created, one at a time. A toast shows the progress and can cancel. */
export async function undoImport(ids: readonly string[], remove: (id: string) => Promise<unknown>): Promise<void> {
  let [done, isStopped] = [0, false];
  const toast = showLasting(text.undoing(0, ids.length), { label: strings.cancel, act: () => (isStopped = true) });
  try {
    for (const id of ids) {
      if (isStopped) break;
      await remove(id);
      done += 1;
      toast.say(text.undoing(done, ids.length));
    }
    showToast(text.undone(done));
  } catch (error) {
    sayWhy(error);
  } finally {
    toast.end();
  }
}
