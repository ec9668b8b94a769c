import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeTestHosts } from '@shopscope/demo-stores';
import { createGrpcClient } from '@shopscope/grpc';
import { newId } from '@shopscope/ids';
import { ScanSchedulerServiceService, ScanUnit } from '@shopscope/proto';
import { type Db, MongoClient } from 'mongodb';
import { deleteTopics, kafkaOf, newTopicPrefix } from './consume-rows.ts';
import { childCpuUs, childrenOf, cpuTimes, cpuUsPer } from './cpu.ts';
import { createMeasuredPart } from './measured-part.ts';
import { type Memory, type MemorySample, memoryAt, residentMemory } from './memory.ts';
import { createProgress } from './progress.ts';
import { startReference } from './reference.ts';
import { domainOf, kindOf, type StoreKind } from './scan-kinds.ts';
import { type ScanProcesses, type ScanResources, startScanProcesses } from './service-processes.ts';
import type { Bench, RunningSystem } from './system.ts';

export type ScansResult = Awaited<ReturnType<typeof measureScans>>;

const warmUpScans = 200;
const requestsPerCall = 200;
/** Polling is rare, because MongoDB needs some milliseconds to count ten thousand ended jobs. */
const pollMs = 500;
/** The run fails when no scan has ended for this long. The longest scan takes 30 s. */
const stalledMs = 120_000;
/** The port of dead stores. No server listens on it (TCP port 1, tcpmux). */
const closedPort = 1;

/**
 * Measures one scanner that scans stores on the loopback interface. The result has two rows:
 *
 * 1. All stores are healthy.
 * 2. A tenth of the stores is slow, hostile or dead. The memory early in this row is compared with the memory at its end.
 */
export async function measureScans(bench: Bench) {
  const { settings, system, say } = bench;
  const own: ScanResources = {
    topicPrefix: newTopicPrefix(),
    schedulerDatabase: 'bench_scan_scheduler',
    profilesDatabase: 'bench_profiles',
    hostsFile: join(settings.stateDir, 'bench-scan-hosts.json'),
  };
  const rounds: Record<string, string[]> = {
    warm: domainsOf('w', warmUpScans, () => 'healthy'),
    healthy: domainsOf('h', settings.firstScans, () => 'healthy'),
    mixed: domainsOf('m', settings.scans, kindOf),
  };
  const { warm = [], healthy = [], mixed = [] } = rounds;
  const kafka = kafkaOf(system, own.topicPrefix);
  const mongo = await new MongoClient(system.mongoUrl).connect();
  const dropDatabases = async () => {
    for (const database of [own.schedulerDatabase, own.profilesDatabase]) await mongo.db(database).dropDatabase();
  };
  const stores = await startReference('scan-stores');
  try {
    await dropDatabases();
    await writeTestHosts(own.hostsFile, hostsOf([...warm, ...healthy, ...mixed], Number(new URL(stores.url).port)));
    const processes = await startScanProcesses(bench, own);
    try {
      const run: Run = { processes, system, db: mongo.db(own.schedulerDatabase), say };
      await scanAll(run, 'warm-up', warm);
      const alone = await scanAll(run, 'healthy stores', healthy);
      const all = await scanAll(run, 'stores of which a tenth is slow, hostile or dead', mixed);
      return {
        rows: [alone, all].map(({ name, result }) => ({ name, results: [result] })),
        firstScans: settings.firstScans,
        scans: settings.scans,
        /** The memory of the scanner and its examiner after the first `firstScans` scans of the second row. */
        first: memoryAt(all.memory, all.atMs(settings.firstScans)),
        /** The same memory after all scans of the second row. */
        last: memoryAt(all.memory, all.atMs(settings.scans)),
        /** The number of jobs in the second row by result: `succeeded` or the code of the error. */
        ends: await endsOf(run.db, 'm'),
      };
    } finally {
      await processes.stop();
    }
  } finally {
    await stores.stop();
    await dropDatabases();
    await mongo.close();
    await deleteTopics(kafka);
    rmSync(own.hostsFile, { force: true });
  }
}

interface Run {
  processes: ScanProcesses;
  system: RunningSystem;
  db: Db;
  say(line: string): void;
}

const domainsOf = (run: string, count: number, kind: (store: number) => StoreKind) =>
  Array.from({ length: count }, (_, store) => domainOf(kind(store), store, run));

const hostsOf = (domains: readonly string[], port: number) =>
  Object.fromEntries(
    domains.map((domain) => {
      const isDead = domain.startsWith('dead-');
      return [domain, { address: '127.0.0.1', port: isDead ? closedPort : port, tls: false }];
    }),
  );

/** Requests a scan of every domain and waits until all jobs have ended. */
async function scanAll({ processes, system, db, say }: Run, name: string, domains: readonly string[]) {
  const { scannerPid } = processes;
  const { mongod = 0, kafka = 0 } = system.pids;
  const jobs = db.collection('jobs');
  const ended = { state: { $in: ['succeeded', 'failed'] } };
  const before = await jobs.countDocuments(ended);
  const sample = () => ({
    atMs: performance.now(),
    cpu: { ...cpuTimes({ scanner: scannerPid }), examiner: childCpuUs(scannerPid) },
    serviceCpu: cpuTimes({ ...processes.pids, mongod, kafka }),
  });
  say(`${domains.length} scans: ${name} …`);
  const progress = createProgress({ what: 'scans', total: domains.length, say });
  const part = createMeasuredPart<ReturnType<typeof sample>>(domains.length);
  const memory: MemorySample[] = [];
  const counts: { atMs: number; done: number }[] = [];
  const requesting = requestScans(processes.schedulerAddress, domains);
  let latest = { done: 0, atMs: performance.now() };
  for (let done = 0; done < domains.length; await sleep(pollMs)) {
    const atMs = performance.now();
    memory.push({ atMs, memory: memoryOf(scannerPid) });
    done = (await jobs.countDocuments(ended)) - before;
    counts.push({ atMs, done });
    part.observe(done, sample);
    progress.update(done);
    if (done !== latest.done) latest = { done, atMs };
    if (atMs - latest.atMs > stalledMs) throw new Error(`${name}: ${done} of ${domains.length} scans, then none`);
  }
  await requesting;
  const failures = await jobs.countDocuments({
    domain: { $in: domains.filter((domain) => domain.startsWith('healthy-')) },
    state: 'failed',
  });
  const { events, ms, from, to } = part.result();
  const result = {
    /** An observation counts when profiles has merged it and its jobs have ended. */
    observationsPerSecond: (events * 1_000) / ms,
    /** The CPU time per scan of the scanner and of its examiner, in µs. */
    cpuUs: cpuUsPer(events, from.cpu, to.cpu),
    /** The CPU time per scan of profiles, scan-scheduler, MongoDB and Kafka, in µs. */
    serviceCpuUs: cpuUsPer(events, from.serviceCpu, to.serviceCpu),
    /** The number of scans of healthy stores that did not succeed. */
    failures,
  };
  const atMs = (scans: number) => counts.find(({ done }) => done >= scans)?.atMs ?? 0;
  return { name, result, memory, atMs };
}

/** Returns the memory of the scanner and of the largest of its child processes. An examiner that has just ended is not counted. */
function memoryOf(scanner: number): Memory {
  const examiners = childrenOf(scanner).flatMap((pid) => {
    try {
      return Object.values(residentMemory({ pid }));
    } catch {
      return [];
    }
  });
  return { ...residentMemory({ scanner }), examiner: Math.max(0, ...examiners) };
}

/** Requests the scans over gRPC, as the gateway does while Kafka is unavailable. */
async function requestScans(address: string, domains: readonly string[]): Promise<void> {
  const client = createGrpcClient({ definition: ScanSchedulerServiceService, address });
  try {
    for (let at = 0; at < domains.length; at += requestsPerCall) {
      const requests = domains.slice(at, at + requestsPerCall).map((domain) => {
        const name = { jobId: newId('job'), workspaceId: 'ws_bench', chargeId: newId('chg') };
        return { ...name, domain, unit: ScanUnit.LOOKUP_LIVE, requestedAtMs: Date.now() };
      });
      await client.requestScans({ requests });
    }
  } finally {
    client.close();
  }
}

async function endsOf(db: Db, run: string): Promise<Record<string, number>> {
  const rows = await db
    .collection('jobs')
    .aggregate<{ _id: string | null; count: number }>([
      { $match: { domain: { $regex: `-${run}-` } } },
      { $group: { _id: '$error.code', count: { $sum: 1 } } },
      { $sort: { count: -1 } },
    ])
    .toArray();
  return Object.fromEntries(rows.map(({ _id, count }) => [_id ?? 'succeeded', count]));
}
