export const replayStrings = {
  edit: "Edit and replay",
  editOf: (sequence: string, stream: string) => `Edit and replay message ${sequence} of ${stream}`,
  payload: "Payload",
  goesTo: (subject: string) => `It is sent once to ${subject}, as a new message. What was there stays.`,
  job: "Job",
  jobHint: "step is download, analysis or lighting; only a download starts from another url.",
  startsAgain: "The song starts again from this job. The failure stays as it is.",
  started: (subject: string) => `The song is queued again on ${subject}`,
  noJob: "This failure names no song that could be started again.",
  hidden: "Leave ****** where it is: the server puts back what it stands for.",
  badJson: (line: number, column: number, expected: string) =>
    `Line ${line}, column ${column}: ${expected} is expected.`,
  replay: "Replay",
  replaying: "Replaying...",
  sent: (subject: string) => `Sent to ${subject}`,
  notJson: "Only messages that are JSON can be edited and sent again.",
  isCut: "This message is too long to be edited here.",
} as const;
