import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs, ManualClock } from '@shopscope/clock';
import { createRegistry } from '@shopscope/telemetry';
import { nightlyUnless, testNamespace } from '@shopscope/testing';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpName, listDumps } from '../src/catalog.ts';
import { dump } from '../src/dump.ts';
import type { Manifest } from '../src/manifest.ts';
import { createMetrics, readVolume } from '../src/metrics.ts';
import { keptDumps, nightly } from '../src/nightly.ts';
import { removeDump } from '../src/remove-dump.ts';

const mebibyte = 2 ** 20;
const volumeBytes = 24 * mebibyte;
const documents = 200;

/** Mounts a small volume. Returns why it may not. */
function mountVolume(folder: string): string | undefined {
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${volumeBytes}`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/**
 * What happens to the volume before a night. A dump has 2 MiB, and 12 of them do not fit.
 *
 * - `leftMebibytes`: another file takes the volume, and only so many MiB are left.
 * - `heal`: that file is gone.
 * - `kill`: a process was killed during its dump in the night before.
 * - `burst`: during the dump another file takes the rest of the volume, so that writing fails.
 */
const story: Record<number, { leftMebibytes?: number; heal?: true; kill?: true; burst?: true }> = {
  4: { kill: true },
  6: { burst: true },
  7: { heal: true },
  9: { leftMebibytes: 1 },
  10: { leftMebibytes: 0 },
  11: { heal: true, kill: true },
  14: { kill: true, burst: true },
  15: { heal: true },
};
const failing = [6, 9, 10, 14];

describe('nightly on a small volume', () => {
  const root = mkdtempSync(join(tmpdir(), 'twenty-nights-'));
  const mounted = join(root, 'mounted');
  mkdirSync(mounted);
  const refusal = mountVolume(mounted);
  const namespace = testNamespace('twenty-nights');
  const database = namespace.databaseName('accounts');
  let client: MongoClient;

  beforeAll(async () => {
    client = await MongoClient.connect(namespace.mongoUrl);
    const text = 'x'.repeat((2 * mebibyte) / documents);
    await client
      .db(database)
      .collection<{ _id: number }>('accounts')
      .insertMany(Array.from({ length: documents }, (_, n) => ({ _id: n, text })));
  });
  afterAll(async () => {
    await client?.close();
    await namespace.cleanup();
    if (refusal === undefined) spawnSync('umount', [mounted]);
    rmSync(root, { recursive: true, force: true });
  });

  const dumpTo = (directory: string) => dump({ client, databases: [database], directory });

  it('nightly heals by itself in twenty nights on a volume that fills and heals, and the metrics are right each night', async (context) => {
    context.skip(refusal !== undefined, `no volume can be mounted: ${refusal}`);
    const freeBytes = () => {
      const { bavail, bsize } = statfsSync(mounted);
      return bavail * bsize;
    };
    await liveTwentyNights({ folder: mounted, freeBytes, dump: dumpTo });
  });

  // By day, it stands in for the volume where none can be mounted.
  const withoutVolume = nightlyUnless(refusal !== undefined);
  it(
    'nightly heals by itself in twenty nights when the writer of dumps reports a full disk',
    withoutVolume,
    async () => {
      const folder = join(root, 'simulated');
      mkdirSync(folder);
      const files = () => globSync('**/*', { cwd: folder, withFileTypes: true }).filter((each) => each.isFile());
      const freeBytes = () =>
        volumeBytes - files().reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
      const dumpOrFail = async (directory: string) => {
        const made = await dumpTo(directory);
        if (freeBytes() >= 0) return made;
        await removeDump(directory);
        throw new Error('the volume is full: ENOSPC');
      };
      await liveTwentyNights({ folder, freeBytes, dump: dumpOrFail });
    },
  );
});

interface Volume {
  folder: string;
  freeBytes(): number;
  dump(directory: string): Promise<Manifest>;
}

async function liveTwentyNights({ folder, freeBytes, dump: dumpTo }: Volume): Promise<void> {
  const ballast = join(folder, 'ballast');
  const fill = (leftBytes: number) => writeFileSync(ballast, Buffer.alloc(Math.max(0, freeBytes() - leftBytes)));
  const clock = new ManualClock(Date.UTC(2026, 10, 1, 3, 17));
  const registry = createRegistry({ service: 'backup' });
  const metrics = createMetrics(registry);
  const metric = async (name: string) => (await registry.getSingleMetric(`backup_${name}`)?.get())?.values[0]?.value;
  let lastGoodMs = 0;
  for (let night = 0; night < 20; night++) {
    const { leftMebibytes, heal, kill, burst } = story[night] ?? {};
    if (heal) rmSync(ballast);
    if (leftMebibytes !== undefined) {
      rmSync(ballast, { force: true });
      // Only the kept dumps are left, so that nightly cannot make room.
      const spare = (await listDumps(folder)).slice(0, -keptDumps);
      for (const { directory } of spare) rmSync(directory, { recursive: true });
      fill(leftMebibytes * mebibyte);
    }
    if (kill) mkdirSync(join(folder, dumpName(clock.now() - dayMs + 1_000), 'half'), { recursive: true });
    const outcome = await nightly({
      folder,
      clock,
      report: () => {},
      freeBytes: async () => freeBytes(),
      expectedBytes: async () => 2 * mebibyte,
      dump(directory) {
        if (burst) fill(mebibyte);
        return dumpTo(directory);
      },
    }).then(
      () => 'good',
      (error: Error) => error.message,
    );
    const isGood = !failing.includes(night);
    const reason = /^the volume (is full: ENOSPC|has no room for a dump: .* free)/;
    expect({ night, outcome }).toEqual({ night, outcome: isGood ? 'good' : expect.stringMatching(reason) });
    if (isGood) lastGoodMs = clock.now();

    const after = await listDumps(folder);
    expect({ night, others: after.filter(({ state }) => state !== 'good') }).toEqual({ night, others: [] });
    expect(after.length, `good dumps after night ${night}`).toBeGreaterThanOrEqual(Math.min(keptDumps, night + 1));
    expect(after.at(-1)?.startedMs).toBe(lastGoodMs);
    metrics.show(await readVolume(folder, clock.now()), { attemptMs: clock.now(), isRunning: false });
    expect(await metric('last_success_timestamp_seconds')).toBe(lastGoodMs / 1_000);
    expect(await metric('last_attempt_timestamp_seconds')).toBe(clock.now() / 1_000);
    expect(await metric('good_dumps')).toBe(after.length);
    clock.advance(dayMs);
  }
  expect(readdirSync(folder)).toHaveLength((await listDumps(folder)).length);
}
