import type { DescMethod, DescService } from "@bufbuild/protobuf";

const services = new Map<string, DescService>();

/** Registers the service of a call, because answers of its methods may now be cached. */
export function noteCall({ parent }: Pick<DescMethod, "parent">): void {
  services.set(parent.typeName, parent);
}

/**
 * Returns a service that was called since the page was opened; undefined for other services, which have no cached
 * answers. Code that handles any service uses this lookup: importing all of them would add the descriptions of the
 * whole contract, 45 KB, to every page.
 */
export const calledService = (typeName: string): DescService | undefined => services.get(typeName);
