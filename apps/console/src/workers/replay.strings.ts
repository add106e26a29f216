export const replayStrings = {
  edit: "Edit and replay",
  editOf: (sequence: string, stream: string) => `Edit and replay message ${sequence} of ${stream}`,
  payload: "Payload",
  goesTo: (subject: string) => `It is sent once to ${subject}, as a new message. What was there stays.`,
  isLog: "A failure is only a record: to start the song again, use Retry.",
  hidden: "Leave ****** where it is: the server puts back what it stands for.",
  badJson: (line: number, column: number, expected: string) =>
    `Line ${line}, column ${column}: ${expected} is expected.`,
  replay: "Replay",
  replaying: "Replaying...",
  sent: (subject: string) => `Sent to ${subject}`,
  notJson: "Only messages that are JSON can be edited and sent again.",
  isCut: "This message is too long to be edited here.",
} as const;
