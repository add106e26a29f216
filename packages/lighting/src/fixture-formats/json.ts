/** JSON from outside. Values of an unexpected type are treated as missing. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a field by own property, because a file may name a channel `constructor`. */
export const fieldOf = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

export const textAt = (object: JsonObject, name: string): string => {
  const value = fieldOf(object, name);
  return typeof value === "string" ? value : "";
};

export const objectAt = (object: JsonObject, name: string): JsonObject => {
  const value = fieldOf(object, name);
  return isObject(value) ? value : {};
};

export const listAt = (object: JsonObject, name: string): readonly unknown[] => {
  const value = fieldOf(object, name);
  return Array.isArray(value) ? value : [];
};
