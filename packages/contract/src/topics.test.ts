import { describe, expect, it } from "vitest";
import { AccountingService } from "./gen/followspot/accounting/v1/accounting_pb.js";
import { AuthService } from "./gen/followspot/auth/v1/auth_pb.js";
import { ChatService } from "./gen/followspot/chat/v1/chat_pb.js";
import { DirectorService } from "./gen/followspot/director/v1/director_pb.js";
import { EventService } from "./gen/followspot/event/v1/event_pb.js";
import { LightsService } from "./gen/followspot/lights/v1/lights_pb.js";
import { MusicService } from "./gen/followspot/music/v1/music_pb.js";
import { NightService } from "./gen/followspot/night/v1/night_pb.js";
import { RecordingService } from "./gen/followspot/recording/v1/recording_pb.js";
import { SoundService } from "./gen/followspot/sound/v1/sound_pb.js";
import { TalkService } from "./gen/followspot/talk/v1/talk_pb.js";
import { UserService } from "./gen/followspot/user/v1/user_pb.js";
import { LIVE, parseTopic, topicsOf } from "./topics.ts";

describe("the table of live changes", () => {
  const methods = new Map(
    [
      AccountingService,
      AuthService,
      ChatService,
      DirectorService,
      EventService,
      LightsService,
      MusicService,
      NightService,
      RecordingService,
      SoundService,
      TalkService,
      UserService,
    ].flatMap((service) =>
      service.methods.map((method) => [`${service.typeName.replace("followspot.", "")}/${method.name}`, method]),
    ),
  );

  it("names only methods the contract has", () => {
    const named = Object.values(LIVE).flatMap((noun) => noun.touches);
    expect(named.filter((name) => !methods.has(name))).toEqual([]);
  });

  it("patches rows that the first list it touches really answers with", () => {
    for (const { touches, patch } of Object.values(LIVE)) {
      if (!patch) continue;
      const list = methods.get(touches[0] ?? "");
      const rows = list?.output.fields.find((field) => field.name === patch.rows);
      expect(rows?.fieldKind, patch.rows).toBe("list");
    }
  });
});

describe("a topic", () => {
  it("is told of by every noun of its kind, and by the thing's own topic", () => {
    expect(topicsOf("song", "01ABC")).toEqual(["songs", "song.01ABC"]);
    expect(topicsOf("talk", "01ABC")).toEqual(["events"]);
    expect(() => topicsOf("constructor", "1")).toThrow(RangeError);
  });

  it("without a publisher is no topic", () => {
    const strangers = ["", "chat.>", "*", "$JS.API", "user.*", "user.a.b", "song.", "constructor", "light.1", "x.1"];
    expect(strangers.map(parseTopic)).toEqual(strangers.map(() => undefined));
  });

  it("of one person, one thread and one group asks who belongs to it", () => {
    for (const text of ["user.01A", "chat.thread.01A", "group.01A"]) {
      expect(parseTopic(text)).toMatchObject({ id: "01A", listeners: "members" });
    }
  });
});
