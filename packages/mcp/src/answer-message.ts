import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createMcpServer, type McpServerOptions } from './server.ts';

/**
 * Answers one message of the streamable HTTP transport by itself: no session, no stream.
 *
 * - The caller of this function has checked the Host, the Origin and the key, and has read the message.
 * - Only the headers of `request` are read.
 * - The signal is aborted -> running tools end, and the promise rejects with its reason.
 */
export async function answerMessage(
  options: McpServerOptions,
  { request, message, signal }: { request: Request; message: unknown; signal: AbortSignal },
): Promise<Response> {
  const server = createMcpServer(options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport as never);
    const response = transport.handleRequest(request, { parsedBody: message });
    return await Promise.race([response, rejection(signal)]);
  } finally {
    await server.close();
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
