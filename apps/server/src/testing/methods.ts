import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { errorsOf } from "@followspot/contract/method-errors";

const GENERATED = join(import.meta.dirname, "../../../../packages/contract/src/gen/followspot");

/** All services of the contract, found in the generated code so that new ones are tested, too. */
const SERVICES: readonly DescService[] = (
  await Promise.all(
    readdirSync(GENERATED)
      .toSorted()
      .map((name) => import(`@followspot/contract/${name}`) as Promise<Record<string, unknown>>),
  )
).flatMap((module) => Object.values(module).filter(isService));

/** All methods of the contract. */
export const METHODS: readonly DescMethod[] = SERVICES.flatMap((service) => service.methods);

/** Returns the path for the test server's `call`: `user.v1.UserService/GetUser`. */
export const pathOf = (method: DescMethod): string =>
  `${method.parent.typeName.slice("followspot.".length)}/${method.name}`;

const BY_PATH = new Map(METHODS.map((method) => [pathOf(method), method]));

/** @throws Error if a method responded with a code that the contract does not declare for it */
export function refuseUnnamed(path: string, code: string): void {
  const method = BY_PATH.get(path);
  if (!method || errorsOf(method).some((named) => named.code === code)) return;
  throw new Error(`${path} answered ${code}. Say when it does, in REFUSALS of packages/contract/src/method-errors.ts.`);
}

function isService(value: unknown): value is DescService {
  return typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "service";
}
