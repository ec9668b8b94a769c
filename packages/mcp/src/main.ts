import { homedir } from 'node:os';
import { join } from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createClient } from '@shopscope/client';
import { settingsFrom } from './config.ts';
import { fileBudget } from './file-budget.ts';
import { readPage } from './read-page.ts';
import { createMcpServer } from './server.ts';

/** Serves the protocol on standard input and output. */
const settings = settingsFrom(process.env);
if ('problem' in settings) {
  process.stderr.write(`shopscope-mcp: ${settings.problem}\n`);
  process.exitCode = 2;
} else {
  const { apiKey, baseUrl, dailyUnits } = settings;
  const directory = join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'shopscope');
  const server = createMcpServer({
    client: createClient({ apiKey, baseUrl, userAgent: 'shopscope-mcp' }),
    budgetStore: fileBudget(directory),
    dailyUnits,
    now: () => new Date(),
    readPage,
  });
  await server.connect(new StdioServerTransport());
}
