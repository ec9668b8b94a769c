import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '@shopscope/errors';
import { createGrpcClient, type GrpcSecurity, operatorSecurity } from '@shopscope/grpc';
import { KeysServiceService } from '@shopscope/proto';
import { type CommandInput, commands, UsageError } from './commands.ts';

/** `npm run admin -- key create …`: finds the keys service, runs one command, prints its answer as JSON. */
async function main(args: string[]): Promise<number> {
  const command = commands.find(({ words }) => args.slice(0, 2).join(' ') === words);
  if (!command) return usage();
  try {
    const options = Object.fromEntries(
      [...command.options, 'actor'].map((name) => [name, { type: 'string' as const }]),
    );
    const { values } = parseArgs({ args: args.slice(2), options, strict: true });
    const { address, security } = keysService();
    const keys = createGrpcClient({ definition: KeysServiceService, address, security: security.towards('keys') });
    try {
      print(await command.run(keys, inputOf(values as Record<string, string | undefined>)));
      return 0;
    } finally {
      keys.close();
      security.close();
    }
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return 1;
  }
}

function inputOf(values: Record<string, string | undefined>): CommandInput {
  const optional = (option: string) => values[option];
  return {
    optional,
    need: (option) => {
      const value = optional(option);
      if (!value) throw new UsageError(`--${option} is needed`);
      return value;
    },
    count: (option) => {
      const value = optional(option);
      if (value !== undefined && !/^\d{1,13}$/.test(value)) throw new UsageError(`--${option} must be a whole number`);
      return value === undefined ? undefined : Number(value);
    },
    actor: values.actor ?? `operator:${userInfo().username}`,
  };
}

/** KEYS_ADDRESS with GRPC_TLS_*_FILE, or the keys service of the running local system. */
function keysService(): { address: string; security: GrpcSecurity } {
  if (process.env.KEYS_ADDRESS) return { address: process.env.KEYS_ADDRESS, security: operatorSecurity(process.env) };
  const path = join(process.env.SHOPSCOPE_LOCAL_DIR ?? '.local', 'ready.json');
  let ready: { services: { keys: { url: string }[] }; operator_tls?: Record<string, string> };
  try {
    ready = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new UsageError(`no running system is recorded in ${path}; start one with npm start, or set KEYS_ADDRESS`);
  }
  const address = ready.services.keys[0]?.url.replace(/^\w+:\/\//, '') ?? '';
  return { address, security: operatorSecurity(ready.operator_tls ?? {}) };
}

function messageOf(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.publicMessage}`;
  return error instanceof Error ? error.message : String(error);
}

function print(value: unknown): void {
  const readable = (key: string, member: unknown) =>
    key.endsWith('AtMs') && typeof member === 'number' ? new Date(member).toISOString() : member;
  process.stdout.write(`${JSON.stringify(value, readable, 2)}\n`);
}

function usage(): number {
  const lines = commands.map(({ words, help }) => `  npm run admin -- ${words} ${help}`.trimEnd());
  process.stderr.write(`Commands:\n${lines.join('\n')}\n`);
  return 2;
}

process.exitCode = await main(process.argv.slice(2));
