import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyStatus } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type DevEnv, startDevEnv } from '../../../src/index.ts';
import { apiClient } from '../client.ts';
import { runAdmin, runProgram, startAdmin } from './command.ts';

/** Against the real services with mutual TLS. */
describe('npm run admin', { timeout: 180_000 }, () => {
  let env: DevEnv;
  let folder: string;
  let variables: Record<string, string>;
  let workspaceId: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'admin-'));
    env = await startDevEnv({ label: 'admin', tls: true });
    const addressOf = (name: string) => env.services.find((service) => service.name === name)?.grpcAddress ?? '';
    variables = {
      KEYS_ADDRESS: addressOf('keys'),
      METERING_ADDRESS: addressOf('metering'),
      PROFILES_ADDRESS: addressOf('profiles'),
      ...env.tls.variables('operator'),
    };
    workspaceId = (await json('workspace create', '--name', 'Acme', '--plan', 'growth')).id;
  });
  afterAll(async () => {
    await env?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const admin = (command: string, ...options: string[]) => runAdmin([...command.split(' '), ...options], variables);
  const text = async (command: string, ...options: string[]) => {
    const finished = await admin(command, ...options);
    expect(finished).toMatchObject({ code: 0, stderr: '' });
    return finished.stdout;
  };
  const json = async (command: string, ...options: string[]) => JSON.parse(await text(command, ...options, '--json'));
  const refused = async (code: number, command: string, ...options: string[]) => {
    const finished = await admin(command, ...options);
    expect(finished).toMatchObject({ code, stdout: '' });
    expect(finished.stderr).not.toMatch(/\n\s+at /);
    return finished.stderr;
  };
  const status = async (secret: string, path = '/v1/account') =>
    (await fetch((env.apiUrls[0] as string) + path, { headers: { authorization: `Bearer ${secret}` } })).status;
  const instant = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);

  it("key commands print the API's names and values, and the secret only when a key is created", async () => {
    const options = ['--workspace', workspaceId, '--label', 'ci', '--preset', 'full', '--expires-at', '2999-01-01'];
    const { secret, ...created } = await json('key create', ...options);
    expect(created).toEqual({
      id: expect.stringMatching(/^key_/),
      workspace_id: workspaceId,
      label: 'ci',
      prefix: secret.slice(0, 13),
      environment: 'live',
      scopes: expect.arrayContaining(['read:stores', 'write:scans']),
      preset: 'full',
      status: 'active',
      created_at: instant,
      created_by: expect.stringMatching(/^operator:/),
      created_from: null,
      last_used_at: null,
      expires_at: '2999-01-01T00:00:00.000Z',
      revoked_at: null,
      revoked_by: null,
    });
    expect(await status(secret)).toBe(200);
    // A gateway reports the use some seconds later.
    const used = { ...created, last_used_at: expect.toBeOneOf([null, instant]) };
    expect(await json('key show', '--workspace', workspaceId, '--key', created.id)).toEqual(used);
    expect(await json('key list', '--workspace', workspaceId)).toEqual({ data: [used], next_cursor: null });
    const shown = await text('key show', '--workspace', workspaceId, '--key', created.id);
    expect(shown).toMatch(/^status +active$/m);
    expect(shown).not.toContain(secret.slice(13));

    const revoked = await json('key revoke', '--workspace', workspaceId, '--key', created.id);
    expect(revoked).toEqual({ ...used, status: 'revoked', revoked_at: instant, revoked_by: created.created_by });
  });

  it('key create prints with a new secret that it cannot be read again', async () => {
    const shown = await text('key create', '--workspace', workspaceId, '--label', 'one', '--preset', 'read_only');
    expect(shown).toMatch(/^secret {2}svc_live_\w{40}$/m);
    expect(shown).toContain('the only time');
  });

  it('key create is refused without a preset or scopes', async () => {
    const said = await refused(2, 'key create', '--workspace', workspaceId, '--label', 'x');
    expect(said).toMatch(/--preset .* or --scopes .* is required/);
  });

  it('workspace list prints a table with one line for each workspace', async () => {
    const [head, ...rows] = (await text('workspace list')).trimEnd().split('\n');
    expect(head?.split(/ {2,}/)).toEqual(['id', 'name', 'plan_slug', 'status', 'created_at']);
    const row = rows.find((line) => line.startsWith(workspaceId));
    expect(row?.split(/ {2,}/)).toEqual([workspaceId, 'Acme', 'growth', 'active', instant]);
  });

  it('plan set changes only existing plans, and plan create creates only new ones', async () => {
    expect(await refused(1, 'plan set', '--plan', 'grwth', '--rpm', '5')).toMatch(
      /not_found: .*"grwth".*free, growth, scale, starter/,
    );
    expect(await refused(1, 'plan create', '--plan', 'growth')).toMatch(/conflict: .*growth/);
    expect(await refused(2, 'plan set', '--plan', 'growth')).toContain('--rpm');
  });

  it('plan commands create, change and delete a plan, but do not delete a plan that a workspace uses', async () => {
    const created = await json('plan create', '--plan', 'bespoke', '--from', 'scale', '--rpm', '7', '--lists', '8');
    expect(created).toMatchObject({ slug: 'bespoke', limits: { rpm: 7, concurrency: 50 } });
    const { quotas } = await json('plan show', '--plan', 'scale');
    expect(created.quotas).toEqual({ ...quotas, lists: 8 });
    expect(created.included).toMatchObject({ lookup_cached: 2_500_000 });
    const changed = await json('plan set', '--plan', 'bespoke', '--live-refreshes', '9');
    expect(changed.limits).toEqual({ ...created.limits, live_refreshes_per_period: 9 });
    expect(changed.included).toEqual({ ...created.included, lookup_live: 9 });
    const narrowed = await json('plan set', '--plan', 'bespoke', '--watched-stores', '0', '--webhooks', '1');
    expect(narrowed).toEqual({ ...changed, quotas: { ...created.quotas, watched_stores: 0, webhooks: 1 } });
    const { id } = await json('workspace create', '--name', 'Bespoke', '--plan', 'bespoke');
    expect(await refused(1, 'plan delete', '--plan', 'bespoke')).toContain('1 workspace is on plan bespoke');
    await text('workspace plan', '--workspace', id, '--plan', 'free');
    expect(await json('plan delete', '--plan', 'bespoke')).toEqual({ slug: 'bespoke', deleted: true });
    const { data } = await json('plan list');
    expect(data.map(({ slug }: { slug: string }) => slug)).toEqual(['free', 'growth', 'scale', 'starter']);
    const { data: entries } = await json('audit list');
    expect(entries.slice(0, 4).map(({ action }: { action: string }) => action)).toEqual([
      'plan.deleted',
      'plan.changed',
      'plan.changed',
      'plan.created',
    ]);
    expect(entries[0]).toEqual({
      id: expect.stringMatching(/^aud_/),
      workspace_id: null,
      actor: expect.stringMatching(/^operator:/),
      actor_email: null,
      actor_name: null,
      actor_address: null,
      action: 'plan.deleted',
      subject_id: 'bespoke',
      subject_email: null,
      subject_name: null,
      detail: '',
      created_at: instant,
      sequence: entries.length,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('audit verify checks the audit log of one workspace or of all, also of a deleted one', async () => {
    const { workspaceId: id } = await env.createWorkspace({ name: 'Verified' });
    const intact = { state: 'intact', unchained_entries: 0, broken_sequence: null, fault: null };
    const one = await json('audit verify', '--workspace', id);
    expect(one).toEqual({ data: [{ workspace_id: id, entries: 2, ...intact }], next_cursor: null });
    const { data } = await json('audit verify');
    expect(data[0]).toMatchObject({ workspace_id: null, ...intact });
    expect(data).toContainEqual({ workspace_id: id, entries: 2, ...intact });
    expect(await refused(1, 'audit verify', '--workspace', 'ws_none')).toContain('not_found');

    await env.keys.deleteWorkspace({ workspaceId: id, actor: 'operator:test', actorAddress: '' });
    const { data: listed } = await json('audit list', '--workspace', id);
    expect(listed).toContainEqual(expect.objectContaining({ action: 'workspace.deleted', detail: 'Verified' }));
    expect(await text('audit verify', '--workspace', id)).toMatch(new RegExp(`^${id} +intact +4 +0 +- +-$`, 'm'));
  });

  it('audit list prints what people were called at that time beside their ids, in the order of the columns', async () => {
    const { workspaceId: id } = await env.createWorkspace({ name: 'Renamed' });
    const actorPerson = { name: 'مدير', email: 'mallory@acme.example' };
    const change = { workspaceId: id, name: 'متجر', actor: 'usr_mallory', actorAddress: '192.0.2.1', actorPerson };
    await env.keys.renameWorkspace(change);
    const { data } = await json('audit list', '--workspace', id);
    expect(data[0]).toMatchObject({ actor: 'usr_mallory', actor_email: 'mallory@acme.example', actor_name: 'مدير' });
    expect(await text('audit list', '--workspace', id)).toMatch(
      /usr_mallory +mallory@acme\.example +\u2068مدير\u2069 +192\.0\.2\.1 +workspace\.renamed .*Renamed → \u2068متجر\u2069$/m,
    );
  });

  it('workspace suspend and resume affect all keys of the workspace, also at a gateway that has them in its cache', async () => {
    const { workspaceId: id, secret } = await env.createWorkspace({ name: 'Suspended' });
    expect(await status(secret)).toBe(200);
    const suspended = await json('workspace suspend', '--workspace', id);
    expect(suspended).toMatchObject({ id, status: 'suspended', suspended_at: instant });
    await vi.waitFor(async () => expect(await status(secret)).toBe(401), { timeout: 60_000, interval: 100 });
    expect(await json('workspace resume', '--workspace', id)).toMatchObject({ status: 'active', suspended_at: null });
    await vi.waitFor(async () => expect(await status(secret)).toBe(200), { timeout: 60_000, interval: 500 });
    const { data } = await json('audit list', '--workspace', id);
    const actions = data.map(({ action }: { action: string }) => action);
    expect(actions.slice(0, 2)).toEqual(['workspace.resumed', 'workspace.suspended']);
  });

  it('workspace usage shows the same usage as GET /v1/usage', async () => {
    const { workspaceId: id, secret, keyId } = await env.createWorkspace({ name: 'Used' });
    const api = (path: string, body?: unknown) =>
      fetch((env.apiUrls[0] as string) + path, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const { domain } = env.demoStores.domains[0] as { domain: string };
    expect((await api('/v1/stores/enrich', { domains: [domain], refresh: true })).status).toBe(200);
    await env.settle();
    const usage = await json('workspace usage', '--workspace', id);
    expect(usage).toEqual(await (await api('/v1/usage')).json());
    expect(usage.by_key).toEqual([
      expect.objectContaining({ key_id: keyId, used: expect.objectContaining({ lookup_live: 1 }) }),
    ]);
    const month = usage.period.starts_at.slice(0, 7);
    expect(await json('workspace usage', '--workspace', id, '--period', month)).toEqual(usage);
    const earlier = await json('workspace usage', '--workspace', id, '--period', '2020-01');
    expect(earlier.period).toMatchObject({ starts_at: '2020-01-01T00:00:00.000Z', included: null });
    expect(earlier.period.used.lookup_live).toBe(0);
    const shown = await text('workspace usage', '--workspace', id);
    expect(shown).toMatch(/^period\.used\.lookup_live +1$/m);
    expect(await refused(1, 'workspace usage', '--workspace', id, '--period', '2999-01')).toContain('period_start_ms');
  });

  it('setup creates a workspace and a key only once, and reports existing ones', async () => {
    const options = ['--workspace', 'First', '--label', 'first', '--preset', 'full', '--plan', 'growth'];
    const first = await json('setup', ...options);
    expect(first).toMatchObject({ created: true, workspace: { name: 'First', plan_slug: 'growth' } });
    expect(await status(first.secret)).toBe(200);
    const second = await json('setup', ...options);
    expect(second).toEqual({ created: false, workspace: first.workspace, key: null, secret: null });
    expect(await text('setup', ...options)).toMatch(/^already set up: workspace ws_/);
    const { data } = await json('key list', '--workspace', first.workspace.id);
    // The gateway may have reported the use of the key meanwhile.
    expect(data).toEqual([{ ...first.key, last_used_at: expect.toBeOneOf([null, expect.any(String)]) }]);
  });

  it('pepper list shows which pepper the active keys are hashed with', async () => {
    const { data } = await json('pepper list');
    expect(data).toEqual([{ id: '1', state: 'current', usable_keys: expect.any(Number) }]);
    expect(data[0].usable_keys).toBeGreaterThan(0);
  });

  it('workspace show prints a workspace with its plan, and an unknown workspace is not_found', async () => {
    const shown = await json('workspace show', '--workspace', workspaceId);
    expect(shown).toMatchObject({ id: workspaceId, plan: { slug: 'growth', limits: { rpm: 600 } } });
    // An empty list would hide a mistyped id.
    for (const command of ['workspace show', 'key list', 'audit list', 'workspace usage']) {
      expect(await refused(1, command, '--workspace', 'ws_none'), command).toContain('not_found');
    }
  });

  it('npm run admin writes the result to stdout and the reason of a failure to stderr, with its exit code', async () => {
    const program = (...args: string[]) => runProgram(args, variables);
    const [shown, unknown, mistyped] = await Promise.all([
      program('workspace', 'show', '--workspace', workspaceId),
      program('workspace', 'show', '--workspace', 'ws_none'),
      program('workspace', 'shwo'),
    ]);
    expect(shown).toEqual({ code: 0, stdout: expect.stringContaining(workspaceId), stderr: '' });
    expect(unknown).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('not_found') });
    expect(mistyped).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('workspace show') });
  });

  it('npm run admin ends without an error when the reader closes the pipe', async () => {
    const child = startAdmin(['plan', 'list', '--json'], variables);
    child.stdout.destroy();
    let complaint = '';
    child.stderr.on('data', (chunk) => {
      complaint += String(chunk);
    });
    const [code] = await once(child, 'close');
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  });

  it('npm run admin finds the services of the running local system', async () => {
    const url = (address: string) => [{ url: `grpc://${address}` }];
    const services = { keys: url(variables.KEYS_ADDRESS ?? ''), metering: url(variables.METERING_ADDRESS ?? '') };
    const ready = { services, operator_tls: env.tls.variables('operator') };
    writeFileSync(join(folder, 'ready.json'), JSON.stringify(ready));
    const finished = await runAdmin(['workspace', 'usage', '--workspace', workspaceId], {
      SHOPSCOPE_LOCAL_DIR: folder,
    });
    expect(finished).toMatchObject({ code: 0, stderr: '' });
  });

  it('npm run admin reports in one line that no system runs, that a service does not respond or that it refuses', async () => {
    const nothing = await runAdmin(['plan', 'list'], { SHOPSCOPE_LOCAL_DIR: join(folder, 'empty') });
    expect(nothing).toMatchObject({ code: 1, stdout: '' });
    expect(nothing.stderr).toMatch(/^No running system .* npm start.*\n$/);
    const away = await runAdmin(['plan', 'list'], { KEYS_ADDRESS: '127.0.0.1:1' });
    expect(away).toMatchObject({ code: 1, stdout: '' });
    expect(away.stderr).toMatch(/^keys does not answer at 127\.0\.0\.1:1: .*\n$/);
    const foreign = await runAdmin(['plan', 'list'], { ...variables, ...env.tls.variables('scanner') });
    expect(foreign).toMatchObject({ code: 1, stdout: '' });
    expect(foreign.stderr).toMatch(/^[^\n]*operator[^\n]*\n$/);
  });

  it('a revoked key stays revoked while its workspace is suspended', async () => {
    const { workspaceId: id, keyId } = await env.createWorkspace({ name: 'Both' });
    await env.keys.revokeKey({ workspaceId: id, keyId, actor: 'operator:test', actorAddress: '' });
    await env.keys.suspendWorkspace({ workspaceId: id, actor: 'operator:test' });
    const { key } = await env.keys.getKey({ workspaceId: id, keyId });
    expect(key?.status).toBe(KeyStatus.REVOKED);
  });

  it('an imported store is updated by the next scan, although its sequence is higher than that of any scan', async () => {
    const path = join(folder, 'store.ndjson');
    const seen = { sequence: 40, completed_at: '2026-01-01T00:00:00Z', outcome: 'observed', status: 'parked' };
    const domain = 'atelier-sucre.example';
    writeFileSync(path, `${JSON.stringify({ domain, observations: [{ ...seen, name: 'Imported' }] })}\n`);
    await text('corpus import', path);
    await env.settle();
    const { secret } = await env.createWorkspace({ plan: 'scale' });
    const api = apiClient(env.apiUrls[0] as string, secret);
    const nameOf = async () => (await api.get(`/v1/stores/${domain}`)).body.store.name;
    expect(await nameOf()).toBe('Imported');
    await api.enrich({ domains: [domain], refresh: true });
    await env.settle();
    expect(await nameOf()).toBe('Atelier Sucré');
  });
});
