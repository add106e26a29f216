import { createRegistry, ScalarType, type DescField } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { file_followspot_event_v1_event as event } from "./gen/followspot/event/v1/event_pb.js";
import { file_followspot_lights_v1_lights as lights } from "./gen/followspot/lights/v1/lights_pb.js";
import { file_followspot_music_v1_music as music } from "./gen/followspot/music/v1/music_pb.js";
import { file_followspot_talk_v1_talk as talk } from "./gen/followspot/talk/v1/talk_pb.js";
import { file_followspot_user_v1_user as user } from "./gen/followspot/user/v1/user_pb.js";

const contract = createRegistry(event, lights, music, talk, user);

/** Fields of each message: "?" may be missing, "[]" a list, "{}" a map from text to text; without a type it is text. */
const FIELDS: Readonly<Record<string, string>> = {
  "user.v1.User":
    "id name username email phone purpose bio photo_id photo_updated_at:Timestamp? verified_at:Timestamp? phone_verified_at:Timestamp? role roles[] created_at:Timestamp updated_at:Timestamp deleted_at:Timestamp? last_seen_at:Timestamp? is_online:bool photo_url",
  "event.v1.Event":
    "id title starts_at:Timestamp ends_at:Timestamp location address lat:double lng:double image banner_url created_at:Timestamp updated_at:Timestamp deleted_at:Timestamp?",
  "talk.v1.Talk":
    "id title body start_at:Timestamp? user_id? user_name? event_id? points:int32 image_url created_at:Timestamp updated_at:Timestamp",
  "music.v1.Song":
    "id title artist audio ytid url image_url duration:int32 downloaded_at:Timestamp? created_at:Timestamp updated_at:Timestamp stems_generated:bool stems_path analysis_status lighting_status cover_image color_palette",
  "music.v1.ColorPalette":
    "extracted_colors[] harmony_colors[] harmony_type led_matches:LEDMatch[] selected_palette_id ai_key_colors[] musical_key",
  "music.v1.LEDMatch": "palette_id name colors[] match_score:double diversity_score:double",
  "lights.v1.Light":
    "id:int32 label dmx_address:int32 dmx_override:int32? light_type mode channel_config position enabled:bool group_id? groups[] created_at:Timestamp updated_at:Timestamp",
  "lights.v1.LightGroup":
    "id name type fixture_ids:int32[] position enabled:bool created_at:Timestamp updated_at:Timestamp",
  "lights.v1.LightFixture":
    "id:int32 manufacturer model fixture_type file_name modes:FixtureMode[] created_at:Timestamp updated_at:Timestamp",
  "lights.v1.FixtureMode": "name channel_count:int32 channels{}",
  "lights.v1.LightType": "key name manufacturer model type",
  "lights.v1.LightMode": "name channel_count:int32",
  "lights.v1.DMXConflict": "light:Light conflicting_start:int32 conflicting_end:int32",
  "lights.v1.CalculateDMXAddressResponse": "dmx_address:int32 end_address:int32",
  "lights.v1.PatternEvent":
    "id song_id timestamp:double pattern_name intent_name section_name energy_level:double reasoning created_at:Timestamp",
  "lights.v1.AIInsights":
    "song_id genre_analysis:GenreAnalysis instrument_detection:InstrumentDetection drop_predictions:DropPrediction[] section_breakdown:SectionBreakdown[] pattern_reasoning{} key_info:KeyInfo tempo_info:TempoInfo",
  "lights.v1.GenreAnalysis": "primary_genre sub_genres[] confidence:double characteristics{}",
  "lights.v1.InstrumentDetection": "instruments:Instrument[] confidence:double",
  "lights.v1.Instrument": "name confidence:double stems[]",
  "lights.v1.DropPrediction": "timestamp:double confidence:double type energy:double",
  "lights.v1.SectionBreakdown": "name start:double end:double duration:double energy:double intensity:double",
  "lights.v1.KeyInfo": "key mode confidence:double",
  "lights.v1.TempoInfo": "bpm:double confidence:double stable:bool",
};

/** A field as {@link FIELDS} writes it. */
function wordOf(field: DescField): string {
  if (field.fieldKind === "map") return `${field.name}{}`;
  const type = field.message?.name ?? (field.scalar ? ScalarType[field.scalar].toLowerCase() : "enum");
  const mark = field.fieldKind === "list" ? "[]" : field.proto.proto3Optional ? "?" : "";
  return `${field.name}${type === "string" ? "" : `:${type}`}${mark}`;
}

test.each(Object.entries(FIELDS))("%s begins with its fields in their order", (name, fields) => {
  const words = contract.getMessage(`followspot.${name}`)?.fields.map(wordOf) ?? [];
  expect(words.slice(0, fields.split(" ").length).join(" ")).toBe(fields);
});
