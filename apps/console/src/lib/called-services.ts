import type { DescMethod, DescService } from "@bufbuild/protobuf";

const services = new Map<string, DescService>();

/** Notes the service of a call: from then on answers of its methods may be held. */
export function noteCall({ parent }: Pick<DescMethod, "parent">): void {
  services.set(parent.typeName, parent);
}

/**
 * A service that was called since the page was opened; undefined for others, of which no answer is held. Code that needs any
 * service asks here: to import all of them would cost every page the descriptions of the whole contract, 45 KB.
 */
export const calledService = (typeName: string): DescService | undefined => services.get(typeName);
