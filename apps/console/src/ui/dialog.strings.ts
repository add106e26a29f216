export const dialogStrings = {
  close: "Close",
  cancel: "Cancel",
  typeToConfirm: (text: string) => `Type “${text}” to confirm`,
  image: "The image as it will be",
  removeImage: "Remove image",
  unsaved: {
    title: "Discard what you typed?",
    message: "It is not saved yet.",
    discard: "Discard",
  },
} as const;
