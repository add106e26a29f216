const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([/?#].*)?$/;

/**
 * Returns one address per host of `postgres://user:password@one:5432,two:5432/name`, for a database and its failover
 * hosts.
 * @throws TypeError if the text is not an address of PostgreSQL
 */
export function addressesOf(url: string): readonly string[] {
  const [, before = "", hosts = "", after = ""] = ADDRESS.exec(url) ?? [];
  const listed = hosts.split(",");
  // A single host may be omitted in favor of PGHOST.
  if (listed.length > 1 && listed.includes("")) throw new TypeError("a host is missing");
  return listed.map((host) => new URL(`${before}${host}${after}`).href);
}

/** Returns an address with another user and password. All its hosts, the database name and the options stay. */
export function withLogin(url: string, user: string, password: string): string {
  const [scheme, rest] = url.split(/(?<=^postgres(?:ql)?:\/\/)/);
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return `${scheme}${login}${rest?.replace(/^[^@/?#]*@/, "")}`;
}

export function isDatabaseUrl(text: string): boolean {
  try {
    return addressesOf(text).length > 0;
  } catch {
    return false;
  }
}
