import { getOption, type DescMethod } from "@bufbuild/protobuf";
import { access, Access } from "./gen/followspot/access/v1/access_pb.js";

/** Who may call a method, as people say it: Admin, Director, AI, Member or Public. */
export const accessWords = (method: DescMethod): readonly string[] => getOption(method, access).map(accessWord);

function accessWord(level: Access): string {
  const name = Access[level] ?? "";
  return level === Access.AI ? "AI" : name.charAt(0) + name.slice(1).toLowerCase();
}
