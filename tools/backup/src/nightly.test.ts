import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs, hourMs, ManualClock } from '@shopscope/clock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dumpName, listDumps } from './catalog.ts';
import { writeManifest } from './manifest.ts';
import { type NightlyOptions, nightly } from './nightly.ts';

vi.mock('node:fs/promises', { spy: true });

describe('nightly', () => {
  let folder: string;
  let clock: ManualClock;
  let free: number;
  let lines: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nightly-'));
    clock = new ManualClock(Date.UTC(2026, 10, 22, 3, 17));
    free = Number.MAX_SAFE_INTEGER;
    lines = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A dump of one file with five bytes. */
  const dumpTo = async (directory: string) => {
    mkdirSync(join(directory, 'keys'), { recursive: true });
    writeFileSync(join(directory, 'keys/keys.bson'), '12345');
    const file = { name: 'keys', file: 'keys/keys.bson', documents: 1, bytes: 5, sha256: 'a'.repeat(64) };
    const collections = [{ ...file, options: '{}', indexes: '[]' }];
    const manifest = { version: 1, snapshotAt: new Date(clock.now()).toISOString(), tookMs: 7 } as const;
    await writeManifest(directory, { ...manifest, databases: [{ name: 'keys', collections }] });
    return { ...manifest, databases: [] };
  };
  const directoryOf = (ageMs: number) => join(folder, dumpName(clock.now() - ageMs));
  const run = (options: Partial<NightlyOptions> = {}) =>
    nightly({
      folder,
      clock,
      report: (line) => lines.push(line),
      freeBytes: async () => free,
      expectedBytes: async () => 5,
      dump: dumpTo,
      ...options,
    });
  const noServer = () => Promise.reject(new Error('no server'));
  const names = () => readdirSync(folder).sort();
  const nightsAgo = (nights: number) => dumpName(clock.now() - nights * dayMs);

  it('nightly removes unfinished and old dumps before it dumps, so that a full volume heals', async () => {
    for (const nights of [20, 16, 15, 13, 2, 1]) await dumpTo(directoryOf(nights * dayMs));
    mkdirSync(directoryOf(3 * dayMs));
    let seen: string[] = [];
    await run({
      async dump(directory) {
        seen = names();
        return dumpTo(directory);
      },
    });
    expect(seen).toEqual([13, 2, 1, 0].map(nightsAgo));
    expect(names()).toEqual([13, 2, 1, 0].map(nightsAgo));
  });

  it('nightly never removes the three newest good dumps, however old they are', async () => {
    for (const nights of [90, 80, 70, 60]) await dumpTo(directoryOf(nights * dayMs));
    await expect(run({ dump: noServer })).rejects.toThrow('no server');
    expect(names()).toEqual([80, 70, 60].map(nightsAgo));
  });

  it('nightly counts no unfinished dump, and no dump that lost a file, as good', async () => {
    for (const nights of [90, 80, 70]) await dumpTo(directoryOf(nights * dayMs));
    mkdirSync(directoryOf(2 * dayMs));
    await dumpTo(directoryOf(dayMs));
    writeFileSync(join(directoryOf(dayMs), 'keys/keys.bson'), '1234');
    expect((await listDumps(folder)).map(({ state }) => state)).toEqual([
      'good',
      'good',
      'good',
      'unfinished',
      'damaged',
    ]);
    await run();
    // The new dump is the fourth good one. The next run removes the oldest.
    expect(names()).toEqual([90, 80, 70, 1, 0].map(nightsAgo));
  });

  it('nightly removes a damaged dump after 14 days, and entries that are no dumps never', async () => {
    for (const nights of [40, 30, 20, 15]) await dumpTo(directoryOf(nights * dayMs));
    writeFileSync(join(directoryOf(15 * dayMs), 'manifest.json'), '{"version":2}');
    for (const name of ['lost+found', 'before-the-upgrade']) mkdirSync(join(folder, name));
    await run();
    expect(names()).toEqual([...[40, 30, 20, 0].map(nightsAgo), 'before-the-upgrade', 'lost+found']);
  });

  it('nightly removes the oldest dumps beyond the kept ones while the next dump lacks room, and no more', async () => {
    for (const nights of [6, 5, 4, 3, 2, 1]) await dumpTo(directoryOf(nights * dayMs));
    await run({ freeBytes: async () => (names().length > 4 ? 0 : 6) });
    expect(names()).toEqual([4, 3, 2, 1, 0].map(nightsAgo));
  });

  it('nightly fails at once with the figures when the next dump cannot fit, and removes no good dump in vain', async () => {
    for (const nights of [4, 3, 2, 1]) await dumpTo(directoryOf(nights * dayMs));
    free = 0;
    await expect(run()).rejects.toThrow(
      `the volume has no room for a dump: ${folder} has 0 MB free and 1 MB in dumps beyond the newest 3, and the next dump needs 1 MB`,
    );
    expect(names()).toEqual([4, 3, 2, 1].map(nightsAgo));
  });

  it('nightly judges room by the bytes that MongoDB has now, so that it heals when the data has doubled', async () => {
    for (const nights of [6, 5, 4, 3, 2, 1]) await dumpTo(directoryOf(nights * dayMs));
    await run({ freeBytes: async () => 35 - 5 * names().length, expectedBytes: async () => 10 });
    expect(names()).toEqual([4, 3, 2, 1, 0].map(nightsAgo));
  });

  it('nightly keeps the three newest dumps of the past when there are dumps of the future', async () => {
    for (const nights of [-32, -31, -30, 90, 80, 70, 60]) await dumpTo(directoryOf(nights * dayMs));
    await expect(run({ dump: noServer })).rejects.toThrow('no server');
    expect(names()).toEqual([80, 70, 60, -30, -31, -32].map(nightsAgo));
  });

  it('nightly keeps a dump that cannot be read, and makes the next one', async () => {
    for (const nights of [90, 80, 70, 60]) await dumpTo(directoryOf(nights * dayMs));
    rmSync(join(directoryOf(60 * dayMs), 'manifest.json'));
    mkdirSync(join(directoryOf(60 * dayMs), 'manifest.json'));
    await run();
    expect(names()).toEqual([90, 80, 70, 60, 0].map(nightsAgo));
    expect(lines).toEqual([
      `kept ${directoryOf(60 * dayMs)}, which cannot be read: EISDIR: illegal operation on a directory, read`,
    ]);
  });

  it('nightly ignores a file with the name of a dump', async () => {
    writeFileSync(directoryOf(dayMs), '');
    await run();
    expect(names()).toEqual([1, 0].map(nightsAgo));
  });

  it('nightly dumps once when two processes start it in the same second', async () => {
    const claimed = Promise.withResolvers<void>();
    const listed = Promise.withResolvers<void>();
    const first = run({
      async dump(directory) {
        claimed.resolve();
        await listed.promise;
        return dumpTo(directory);
      },
    });
    await claimed.promise;
    // The second process has listed the folder before the first one made its directory.
    vi.mocked(readdir).mockResolvedValueOnce([]);
    await expect(run()).rejects.toThrow(`another dump runs in ${directoryOf(0)}`);
    listed.resolve();
    expect((await first).state).toBe('good');
  });

  it('nightly leaves no directory when its dump fails before it writes', async () => {
    await expect(run({ dump: noServer })).rejects.toThrow('no server');
    expect(names()).toEqual([]);
  });

  it('nightly touches nothing while another dump may be running, and a dump of a killed process only for two hours', async () => {
    await dumpTo(directoryOf(40 * dayMs));
    mkdirSync(directoryOf(hourMs));
    await expect(run()).rejects.toThrow(`another dump may be running: ${directoryOf(hourMs)} is unfinished`);
    expect(names()).toHaveLength(2);
    clock.advance(hourMs);
    await run();
    expect(lines).toEqual([`removed ${directoryOf(2 * hourMs)} (unfinished)`]);
    expect(names()).toHaveLength(2);
  });
});
