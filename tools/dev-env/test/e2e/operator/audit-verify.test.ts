import { createGrpcServer, type GrpcServer, type Handlers } from '@shopscope/grpc';
import { KeysServiceService } from '@shopscope/proto';
import { silentTelemetry } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAdmin } from './command.ts';

type KeysHandlers = Handlers<typeof KeysServiceService>;

/** The real program against a stand-in of keys, whose logs can be broken. */
describe('audit verify', { timeout: 60_000 }, () => {
  /** More than one page. */
  const ids = Array.from({ length: 203 }, (_, n) => `ws_${String(n).padStart(4, '0')}`);
  const brokenId = 'ws_0201';
  let server: GrpcServer;
  let variables: Record<string, string>;
  let verified: string[] = [];
  let broken = new Set<string>();

  const handlers: Partial<KeysHandlers> = {
    listWorkspaces: async ({ afterId, limit }) => {
      const found = ids.filter((id) => id > afterId).slice(0, limit);
      const workspace = { name: 'Acme', planSlug: 'free', createdAtMs: 1, suspendedAtMs: undefined };
      return { workspaces: found.map((id) => ({ id, ...workspace })) };
    },
    verifyAuditLog: async ({ workspaceId }) => {
      verified.push(workspaceId);
      const fault = broken.has(workspaceId) ? { brokenSequence: 3, fault: 'missing' } : { fault: '' };
      return { entries: 2, unchainedEntries: 1, brokenSequence: undefined, ...fault };
    },
  };

  beforeAll(async () => {
    server = createGrpcServer({ host: '127.0.0.1', port: 0, ...silentTelemetry() });
    server.addService(KeysServiceService, handlers as KeysHandlers);
    variables = { KEYS_ADDRESS: await server.listen() };
  });
  afterAll(() => server?.stop());

  const run = (...options: string[]) => {
    verified = [];
    return runAdmin(['audit', 'verify', ...options], variables);
  };

  it('audit verify checks the log of all workspaces and that of every workspace, and ends with code 0', async () => {
    broken = new Set();
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(verified).toEqual(['', ...ids]);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1 + 1 + ids.length);
  });

  it('audit verify ends with code 1 when one log is broken, and prints its first wrong entry', async () => {
    broken = new Set([brokenId]);
    const finished = await run('--json');
    expect(finished).toMatchObject({ code: 1, stderr: '' });
    const { data } = JSON.parse(finished.stdout);
    expect(data.filter(({ state }: { state: string }) => state === 'broken')).toEqual([
      {
        workspace_id: brokenId,
        state: 'broken',
        entries: 2,
        unchained_entries: 1,
        broken_sequence: 3,
        fault: 'missing',
      },
    ]);
    expect(data).toHaveLength(1 + ids.length);
    const table = await run();
    expect(table.stdout).toMatch(new RegExp(`^${brokenId} +broken +2 +1 +3 +missing$`, 'm'));
  });

  it('audit verify checks one workspace alone', async () => {
    broken = new Set([brokenId]);
    expect(await run('--workspace', 'ws_0001')).toMatchObject({ code: 0, stderr: '' });
    expect(verified).toEqual(['ws_0001']);
    expect(await run('--workspace', brokenId)).toMatchObject({ code: 1, stderr: '' });
  });
});
