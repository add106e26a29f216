// What the proto files let a field hold, in words: the console's descriptors come without the rules, which weigh more than a screen.

const RULES = "[buf.validate.field]";

/** Full name of a field → its limits in words, in the order of the names, of the product's own files in an image of buf's. */
export function limitsOf(image) {
  const limits = image.file
    .filter((file) => file.package.startsWith("followspot."))
    .flatMap((file) => (file.messageType ?? []).flatMap((message) => ofMessage(message, file.package)));
  return Object.fromEntries(limits.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function ofMessage({ name, field = [], nestedType = [] }, parent) {
  const fullName = `${parent}.${name}`;
  const own = field.flatMap(({ name: fieldName, options }) => {
    const words = options?.[RULES] && wordsOf(options[RULES]);
    return words ? [[`${fullName}.${fieldName}`, words]] : [];
  });
  return [...own, ...nestedType.flatMap((inner) => ofMessage(inner, fullName))];
}

/** The rules of one field, for a person; empty where they say nothing that a person can keep to. */
function wordsOf(rules) {
  const { string, bytes, repeated, ...others } = rules;
  const number = ["int32", "uint32", "int64", "uint64", "double", "float"].map((kind) => others[kind]).find(Boolean);
  return [
    rules.required && "required",
    string && ofString(string),
    bytes && range(bytes.minLen, bytes.maxLen, "bytes"),
    number && ofNumber(number),
    repeated && ofList(repeated),
  ]
    .filter(Boolean)
    .join(", ");
}

function ofString({ in: values, minLen, maxLen, len }) {
  if (values) return `one of ${values.map((value) => (value === "" ? "empty" : value)).join(", ")}`;
  return len ? `${len} characters` : range(minLen, maxLen, "characters");
}

function ofList({ minItems, maxItems, unique, items }) {
  const each = items && wordsOf(items);
  return [range(minItems, maxItems, "items"), unique && "no two alike", each && `each ${each}`]
    .filter(Boolean)
    .join(", ");
}

function ofNumber({ gte, gt, lte, lt }) {
  const floor = counted(gte ?? gt);
  const roof = counted(lte ?? lt);
  if (floor !== undefined && roof !== undefined && gt === undefined && lt === undefined) return `${floor} to ${roof}`;
  return [
    floor !== undefined && (gt === undefined ? `at least ${floor}` : `above ${floor}`),
    roof !== undefined && (lt === undefined ? `at most ${roof}` : `below ${roof}`),
  ]
    .filter(Boolean)
    .join(", ");
}

/** 10000 as "10,000"; undefined stays. */
const counted = (number) =>
  number === undefined ? undefined : Number(number).toLocaleString("en", { maximumFractionDigits: 6 });

function range(from, to, what) {
  const [least, most] = [from, to].map((number) => (Number(number) > 0 ? counted(number) : undefined));
  if (least && most) return least === most ? `${least} ${what}` : `${least} to ${most} ${what}`;
  if (most) return `at most ${most} ${what}`;
  return least ? `at least ${least} ${what}` : "";
}
