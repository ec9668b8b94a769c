import { homedir } from 'node:os';
import { join } from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { STDIO_DEFAULT_MAX_BUFFER_SIZE as maxMessageBytes } from '@modelcontextprotocol/sdk/shared/stdio.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { settingsFrom } from './config.ts';
import { dropLongLines } from './drop-long-lines.ts';
import { fileBudget } from './file-budget.ts';
import { createMcpServer, createReadKeyId } from './server.ts';
import { maxWaitSeconds } from './tools/scans.ts';

/**
 * Serves the protocol on standard input and output. Failures:
 *
 * - A message above 10 MB -> an error without an id, because its id was not read. The transport of the SDK would end
 *   silently.
 * - A line that is not a message -> a line on standard error.
 */
const settings = settingsFrom(process.env);
if ('problem' in settings) {
  report(settings.problem);
  process.exitCode = 2;
} else {
  const { client, dailyUnits } = settings;
  const directory = join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'shopscope');
  const server = createMcpServer({
    client,
    keyId: createReadKeyId(client),
    budgetStore: fileBudget(directory),
    dailyUnits,
    now: () => new Date(),
    waits: { maxSeconds: maxWaitSeconds },
    onToolCall({ tool, result, error }) {
      if (result === 'failed') report(`${tool} failed: ${messageOf(error)}`);
    },
  });
  const lines = dropLongLines(maxMessageBytes, () => {
    const message = `A message has at most ${maxMessageBytes} bytes. A longer one was not read.`;
    report(message);
    void transport.send({ jsonrpc: '2.0', error: { code: ErrorCode.InvalidRequest, message } });
  });
  const transport = new StdioServerTransport(process.stdin.pipe(lines));
  server.server.onerror = (error) => report(messageOf(error));
  await server.connect(transport);
}

/** Writes one line to standard error, which clients show or store. */
function report(text: string): void {
  process.stderr.write(`shopscope-mcp: ${text.replaceAll(/\s+/g, ' ').slice(0, 500)}\n`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
