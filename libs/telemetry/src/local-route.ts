import type { IncomingMessage } from 'node:http';

/**
 * A further route of the admin port, for development. It takes and returns JSON.
 *
 * - The caller is another machine, or a web page under a host name that is not local -> 403.
 * - The method is another one -> 405. The body is not JSON -> 400. The body is longer than {@link maxBodyBytes} -> 413.
 */
export interface LocalRoute {
  method: 'PUT';
  path: string;
  handle(body: unknown): LocalAnswer;
}

export interface LocalAnswer {
  status: number;
  body: unknown;
}

const maxBodyBytes = 1_024;

export async function callLocalRoute(route: LocalRoute, request: IncomingMessage): Promise<LocalAnswer> {
  if (!isLocal(request)) return refused(403, 'only programs on this machine may call this path');
  if (request.method !== route.method) return refused(405, `use ${route.method}`);
  const text = await textOf(request);
  if (text === undefined) return refused(413, `the body has more than ${maxBodyBytes} bytes`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refused(400, 'the body must be JSON');
  }
  return route.handle(body);
}

const refused = (status: number, error: string): LocalAnswer => ({ status, body: { error } });

/** A web page can reach loopback addresses by a name of its own. The name in the request therefore has to be local, too. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isLocalName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(headers.host ?? '');
  return isLocalName && /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(socket.remoteAddress ?? '');
}

async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // The rest is read and dropped. Leaving the loop early would close the connection before the answer.
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  return bytes <= maxBodyBytes ? Buffer.concat(chunks).toString() : undefined;
}
