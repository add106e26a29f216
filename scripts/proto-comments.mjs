// What the proto files say of each service, method, message, field, enum and value: descriptors come without comments.

/** Numbers of what a place in a file leads into (google.protobuf.FileDescriptorProto and those within it). */
const FILE = { 4: "messageType", 5: "enumType", 6: "service" };
const WITHIN = {
  messageType: { 2: "field", 3: "nestedType", 4: "enumType" },
  nestedType: { 2: "field", 3: "nestedType", 4: "enumType" },
  enumType: { 2: "value" },
  service: { 2: "method" },
};

/** Full name → comment, in the order of the names, of the product's own files in an image of buf's with source info. */
export function commentsOf(image) {
  const comments = image.file
    .filter((file) => file.package.startsWith("followspot."))
    .flatMap((file) =>
      file.sourceCodeInfo.location.flatMap(({ path, leadingComments, trailingComments }) => {
        const comment = (leadingComments ?? trailingComments)?.replace(/\s+/g, " ").trim();
        const name = comment && nameAt(file, path);
        return name ? [[name, comment]] : [];
      }),
    );
  return Object.fromEntries(comments.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The full name of what stands at a place; undefined for a place within it, such as an option of it. */
function nameAt(file, path) {
  if (path.length === 0 || path.length % 2 === 1) return undefined;
  const names = [file.package];
  let [at, kinds] = [file, FILE];
  for (let step = 0; step < path.length; step += 2) {
    const kind = kinds?.[path[step]];
    at = at[kind]?.[path[step + 1]];
    if (!at) return undefined;
    names.push(at.name);
    kinds = WITHIN[kind];
  }
  return names.join(".");
}
