/** The protocol of the two sockets in words; the examples stand beside them. */
export const websocketStrings = {
  events: {
    title: "Events: /ws/events",
    text: "Connect, say ClientHello within 10 seconds, wait for ServerAck; Envelopes of the subscribed topics follow. A browser signed in by cookie leaves the token empty, a script puts its bearer token there. Connections without a valid token are closed.",
    hello: "ClientHello (token, device_id?, app_version?, platform? (ios|android|web), subscriptions[]?)",
    ack: "ServerAck (connection_id, heartbeat_sec)",
    envelope: "Envelope (id, topic, type, ts, sequence?, payload)",
  },
  topics: {
    title: "Topics",
    text: "chat.thread.{threadId}, user.{userId}, group.{groupId}, songs, song.{id}, events, event.{id}, lights, stage, workers, director. Types are named noun.verb: message.created, message.updated, message.deleted, user.status_changed, song.progress.",
    subscribing:
      "Subscribe and Unsubscribe at any time. With last_event_id, what came after that envelope is sent first; when it is too long ago the answer is Reset, and the lists have to be read again.",
    messages: "Subscribe, Unsubscribe",
  },
  closing: {
    title: "Close codes",
    codes: [
      ["4401", "No valid sign-in, or it has ended"],
      ["4403", "Not allowed"],
      ["4408", "No ClientHello, or below /lights/ no hello, in time"],
      ["1013", "Reading too slowly"],
    ],
  },
  playback: {
    title: "Playback: /lights/playback/{id}",
    text: "Mirrors the playing of one song to the stage. Positions are seconds from the start of the song. The stage answers with its state and, to sync, with its own clock.",
    messages: "Messages to the stage",
  },
  desk: {
    title: "Live desk: /lights/desk",
    text: "One desk for all consoles, phones and apps of Directors and Admins. The stage says what is in whose hand when a connection opens, at every change and every second. A press is sent until it is taken: with the same id it counts once. The value null gives a control back; blinder and strobe are released when the connection closes.",
    messages: "Presses",
    answers: "What the stage says",
  },
} as const;
