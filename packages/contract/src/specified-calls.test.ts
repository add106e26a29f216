import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { SERVICES } from "./services.ts";

const METHODS = new Map<string, DescMethod>(
  SERVICES.flatMap((service) => service.methods.map((method) => [`${service.name}.${method.name}`, method])),
);

/** Calls of the console as section 7 of its specification lists them: what each takes, and what it answers. */
const CALLS: readonly (readonly [call: string, takes: string, answers: string])[] = [
  ["UserService.ListUsers", "include_deleted", "users"],
  ["UserService.GetUser", "user_id", "user"],
  ["UserService.CreateUser", "name phone photo_base64? photo_filename? photo_mime_type?", "user"],
  [
    "UserService.UpdateUser",
    "user_id name? phone? purpose? bio? username? email? photo_base64? photo_filename? photo_mime_type? roles[]",
    "user",
  ],
  ["UserService.DeleteUser", "user_id", "success"],
  ["UserService.PurgeUser", "user_id", "success"],
  ["UserService.UploadPhoto", "user_id photo_base64 filename mime_type", "photo_id photo_url"],
  ["UserService.FindSimilarUsers", "", ""],
  ["EventService.ListEvents", "include_deleted", "events"],
  ["EventService.GetEvent", "event_id", "event"],
  ["EventService.CreateEvent", "title starts_at ends_at location address lat lng banner_base64?", "event"],
  [
    "EventService.UpdateEvent",
    "event_id title? starts_at ends_at location? address? lat? lng? banner_base64?",
    "event",
  ],
  ["EventService.DeleteEvent", "event_id", "success"],
  ["EventService.UploadBanner", "event_id banner_base64", "image banner_url"],
  ["EventService.ScanQr", "", ""],
  ["TalkService.ListTalks", "event_id?", "talks"],
  ["TalkService.GetTalk", "talk_id", "talk"],
  ["TalkService.CreateTalk", "title body start_at user_id event_id image_base64", "talk"],
  ["TalkService.UpdateTalk", "talk_id title? body? start_at user_id? event_id? image_base64?", "talk"],
  ["TalkService.DeleteTalk", "talk_id", "success"],
  ["TalkService.UploadTalkImage", "talk_id image_base64", "image_url"],
  ["TalkService.Vote", "", ""],
  ["TalkService.Unvote", "", ""],
  ["TalkService.GiveFeedback", "", ""],
  ["MusicService.ListSongs", "only_downloaded", "songs"],
  ["MusicService.GetSong", "song_id", "song"],
  ["MusicService.CreateSong", "title artist ytid url duration", "song"],
  ["MusicService.UpdateSong", "song_id", "song"],
  ["MusicService.DeleteSong", "song_id", ""],
  ["MusicService.AddSongFromYoutube", "url", "song status message"],
  ["MusicService.GetSongProcessingStatus", "song_id", "analysis_status lighting_status stems_generated error_message"],
  ["MusicService.GetSongColorPalette", "song_id", "palette status message"],
  ["MusicService.RegenerateColorPalette", "song_id harmony_type", ""],
  ["MusicService.GetLEDPaletteAlternatives", "song_id limit", "alternatives current_selection"],
  ["MusicService.SelectLEDPalette", "song_id palette_id", ""],
  ["MusicService.GetSongLighting", "song_id force_regenerate", "lighting_plan_json from_cache status message"],
  ["MusicService.SearchYoutube", "", ""],
  ["MusicService.ListPlaylists", "", ""],
  ["MusicService.VotePlaylistSong", "", ""],
  ["MusicService.BroadcastSong", "", ""],
  ["MusicService.StopMusic", "", ""],
  ["LightsService.ListLights", "", "lights"],
  ["LightsService.GetLight", "id", "light"],
  [
    "LightsService.CreateLight",
    "label light_type mode position? dmx_address_override? channel_config? groups[]",
    "light",
  ],
  [
    "LightsService.UpdateLight",
    "id label? light_type? mode? position? dmx_address_override? enabled? groups[]",
    "light",
  ],
  ["LightsService.DeleteLight", "id", ""],
  ["LightsService.ListGroups", "", "groups"],
  ["LightsService.GetGroup", "", ""],
  ["LightsService.GetGroupLights", "", ""],
  ["LightsService.CreateGroup", "id name type fixture_ids[]", ""],
  ["LightsService.UpdateGroup", "id name? type? fixture_ids[] enabled?", ""],
  ["LightsService.DeleteGroup", "id", ""],
  ["LightsService.ListFixtures", "", ""],
  ["LightsService.GetFixture", "id", ""],
  ["LightsService.ListLightTypes", "", "types"],
  ["LightsService.GetLightModes", "light_type", "modes"],
  ["LightsService.CalculateDMXAddress", "position channel_count", "dmx_address end_address"],
  [
    "LightsService.CheckDMXConflict",
    "dmx_address channel_count exclude_light_id",
    "has_conflict conflicts range_start range_end",
  ],
  ["LightsService.GetNextDMXAddress", "channel_count", ""],
  ["LightsService.GetPatternHistory", "song_id limit", ""],
  ["LightsService.GetPatternContext", "song_id timestamp window_seconds", ""],
  ["LightsService.GetAIInsights", "song_id", ""],
  ["AccountingService.GetBalance", "", ""],
  ["AccountingService.ListTransactions", "", ""],
  ["AccountingService.GetStats", "", ""],
  ["AccountingService.ProcessTransaction", "", ""],
  ["AuthService.SendLoginCode", "", ""],
  ["AuthService.VerifyLoginCode", "", "token user"],
  ["DirectorService.UpdateStatus", "", ""],
  ["DirectorService.MakeAnnouncement", "", ""],
  ["DirectorService.PushTalk", "", ""],
  ["DirectorService.EndTalk", "", ""],
  ["DirectorService.StartTimer", "", ""],
  ["DirectorService.StopTimer", "", ""],
  ["DirectorService.ShowLeaderboard", "", ""],
  ["DirectorService.GoHome", "", ""],
  ["DirectorService.ListPlayers", "", ""],
  ["DirectorService.AnnouncePlayer", "", ""],
];

test.each(CALLS)("%s takes and answers what the console's specification says", (call, takes, answers) => {
  const method = METHODS.get(call);
  expect(method?.methodKind).toBe("unary");
  expect(fieldsOf(method!.input)).toEqual(expect.arrayContaining(words(takes)));
  const named = method!.output.fields.map(({ name }) => name);
  expect(named).toEqual(expect.arrayContaining(words(answers)));
});

test("chat has threads, members, messages and reactions, and no call of the product is a stream", () => {
  const chat = [...METHODS.keys()].filter((name) => name.startsWith("ChatService.")).join(" ");
  for (const thing of ["Thread", "Member", "Message", "Reaction"]) expect(chat).toContain(thing);
  expect([...METHODS.values()].filter(({ methodKind }) => methodKind !== "unary")).toEqual([]);
});

const words = (text: string) => text.split(" ").filter(Boolean);

/** Names of fields; "?" may be missing, "[]" is a list. A message may always be missing and is not marked. */
const fieldsOf = ({ fields }: DescMessage) =>
  fields.map((field) => {
    if (field.fieldKind === "list") return `${field.name}[]`;
    return field.proto.proto3Optional && field.fieldKind !== "message" ? `${field.name}?` : field.name;
  });
