import { isIPv6 } from 'node:net';

/** Parses host or host:port, where the host may be an IPv6 address in brackets. Returns undefined for other texts. */
export function addressOf(entry: string, defaultPort: number) {
  const [, name, address, port = String(defaultPort)] =
    /^(?:([\w.-]+)|\[([\da-f:.]+)\])(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  const host = name ?? address;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined;
  return address !== undefined && !isIPv6(address) ? undefined : { host, port: Number(port) };
}

/** Returns the user and the password, empty ones if they are absent, or nothing if one of them is not in percent-encoding. */
export function decodedCredentials(credentials: string): [username?: string, password?: string] {
  const at = credentials.indexOf(':');
  const parts = at < 0 ? [credentials, ''] : [credentials.slice(0, at), credentials.slice(at + 1)];
  try {
    return parts.map(decodeURIComponent) as [string, string];
  } catch {
    return [];
  }
}
