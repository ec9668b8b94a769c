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
    'npm run --silent keeps npm from printing a line of its own before it.',
    'The services are those of the system that npm start runs, unless KEYS_ADDRESS and METERING_ADDRESS (host:port) are',
    'set; then GRPC_TLS_CA_FILE, GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE name the certificate of the operator.',
    'Exit codes: 0 done, 1 refused or not possible, 2 wrong command line.',
    '',
  ].join('\n');
}

export function helpOf(command: Command): string {
  const options = Object.entries(command.options);
  const described: [string, Option][] = [...options, ...Object.entries(commonOptions)];
  return [
    `${prefix} ${[command.words, ...options.map(synopsis)].join(' ')}`,
    '',
    `${command.summary}${command.note ? `. ${command.note}` : ''}.`,
    '',
    ...indent([
      ...table([
        ...described.map(([name, { value, help }]) => [`--${name} ${value}`, help]),
        ['--json', 'JSON output'],
      ]),
    ]),
    '',
  ].join('\n');
}

const synopsis = ([name, { value, required }]: [string, Option]) =>
  required ? `--${name} ${value}` : `[--${name} ${value}]`;

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
