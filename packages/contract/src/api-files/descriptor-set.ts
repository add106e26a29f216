import { create, toBinary, type DescFile, type DescService } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/** What tools such as grpcurl, Postman and buf read: every file of these services and what they import, those first. */
export function descriptorSet(services: readonly DescService[]): Uint8Array {
  const files = new Map<string, DescFile>();
  const add = (file: DescFile): void => {
    if (files.has(file.name)) return;
    for (const needed of file.dependencies) add(needed);
    files.set(file.name, file);
  };
  for (const { file } of services) add(file);
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [...files.values()].map(({ proto }) => proto) })); // prettier-ignore
}
