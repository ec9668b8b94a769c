import { homedir } from 'node:os';
import { join } from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createClient } from '@shopscope/client';
import { settingsFrom } from './config.ts';
import { fileBudget } from './file-budget.ts';
import { createMcpServer, createReadKeyId } from './server.ts';

/** Serves the protocol on standard input and output. */
const settings = settingsFrom(process.env);
if ('problem' in settings) {
  process.stderr.write(`shopscope-mcp: ${settings.problem}\n`);
  process.exitCode = 2;
} else {
  const { apiKey, baseUrl, dailyUnits } = settings;
  const directory = join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'shopscope');
  const client = createClient({ apiKey, baseUrl, userAgent: 'shopscope-mcp' });
  const server = createMcpServer({
    client,
    keyId: createReadKeyId(client),
    budgetStore: fileBudget(directory),
    dailyUnits,
    now: () => new Date(),
    // Clients of the protocol give up after a minute.
    waits: { maxSeconds: 50 },
    onToolCall({ tool, result, error }) {
      if (result === 'failed') process.stderr.write(`shopscope-mcp: ${tool} failed: ${messageOf(error)}\n`);
    },
  });
  await server.connect(new StdioServerTransport());
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
