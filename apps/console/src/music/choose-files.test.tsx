// @vitest-environment jsdom
import { expect, test } from "vitest";
import { field, show } from "../testing/show.tsx";
import { ChooseFiles } from "./choose-files.tsx";

// kept: Console | The file chooser hid CAF and Wave64 files, which the server can read | failed on the old code
test.each(["mp3", "ogg", "opus", "flac", "m4a", "wav", "aac", "caf", "w64"])(
  "offers .%s files by name",
  async (ending) => {
    await show(<ChooseFiles label="Upload" onFiles={() => undefined} />, { address: "/" });
    expect(field("Upload").accept.split(",")).toContain(`.${ending}`);
  },
);
