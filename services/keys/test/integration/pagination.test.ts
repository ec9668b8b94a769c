import { ManualClock } from '@shopscope/clock';
import { newId } from '@shopscope/ids';
import { KeyStatus } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHarness, type KeysClient, type KeysHarness, newKey, newWorkspace } from './harness.ts';

const clock = new ManualClock();
const rows = 205;
let harness: KeysHarness;
let client: KeysClient;
let workspaceId: string;

/** A list that comes in pages. */
interface Paged {
  /** Name of the field that carries the page token. */
  token: string;
  /** Adds rows that are one millisecond apart; resolves with their ids. */
  add(count: number): Promise<string[]>;
  page(token: string, limit: number): Promise<string[]>;
  /** Ids of the whole list, as the database has them, in the order of the list. */
  all(): Promise<string[]>;
}

type Row = { _id: string } & Record<string, unknown>;
const insert = async (collection: string, prefix: 'ws' | 'aud', count: number, row: () => object) => {
  const made = Array.from({ length: count }, () => {
    clock.advance(1);
    return { _id: newId(prefix, clock.now()), ...row() };
  });
  await harness.db.collection<Row>(collection).insertMany(made);
  return made.map(({ _id }) => _id);
};
const idsOf = async (collection: string, filter: object, order: 1 | -1) =>
  (await harness.db.collection<Row>(collection).find(filter).sort({ _id: order }).toArray()).map(({ _id }) => _id);

const lists: Record<string, Paged> = {
  ListWorkspaces: {
    token: 'after_id',
    add: (count) =>
      insert('workspaces', 'ws', count, () => ({ name: 'Many', planSlug: 'free', createdAt: new Date(clock.now()) })),
    page: async (afterId, limit) => (await client.listWorkspaces({ afterId, limit })).workspaces.map(({ id }) => id),
    all: () => idsOf('workspaces', {}, 1),
  },
  ListAuditEntries: {
    token: 'before_id',
    add: (count) => {
      const entry = { actor: 'usr_1', action: 'key.created', subjectId: 'key_1', at: new Date(clock.now()) };
      return insert('audit_entries', 'aud', count, () => ({ ...entry, workspaceId }));
    },
    page: async (beforeId, limit) =>
      (await client.listAuditEntries({ workspaceId, beforeId, limit })).entries.map(({ id }) => id),
    all: () => idsOf('audit_entries', { workspaceId }, -1),
  },
};

describe('pages of lists', () => {
  beforeAll(async () => {
    harness = await createHarness('pagination', clock, { holdOutbox: true });
    client = (await harness.start()).client;
    workspaceId = await newWorkspace(client);
    for (const list of Object.values(lists)) await list.add(rows);
    // Entries of other workspaces, and of none, among those of the workspace.
    const stranger = await newWorkspace(client);
    for (let n = 0; n < 5; n++) await newKey(client, stranger);
  });
  afterAll(() => harness?.stop());

  describe.each(Object.entries(lists))('%s', (_, list) => {
    /** Every page from the first to the last; `between` runs after each page. */
    const pages = async (limit: number, between = async () => {}) => {
      const read: string[][] = [];
      for (let token = ''; ; token = read.at(-1)?.at(-1) ?? '') {
        const page = await list.page(token, limit);
        if (page.length === 0) return read;
        read.push(page);
        if (read.flat().length > 2 * rows) throw new Error('the pages do not end');
        await between();
      }
    };

    it.each([1, 7, 199, 200])('pages of %i hold every row of a list once, in its order', async (limit) => {
      const all = await list.all();
      const read = await pages(limit);
      expect(read.flat()).toEqual(all);
      expect(read.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      expect(read).toHaveLength(Math.ceil(all.length / limit));
    });

    it('a page of a list without a size has 50 rows', async () => {
      expect(await list.page('', 0)).toEqual((await list.all()).slice(0, 50));
    });

    it('a page of a list with more than 200 rows is refused by the name limit', async () => {
      expect(await list.page('', 200)).toHaveLength(200);
      await expect(list.page('', 201)).rejects.toMatchObject({
        code: 'invalid_request',
        publicMessage: 'limit: must be from 1 to 200',
      });
    });

    it('the page after the last row of a list is empty', async () => {
      const all = await list.all();
      expect(await list.page(all.at(-1) ?? '', 50)).toEqual([]);
      expect(await list.page(all.at(-2) ?? '', 50)).toEqual([all.at(-1)]);
    });

    it('rows that are added between two pages neither hide nor repeat a row', async () => {
      const before = await list.all();
      let additions = 3;
      const read = (await pages(50, async () => void (additions-- > 0 && (await list.add(2))))).flat();
      expect(new Set(read).size).toBe(read.length);
      expect(read.filter((id) => before.includes(id))).toEqual(before);
      expect(read).toEqual((await list.all()).filter((id) => read.includes(id)));
    });

    it('a page token is a position: the row of the token need not exist', async () => {
      const all = await list.all();
      const prefix = all[0]?.replace(/_.*/, '');
      // Workspace ids are random, so they may begin with any characters.
      const [ascending, descending] = [`${prefix}_0`, `${prefix}_${'z'.repeat(26)}`];
      const start = list.token === 'after_id' ? ascending : descending;
      expect(await list.page(start, 3)).toEqual(all.slice(0, 3));
      expect(await list.page(start === ascending ? descending : ascending, 3)).toEqual([]);
    });

    it('a page token that is not an id is refused by its name', async () => {
      for (const token of ['1', 'key_1', `${(await list.all())[0]} `]) {
        await expect(list.page(token, 1)).rejects.toMatchObject({
          code: 'invalid_request',
          publicMessage: expect.stringMatching(new RegExp(`^${list.token}: must be an id`)),
        });
      }
    });
  });

  it('ListAuditEntries shows the entries of one workspace, or those of no workspace', async () => {
    await client.updatePlan({ slug: 'free', rpm: 31, actor: 'usr_1' });
    const { entries } = await client.listAuditEntries({ workspaceId: '', beforeId: '', limit: 0 });
    expect(entries).toMatchObject([{ workspaceId: '', action: 'plan.changed', subjectId: 'free' }]);
  });

  it('ListKeys without a limit and ListPlans have every row', async () => {
    const id = await newWorkspace(client);
    const made = await Promise.all(Array.from({ length: 60 }, () => newKey(client, id)));
    const { keys } = await client.listKeys({ workspaceId: id, includeInactive: false });
    expect(keys.map((key) => key.id).sort()).toEqual(made.map((key) => key.id).sort());
    const { plans } = await client.listPlans({});
    expect(plans.map(({ slug }) => slug)).toEqual(['free', 'growth', 'scale', 'starter']);
  });

  describe('ListKeys', () => {
    const listRows = 45;
    let listed: string;
    beforeAll(async () => {
      listed = await newWorkspace(client);
      for (let n = 0; n < listRows; n++) {
        const { id } = await newKey(client, listed);
        // Every third key is revoked, some of them in the same millisecond.
        if (n % 4 === 0) clock.advance(1);
        if (n % 3 === 0) await client.revokeKey({ workspaceId: listed, keyId: id, actor: 'usr_1', actorAddress: '' });
      }
    });

    type Page = { limit: number; revoked?: boolean; position?: string; revokedAfterMs?: number };
    const page = (given: Page) => client.listKeys({ workspaceId: listed, includeInactive: false, ...given });
    const pages = async (given: Page, between = async () => {}) => {
      const read: string[][] = [];
      for (let position: string | undefined = ''; position !== undefined; ) {
        const { keys, nextPosition } = await page({ ...given, position });
        read.push(keys.map(({ id }) => id));
        if (read.length > listRows) throw new Error('the pages do not end');
        await between();
        position = nextPosition;
      }
      return read;
    };
    const all = async (filter: object, order: [string, -1][]) =>
      (
        await harness.db
          .collection<Row>('keys')
          .find({ workspaceId: listed, ...filter })
          .sort(order)
          .toArray()
      ).map(({ _id }) => _id);
    const unrevoked = () => all({ revokedAt: null }, [['_id', -1]]);
    const revoked = () =>
      all({ revokedAt: { $ne: null } }, [
        ['revokedAt', -1],
        ['_id', -1],
      ]);

    it.each([1, 7, 30, 200])(
      'pages of %i of ListKeys have every unrevoked key once, the newest first',
      async (limit) => {
        const read = await pages({ limit });
        expect(read.flat()).toEqual(await unrevoked());
        expect(read).toHaveLength(Math.ceil(30 / limit));
      },
    );

    it.each([1, 4, 15, 200])(
      'pages of %i of ListKeys have every revoked key once, the latest revocation first',
      async (limit) => {
        const read = await pages({ limit, revoked: true });
        expect(read.flat()).toEqual(await revoked());
        expect(read).toHaveLength(Math.ceil(15 / limit));
      },
    );

    it('the pages of ListKeys have revoked keys from a given time on', async () => {
      const { keys } = await page({ limit: 200, revoked: true });
      const sixth = keys[5]?.revokedAtMs as number;
      const later = keys.filter(({ revokedAtMs = 0 }) => revokedAtMs > sixth);
      const { keys: recent } = await page({ limit: 200, revoked: true, revokedAfterMs: sixth });
      expect(recent.map(({ id }) => id)).toEqual(later.map(({ id }) => id));
    });

    it('the pages of ListKeys neither hide nor repeat a key while others are created and revoked', async () => {
      const before = await unrevoked();
      const revokedMeanwhile = before[0] as string;
      let isFirst = true;
      const read = (
        await pages({ limit: 10 }, async () => {
          if (!isFirst) return;
          isFirst = false;
          await newKey(client, listed);
          await client.revokeKey({ workspaceId: listed, keyId: revokedMeanwhile, actor: 'usr_1', actorAddress: '' });
        })
      ).flat();
      expect(read).toEqual(before);
    });

    it('the pages of ListKeys have 50 keys without a size, and at most 200', async () => {
      expect((await page({ limit: 0 })).keys).toHaveLength(30);
      await expect(page({ limit: 201 })).rejects.toMatchObject({ publicMessage: 'limit: must be from 1 to 200' });
    });

    it.each([8_640_000_000_000_001, -8_640_000_000_000_001])(
      'ListKeys refuses %i as a time',
      async (revokedAfterMs) => {
        await expect(page({ limit: 1, revoked: true, revokedAfterMs })).rejects.toMatchObject({
          publicMessage: expect.stringMatching(/^revoked_after_ms: /),
        });
      },
    );

    it.each([
      [false, 'key'],
      [false, 'key_1 '],
      [false, 'aud_1'],
      [true, 'key_1'],
      [true, '1-aud_1'],
      [true, '99999999999999999-key_1'],
      [true, '9999999999999999-key_1'],
      [true, '-1-key_1'],
      [true, '1-key_1\n'],
    ])('ListKeys refuses the wrong position of a page (revoked: %s, %j)', async (isRevoked, position) => {
      await expect(page({ limit: 1, revoked: isRevoked, position })).rejects.toMatchObject({
        code: 'invalid_request',
        publicMessage: expect.stringMatching(/^position: /),
      });
    });
  });

  it('GetKeys has the named keys of the workspace, in any state', async () => {
    const id = await newWorkspace(client);
    const [first, second, foreign] = [
      await newKey(client, id),
      await newKey(client, id),
      await newKey(client, workspaceId),
    ];
    await client.revokeKey({ workspaceId: id, keyId: second.id, actor: 'usr_1', actorAddress: '' });
    const keyIds = [second.id, foreign.id, 'key_unknown', first.id, first.id];
    const { keys } = await client.getKeys({ workspaceId: id, keyIds });
    expect(new Map(keys.map((key) => [key.id, key.status]))).toEqual(
      new Map([
        [first.id, KeyStatus.ACTIVE],
        [second.id, KeyStatus.REVOKED],
      ]),
    );
    expect(keys).toHaveLength(2);
    expect((await client.getKeys({ workspaceId: id, keyIds: [] })).keys).toEqual([]);
  });
});
