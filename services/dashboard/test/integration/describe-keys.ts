import type { Visitor } from '@shopscope/browser/visitor';
import { createKafka, createProducer, type EventProducer, type Kafka } from '@shopscope/kafka';
import { GatewayAck, GatewayReport, gatewayAck, KeyActivity, KeyChange, keyActivity } from '@shopscope/proto';
import { kafkaOptions, waitUntil } from '@shopscope/testing';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from './support/html.ts';
import type { TestSystem } from './support/system.ts';
import { createKey as addKey } from './support/usage.ts';

export function describeKeys(shared: () => TestSystem): void {
  describe('keys', () => {
    let system: TestSystem;
    let kafka: Kafka;
    let producer: EventProducer;

    beforeAll(async () => {
      system = shared();
      kafka = createKafka(kafkaOptions(system.namespace));
      producer = createProducer(kafka, { sendTimeoutMs: 60_000 });
    });
    afterAll(async () => {
      await producer.close();
      await kafka.close();
    });

    let workspaces = 0;

    async function startWorkspace() {
      workspaces += 1;
      const ann = await system.person(`Ann Admin ${workspaces}`);
      const mia = await system.person(`Mia Member ${workspaces}`);
      const { workspaceId } = await system.workspace('Acme', [
        { id: ann.id, role: 'admin' },
        { id: mia.id, role: 'member' },
      ]);
      const base = `/workspaces/${workspaceId}/settings/keys`;
      return { ann, mia, workspaceId, base, admin: await system.signIn(ann), member: await system.signIn(mia) };
    }

    const tokenIn = (html: string) => /name="request_token" value="([^"]+)"/.exec(html)?.[1] as string;
    const secretIn = (html: string) => /<code[^>]*>(svc_live_[0-9A-Za-z]{40})<\/code>/.exec(html)?.[1];

    const form = { label: 'Import job', environment: 'live', access: 'read_only', expires: 'none', expires_on: '' };

    async function createKey(browser: Visitor, base: string, fields: Record<string, string> = {}) {
      const token = tokenIn(await (await browser.get(`${base}/new`)).text());
      const response = await browser.submit(`${base}/new`, { ...form, request_token: token, ...fields });
      const html = await response.text();
      return { response, html, token, secret: secretIn(html) as string };
    }

    const keysOf = async (workspaceId: string) =>
      (await system.clients.keys.listKeys({ workspaceId, includeInactive: true })).keys;

    const ack = (report: Partial<GatewayAck>) => GatewayAck.fromPartial({ atMs: Date.now(), ...report });
    /** What a gateway reports after a request with the key. */
    const publishUse = (workspaceId: string, keyId: string) =>
      producer.publish(
        keyActivity,
        KeyActivity.fromPartial({ workspaceId, keyId, instanceId: 'gateway-1', sequence: 1, lastUsedAtMs: Date.now() }),
        { requestId: 'req_test1', traceparent: '', environment: null },
      );
    const publish = (report: GatewayAck) =>
      producer.publish(gatewayAck, report, { requestId: 'req_test1', traceparent: '', environment: null });

    describe('list of keys', () => {
      /** Pages from the newest to the oldest, by following "Older". Each page leads back to the one before by "Newer". */
      const pagesOf = async (browser: Visitor, base: string, { name, label }: { name: string; label: string }) => {
        const read: string[][] = [];
        const paths = ['?'];
        for (let path: string | undefined = '?'; path !== undefined && read.length < 20; ) {
          const response = await browser.get(base + path);
          expect(response.status).toBe(200);
          const html = await response.text();
          const table = new RegExp(`<table[^>]*aria-label="${name}".*?</table>`, 's').exec(html)?.[0] ?? '';
          read.push([...table.matchAll(/<bdi>(key \d+)<\/bdi>/g)].map(([, text]) => text as string));
          const nav = new RegExp(`<nav[^>]*aria-label="${label}".*?</nav>`, 's').exec(html)?.[0] ?? '';
          const to = (text: string) =>
            new RegExp(`<a [^>]*href="[^"]*settings/keys(\\?[^"#]*)?(?:#revoked)?"[^>]*>${text}<`)
              .exec(nav)?.[1]
              ?.replaceAll('&amp;', '&');
          if (paths.length > 1) expect(to('Newer') ?? '?').toBe(paths.at(-2));
          path = to('Older');
          if (path) paths.push(path);
        }
        return read;
      };
      const namesDown = (from: number, to: number) =>
        Array.from({ length: from - to + 1 }, (_, n) => `key ${from - n}`);

      it('the list of keys comes in pages of 50, the newest first, as the list of keys that were revoked within 30 days does', async () => {
        const { admin, member, base, workspaceId } = await startWorkspace();
        const ids: string[] = [];
        for (let n = 1; n <= 102; n++) ids.push((await addKey(system, workspaceId, `key ${n}`)).keyId);
        const current = { name: 'API keys', label: 'Pages of the keys' };
        const revoked = { name: 'Revoked API keys', label: 'Pages of the revoked keys' };
        expect((await pagesOf(admin, base, current)).map((page) => page.length)).toEqual([50, 50, 2]);
        expect(await pagesOf(admin, base, revoked)).toEqual([[]]);
        // The oldest is revoked first.
        for (const keyId of ids.slice(0, 51)) {
          await system.clients.keys.revokeKey({ workspaceId, keyId, actor: 'test', actorAddress: '' });
        }
        for (const browser of [admin, member]) {
          expect(await pagesOf(browser, base, current)).toEqual([namesDown(102, 53), namesDown(52, 52)]);
          expect(await pagesOf(browser, base, revoked)).toEqual([namesDown(51, 2), namesDown(1, 1)]);
        }
        const beyond = textOf(await (await admin.get(`${base}?keys=${ids[0]}&revoked=1-${ids[0]}`)).text());
        expect(beyond).toContain('There are no older keys.');
        expect(beyond).toContain('There are no keys that were revoked earlier.');
      });

      it('the list of keys refuses a wrong cursor as a fault of the address', async () => {
        const { admin, base } = await startWorkspace();
        for (const query of ['keys=none', 'revoked=1-key_1.x', 'keys=%00']) {
          expect((await admin.get(`${base}?${query}`)).status).toBe(400);
        }
      });
    });

    describe('creating a key', () => {
      it('an admin creates a key with a preset, and the secret works', async () => {
        const { admin, base, workspaceId, ann } = await startWorkspace();
        expect(textOf(await (await admin.get(base)).text())).toContain('No API key yet');
        const { response, html, secret } = await createKey(admin, base, { access: 'read_and_watch', expires: '90' });
        expect([response.status, response.headers.get('cache-control'), response.headers.get('location')]).toEqual([
          200,
          'private, no-store',
          null,
        ]);
        expect(textOf(html)).toContain('Store this key now');
        const [key] = await keysOf(workspaceId);
        expect(key).toMatchObject({ label: 'Import job', preset: 'read_and_watch', createdBy: ann.id });
        expect(secret.startsWith(key?.prefix as string)).toBe(true);
        expect(key?.createdFrom).toMatch(/127\.0\.0\.1$/);
        const { createdAtMs = 0, expiresAtMs = 0 } = key ?? {};
        expect(expiresAtMs).toBe((Math.floor(createdAtMs / 86_400_000) + 91) * 86_400_000);
        const list = textOf(await (await admin.get(base)).text());
        for (const text of ['Import job', key?.prefix as string, 'Read and watch', 'Never', 'Ann Admin']) {
          expect(list).toContain(text);
        }
      });

      it('the words of each preset name the scopes that the keys service gives', async () => {
        const { admin, base, workspaceId } = await startWorkspace();
        for (const access of ['read_only', 'read_and_watch', 'full'])
          await createKey(admin, base, { label: access, access });
        const form = await (await admin.get(`${base}/new`)).text();
        const choices = form.split('group/choice').slice(1, 4);
        for (const [position, access] of ['read_only', 'read_and_watch', 'full'].entries()) {
          const key = (await keysOf(workspaceId)).find(({ label }) => label === access);
          const shown = [...(choices[position] as string).matchAll(/>([a-z]+:[a-z]+)</g)].map(([, scope]) => scope);
          expect(shown.toSorted()).toEqual(key?.scopes.toSorted());
        }
      });

      it('a key with own scopes and a date has exactly these', async () => {
        const { admin, base, workspaceId } = await startWorkspace();
        const token = tokenIn(await (await admin.get(`${base}/new`)).text());
        const date = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
        const fields = { ...form, access: 'custom', expires: 'date', expires_on: date, request_token: token };
        const body = new URLSearchParams([
          ...Object.entries(fields),
          ['scopes', 'read:stores'],
          ['scopes', 'read:jobs'],
        ]);
        const response = await admin.request(`${base}/new`, { method: 'POST', body, headers: { Origin: system.url } });
        expect(response.status).toBe(200);
        const [key] = await keysOf(workspaceId);
        expect([key?.scopes, key?.preset]).toEqual([['read:stores', 'read:jobs'], 'custom']);
        expect(new Date((key?.expiresAtMs ?? 0) - 1).toISOString()).toBe(`${date}T23:59:59.999Z`);
        expect(textOf(await (await admin.get(base)).text())).toMatch(/Expires in \d days/);
      });

      it('a failure on the server leaves open whether the key was created, and the form keeps its token', async () => {
        const { admin, base } = await startWorkspace();
        await system.proxies.keys.refuse();
        const { response, html, token } = await createKey(admin, base).finally(() => system.proxies.keys.accept());
        expect(response.status).toBe(503);
        expect(textOf(html)).toContain('Your last change may or may not have been saved.');
        expect(html).not.toContain('Nothing was changed');
        expect(tokenIn(html)).toBe(token);
        await waitUntil('keys can be reached', async () => (await admin.get(base)).status === 200);
      });

      it('a page that cannot be read says that opening it changed nothing', async () => {
        const { admin, base } = await startWorkspace();
        await system.proxies.keys.refuse();
        const page = await admin.get(base).finally(() => system.proxies.keys.accept());
        const text = textOf(await page.text());
        expect(page.status).toBe(503);
        expect(text.match(/Opening this page changed nothing/g)).toHaveLength(1);
        expect(text).not.toContain('may or may not have been saved');
        await waitUntil('keys can be reached', async () => (await admin.get(base)).status === 200);
      });

      it('a wrong form for a key keeps what was typed and says what is wrong at the field', async () => {
        const { admin, base, workspaceId } = await startWorkspace();
        const cases = [
          [{ label: '' }, 'Enter a label'],
          [{ access: 'partner' }, 'Choose an access level.'],
          [{ access: 'custom' }, 'Choose at least one scope.'],
          [{ expires: '7' }, 'Choose when the key expires.'],
          [{ expires: 'date', expires_on: '' }, 'Enter a date.'],
          [{ expires: 'date', expires_on: '2020-01-01' }, 'Choose today or a later day.'],
          ...['2127-02-31', '2127-13-01', '2127-02-29', '0000-01-01', '2127-1-1', 'tomorrow'].map(
            (expires_on) => [{ expires: 'date', expires_on }, 'This date does not exist.'] as const,
          ),
        ] as const;
        for (const [fields, message] of cases) {
          const { response, html } = await createKey(admin, base, { label: 'Kept text', ...fields });
          expect([fields, response.status]).toEqual([fields, 400]);
          expect(textOf(html)).toContain(message);
          if ('expires_on' in fields) expect(html).toMatch(/<input(?=[^>]*name="expires_on")[^>]*aria-invalid/);
          if (!('label' in fields)) expect(html).toContain('value="Kept text"');
        }
        expect(await keysOf(workspaceId)).toEqual([]);
      });

      it('a form for a key that is sent twice makes one key, and the second response has no secret', async () => {
        const { admin, base, workspaceId } = await startWorkspace();
        const { token, secret } = await createKey(admin, base, { expires: '90' });
        const again = await createKey(admin, base, { expires: '90', request_token: token });
        expect(again.response.status).toBe(200);
        expect(textOf(again.html)).toContain('This key exists already');
        expect(again.html).not.toContain(secret);
        const both = await Promise.all(
          [1, 2, 3].map(() => createKey(admin, base, { request_token: 'a-token-of-three' })),
        );
        expect(both.filter((made) => made.secret !== undefined)).toHaveLength(1);
        expect(await keysOf(workspaceId)).toHaveLength(2);
      });

      it('the secret of a key is in no other page, in no header and in no database', async () => {
        const { admin, member, base, workspaceId } = await startWorkspace();
        const { response, secret } = await createKey(admin, base);
        expect(JSON.stringify([...response.headers])).not.toContain(secret);
        const [key] = await keysOf(workspaceId);
        const hidden = secret.slice(key?.prefix.length);
        const paths = ['', '/new', `/${key?.id}`, `/${key?.id}/status`, `/${key?.id}/revoke`, `/${key?.id}/rotate`];
        const settings = base.replace('/keys', '');
        for (const path of [...paths.map((end) => base + end), `${settings}/audit-log`, `${settings}/workspace`]) {
          for (const browser of [admin, member]) {
            const page = await browser.get(path);
            expect([path, `${JSON.stringify([...page.headers])}${await page.text()}`.includes(hidden)]).toEqual([
              path,
              false,
            ]);
          }
        }
        const mongo = await MongoClient.connect(system.namespace.mongoUrl);
        try {
          for (const service of ['dashboard', 'keys', 'metering']) {
            const db = mongo.db(system.namespace.databaseName(service));
            for (const { name } of await db.listCollections().toArray()) {
              const documents = await db.collection(name).find().toArray();
              expect([name, JSON.stringify(documents).includes(hidden)]).toEqual([name, false]);
            }
          }
        } finally {
          await mongo.close();
        }
      });
    });

    describe('revoking a key', () => {
      it('the revocation of a key asks for the prefix, revokes, and shows how many gateways refuse the key', async () => {
        const { admin, base, workspaceId, ann } = await startWorkspace();
        await createKey(admin, base);
        const [key] = await keysOf(workspaceId);
        const path = `${base}/${key?.id}`;
        const wrong = await admin.submit(`${path}/revoke`, { prefix: 'svc_live_none' });
        expect([wrong.status, textOf(await wrong.text()).includes('Enter the prefix of this key')]).toEqual([
          400,
          true,
        ]);
        expect((await keysOf(workspaceId))[0]?.revokedAtMs).toBeUndefined();

        const status = async () => (await (await admin.get(`${path}/status`)).json()) as { revocation?: Revoked };
        interface Revoked {
          state: string;
          gateways: number;
          refusing: number;
          afterMs?: number;
        }
        for (const instanceId of ['gateway-1', 'gateway-2']) {
          await publish(ack({ report: GatewayReport.SERVING, instanceId }));
        }
        const done = await admin.submit(`${path}/revoke`, { prefix: key?.prefix as string });
        expect([done.status, done.headers.get('location')]).toEqual([302, path]);
        const [revoked] = await keysOf(workspaceId);
        expect(revoked).toMatchObject({ revokedBy: ann.id });
        await waitUntil('both gateways are known', async () => (await status()).revocation?.gateways === 2);
        expect((await status()).revocation).toMatchObject({ state: 'waiting', gateways: 2, refusing: 0 });
        expect(textOf(await (await admin.get(path)).text())).toContain('Refused at 0 of 2 API servers');

        const applied = (instanceId: string, afterMs: number) =>
          publish(
            ack({
              report: GatewayReport.KEY_CHANGE_APPLIED,
              instanceId,
              change: KeyChange.KEY_REVOKED,
              workspaceId,
              keyId: key?.id as string,
              changedAtMs: revoked?.revokedAtMs as number,
              atMs: (revoked?.revokedAtMs as number) + afterMs,
            }),
          );
        await applied('gateway-1', 100);
        await waitUntil('one gateway refuses', async () => (await status()).revocation?.refusing === 1);
        expect(textOf(await (await admin.get(path)).text())).toContain('Refused at 1 of 2 API servers after 0.1 s');
        await applied('gateway-2', 200);
        await waitUntil('both gateways refuse', async () => (await status()).revocation?.state === 'refused');
        expect(textOf(await (await admin.get(path)).text())).toContain('Refused at 2 of 2 API servers after 0.2 s');
        const list = textOf(await (await admin.get(base)).text());
        expect(list).toContain('Revoked Listed for 30 days');
      });

      it('a revocation without a recent sign-in revokes nothing', async () => {
        const { admin, base, workspaceId, ann } = await startWorkspace();
        await createKey(admin, base);
        const [key] = await keysOf(workspaceId);
        await system.ageSignIns(ann.id);
        const response = await admin.submit(`${base}/${key?.id}/revoke`, { prefix: key?.prefix as string });
        const path = `${base}/${key?.id}/revoke`;
        expect(response.headers.get('location')).toBe(`/confirm?next=${encodeURIComponent(path)}`);
        expect((await keysOf(workspaceId))[0]?.revokedAtMs).toBeUndefined();
      });
    });

    describe('rotating a key', () => {
      it('the rotation of a key starts with its access, shows the use of the new one, and offers to revoke the old one', async () => {
        const { admin, base, workspaceId } = await startWorkspace();
        await createKey(admin, base, { access: 'full', expires: '365' });
        const [old] = await keysOf(workspaceId);
        const rotate = `${base}/${old?.id}/rotate`;
        expect(textOf(await (await admin.get(rotate)).text())).toContain('Create the new key');
        const page = await (await admin.get(`${base}/new?rotate=${old?.id}`)).text();
        expect(page).toContain('value="Import job (new)"');
        expect(page).toMatch(/value="full"[^>]*checked|checked[^>]*value="full"/);
        expect(page).toMatch(/<option value="365" selected/);
        const made = await admin.submit(`${base}/new?rotate=${old?.id}`, {
          ...form,
          label: 'Import job (new)',
          access: 'full',
          request_token: tokenIn(page),
        });
        const next = /href="([^"]*\/rotate\?to=[^"]+)"/.exec(await made.text())?.[1] as string;
        const steps = textOf(await (await admin.get(next)).text());
        expect(steps).toContain('No request with the new key yet');
        expect(steps).toContain('Revoke the old key');
        const replacementId = new URL(next, system.url).searchParams.get('to') as string;
        await publishUse(workspaceId, replacementId);
        const isUsed = async () => textOf(await (await admin.get(next)).text()).includes('The new key is in use');
        await waitUntil('the traffic of the new key', isUsed);
      });
    });

    describe('members and other workspaces', () => {
      it('a member sees the keys without the controls', async () => {
        const { admin, member, base, workspaceId } = await startWorkspace();
        await createKey(admin, base);
        const [key] = await keysOf(workspaceId);
        const list = await (await member.get(base)).text();
        expect(textOf(list)).toContain('Import job');
        expect(list).not.toContain(`${base}/new`);
        expect(list).not.toMatch(/(href|action)="\/workspaces[^"]*revoke/);
        const detail = await (await member.get(`${base}/${key?.id}`)).text();
        expect(detail).not.toMatch(/(href|action)="\/workspaces[^"]*(revoke|rotate)|Created from/);
        expect((await member.get(`${base}/new?rotate=${key?.id}`)).status).toBe(403);
      });

      it('a key of another workspace appears on no page of the workspace', async () => {
        const own = await startWorkspace();
        const foreign = await startWorkspace();
        await createKey(own.admin, own.base);
        const [key] = await keysOf(own.workspaceId);
        expect((await foreign.admin.get(`${foreign.base}/new?rotate=${key?.id}`)).status).toBe(404);
        expect((await foreign.admin.get(`${foreign.base}/not-an-id`)).status).toBe(404);
      });
    });
  });
}
