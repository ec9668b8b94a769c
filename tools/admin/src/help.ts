import type { Command, Option } from './command.ts';
import { table } from './output/table.ts';
import { commonOptions } from './parse.ts';

const prefix = 'npm run admin --';

export function helpOfAll(commands: readonly Command[]): string {
  return [
    `${prefix} COMMAND [options]`,
    '',
    ...indent(table(commands.map(({ words, summary }) => [words, summary]))),
    '',
    `${prefix} COMMAND --help shows the options of one command. --json prints one JSON document with the API's names;`,
    'npm run --silent omits the line that npm prints before it.',
    'The services are those of the system that npm start runs, unless KEYS_ADDRESS, METERING_ADDRESS, DASHBOARD_ADDRESS,',
    'PROFILES_ADDRESS and SCAN_SCHEDULER_ADDRESS (host:port) are set. Then GRPC_TLS_CA_FILE, GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE are the files of',
    'the operator certificate.',
    'Exit codes: 0 success, 1 refused or failed, 2 invalid command line, 130 interrupted.',
    '',
  ].join('\n');
}

export function helpOf(command: Command): string {
  const options = Object.entries(command.options);
  const { operand } = command;
  const described: [string, Option][] = [...options, ...Object.entries(commonOptions)];
  return [
    `${prefix} ${[command.words, ...(operand ? [operand.name] : []), ...options.map(synopsis)].join(' ')}`,
    '',
    `${command.summary}${command.note ? `. ${command.note}` : ''}.`,
    '',
    ...indent([
      ...table([
        ...(operand ? [[operand.name, operand.help]] : []),
        ...described.map(([name, { value, help }]) => [`--${name} ${value}`.trimEnd(), help]),
        ['--json', 'JSON output'],
      ]),
    ]),
    '',
  ].join('\n');
}

const synopsis = ([name, { value, required }]: [string, Option]) => {
  const text = `--${name} ${value}`.trimEnd();
  return required ? text : `[${text}]`;
};

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
