import type { Answer, Received } from './scripted-service.ts';

/**
 * Answers of a proxy in front of the service at `baseUrl`: complete answers, and answers that are lost after the
 * service has executed the request.
 */
export function forwarding(baseUrl: string) {
  const pass = async ({ method, url, headers, body }: Received) => {
    const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers;
    const response = await fetch(baseUrl + url, {
      method,
      headers: rest as Record<string, string>,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const kept = [...response.headers].filter(
      ([name]) => !['content-encoding', 'transfer-encoding', 'connection'].includes(name),
    );
    const length = { 'content-length': String(Buffer.byteLength(text)) };
    return { status: response.status, headers: { ...Object.fromEntries(kept), ...length }, text };
  };
  const forward: Answer = async (received, response) => {
    const { status, headers, text } = await pass(received);
    response.writeHead(status, headers).end(text);
  };
  const forwardAndCut: Answer = async (received, response) => {
    await pass(received);
    response.destroy();
  };
  const forwardAndCutWithinBody: Answer = async (received, response) => {
    const { status, headers, text } = await pass(received);
    response.writeHead(status, headers);
    response.write(text.slice(0, text.length / 2));
    response.socket?.destroySoon();
  };
  return { forward, forwardAndCut, forwardAndCutWithinBody };
}
