import { commands } from './commands/index.ts';
import { exitCodes } from './exit-codes.ts';
import { type Terminal, write } from './terminal.ts';

/**
 * Runs one command. Resolves to its exit code. Never rejects: an error is a sentence on standard error.
 *
 * The overview and the version are answered here. What runs a command, commander too, is loaded with the first command, because `npx`
 * alone takes most of the time that a person waits for `--help`.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, about] = args;
  const isHelp = name === undefined || ['help', '--help', '-h'].includes(name);
  if (isHelp && !(about !== undefined && Object.hasOwn(commands, about))) {
    await write(terminal.stdout, overview());
    return name === undefined ? exitCodes.usage : exitCodes.ok;
  }
  if (name === '--version' || name === '-v') {
    const { version } = await import('./version.ts');
    await write(terminal.stdout, `${version}\n`);
    return exitCodes.ok;
  }
  const { dispatch } = await import('./dispatch.ts');
  return dispatch(isHelp ? [about as string, '--help'] : args, terminal);
}

function overview(): string {
  const width = Math.max(...Object.keys(commands).map(({ length }) => length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`);
  return `The Shopscope API from a terminal.

Usage: shopscope COMMAND [--json] [--help]

${lines.join('')}
\`shopscope COMMAND --help\` shows the options of a command, what it costs, and examples.

First use, for example with a test key (svc_test_), which costs nothing and knows matched.test:
  shopscope login
  shopscope lookup matched.test

SHOPSCOPE_API_KEY and SHOPSCOPE_BASE_URL count more than what login stored.

Exit codes: 0 done, 1 unexpected, 2 called wrongly, 3 key or scope, 4 unknown to the service, 5 allowance spent, 6 try again later, 130 interrupted.
`;
}
