import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from './commands/index.ts';
import { run } from './run.ts';

async function admin(line: string, env: Record<string, string> = { SHOPSCOPE_LOCAL_DIR: '/absent' }) {
  let printed = '';
  let complaint = '';
  const code = await run(line === '' ? [] : line.split(' '), {
    env,
    print: (text) => {
      printed += text;
    },
    complain: (text) => {
      complaint += text;
    },
  });
  return { code, printed, complaint };
}

describe('operator program', () => {
  it.each(['--help', '-h', 'help'])(
    'the operator program lists every command for %s with exit code 0',
    async (line) => {
      const { code, printed, complaint } = await admin(line);
      expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
      for (const { words, summary } of commands) expect(printed).toMatch(new RegExp(`^  ${words} +${summary}$`, 'm'));
    },
  );

  it.each(commands.map(({ words }) => words))(
    'the operator program explains every option of "%s" for --help',
    async (words) => {
      const { code, printed, complaint } = await admin(`${words} --help --and-whatever-else`);
      expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
      expect(printed.startsWith(`Usage: npm run admin -- ${words}`)).toBe(true);
      const options = commands.find((command) => command.words === words)?.options ?? {};
      for (const name of [...Object.keys(options), 'actor', 'json'])
        expect(printed).toMatch(new RegExp(`^  --${name} `, 'm'));
    },
  );

  it('the operator program lists the commands without a command, and fails', async () => {
    const { code, printed, complaint } = await admin('');
    expect({ code, printed }).toEqual({ code: 2, printed: '' });
    expect(complaint).toContain('workspace list');
  });

  it.each(['plan', 'plan st --plan x', 'plan set --pln free', 'plan set --plan free', 'plan set --plan free --rpm x'])(
    'the operator program fails with code 2 and a pointer to the help for a wrong command line: %s',
    async (line) => {
      const { code, printed, complaint } = await admin(line, { KEYS_ADDRESS: '127.0.0.1:1' });
      expect({ code, printed }).toEqual({ code: 2, printed: '' });
      expect(complaint).toMatch(/^.+\nnpm run admin -- .*--help .*\n$/);
    },
  );

  it('the operator program repeats a wrong command line without what could control the terminal', async () => {
    const { code, complaint } = await admin('plan set --plan \u001b[2J\u202e --pln x', { KEYS_ADDRESS: '127.0.0.1:1' });
    expect(code).toBe(2);
    expect(complaint.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect((await admin('\u001b[2J', {})).complaint).toContain('\\u{1b}[2J');
  });

  it('the operator program requires either a preset or scopes', async () => {
    const create = 'key create --workspace ws_1 --label x';
    const neither = await admin(create, { KEYS_ADDRESS: '127.0.0.1:1' });
    expect(neither).toMatchObject({ code: 2, complaint: expect.stringMatching(/^--preset .* or --scopes /) });
    const both = await admin(`${create} --preset full --scopes read:stores`, { KEYS_ADDRESS: '127.0.0.1:1' });
    expect(both).toMatchObject({ code: 2, complaint: expect.stringContaining('not both') });
  });

  it('the operator program reports what is missing to reach a service, with the remedy', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'admin-'));
    const local = { SHOPSCOPE_LOCAL_DIR: folder };
    expect((await admin('plan list')).complaint).toMatch(/^No running system .*npm start.*KEYS_ADDRESS.*\n$/);
    expect((await admin('corpus export x')).complaint).toMatch(/^No running system .*PROFILES_ADDRESS.*\n$/);
    writeFileSync(join(folder, 'ready.json'), '{');
    expect(await admin('plan list', local)).toMatchObject({ code: 1, complaint: expect.stringContaining('not JSON') });
    writeFileSync(join(folder, 'ready.json'), '{"services":{}}');
    const noService = await admin('plan list', local);
    expect(noService).toMatchObject({ code: 1, complaint: expect.stringContaining('has no keys service') });
    const half = await admin('workspace usage --workspace ws_1', { KEYS_ADDRESS: '127.0.0.1:1' });
    expect(half).toMatchObject({ code: 1, complaint: 'This command calls metering: set METERING_ADDRESS as well.\n' });
    const tls = await admin('plan list', { KEYS_ADDRESS: '127.0.0.1:1', GRPC_TLS_CA_FILE: '/absent' });
    expect(tls).toMatchObject({ code: 1, complaint: expect.stringContaining('GRPC_TLS_CERT_FILE: is required') });
  });
});
