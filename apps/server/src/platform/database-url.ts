const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([/?#].*)?$/;

/**
 * One address per host of `postgres://user:password@one:5432,two:5432/name`: of a database and those that take over from it.
 * @throws TypeError for what is no address of a PostgreSQL
 */
export function addressesOf(url: string): readonly string[] {
  const [, before = "", hosts = "", after = ""] = ADDRESS.exec(url) ?? [];
  const listed = hosts.split(",");
  // One alone may be left to PGHOST.
  if (listed.length > 1 && listed.includes("")) throw new TypeError("a host is missing");
  return listed.map((host) => new URL(`${before}${host}${after}`).href);
}

export function isDatabaseUrl(text: string): boolean {
  try {
    return addressesOf(text).length > 0;
  } catch {
    return false;
  }
}
