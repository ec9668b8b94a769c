import type { Command } from '../command.ts';
import { baseUrlOf, clientFor, keep } from '../credentials.ts';
import { UsageError } from '../exit-codes.ts';
import { plain } from '../table.ts';
import { write } from '../terminal.ts';

export default {
  summary: 'Keeps an API key for the other commands, in a file that only you can read.',
  usage: '[--base-url URL]',
  options: {
    '--base-url <URL>': 'address of the service; SHOPSCOPE_BASE_URL otherwise',
  },
  notes:
    'The key is read from the terminal without an echo, or from standard input. It is checked before it is kept. A test key (svc_test_) costs nothing.',
  examples: ['login --base-url http://127.0.0.1:8080', 'login < key.txt'],
  async run({ terminal, options, print }) {
    const baseUrl = options.baseUrl ?? (await baseUrlOf(terminal));
    if (!baseUrl) throw new UsageError('Which service? Give --base-url, or set SHOPSCOPE_BASE_URL.');
    const apiKey = (
      terminal.stdin.isTTY ? await terminal.ask('API key: ', { secret: true }) : await firstLine(terminal.stdin)
    ).trim();
    const client = clientFor(terminal, { apiKey, baseUrl });
    const { key, workspace, plan } = await client.getAccount({ signal: terminal.interrupted });
    const file = await keep(terminal.configFolder, { apiKey, baseUrl });
    await print(
      { key: { id: key.id, prefix: key.prefix }, workspace, file },
      () => `Key ${key.prefix}… of the workspace ${plain(workspace.name)} (plan ${plan.slug}) is kept in ${file}.\n`,
    );
    if (terminal.env.SHOPSCOPE_API_KEY) {
      await write(terminal.stderr, 'SHOPSCOPE_API_KEY is set and counts more than this key.\n');
    }
  },
} satisfies Command;

async function firstLine(stream: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk;
    if (text.includes('\n') || text.length > 1_000) break;
  }
  return text.split('\n')[0] ?? '';
}
