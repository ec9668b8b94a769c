import { existsSync } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The archive of the classes that a broker loads. With it, a start of Java takes about half of the CPU. */
export interface ClassArchive {
  /** Options of Java for each program of Kafka. */
  readonly readOptions: readonly string[];
  /** Further options of the broker. */
  readonly writeOptions: readonly string[];
  /** Call it when the broker has ended. It stores the archive that the broker has written, if there is one. */
  store(): Promise<void>;
}

/**
 * The archive is stored beside the libraries and belongs to one version of Java.
 *
 * - No archive exists -> the broker writes one when it stops. A broker that is killed writes none.
 * - The archive is damaged, or does not fit the libraries or Java -> Java ignores it.
 * - Concurrent brokers without an archive -> each writes its own file, and the last one stays.
 */
export function classArchive(options: { libraries: string; javaVersion: string; written: string }): ClassArchive {
  const path = join(options.libraries, `classes-${options.javaVersion}.jsa`);
  const { written } = options;
  const exists = existsSync(path);
  return {
    readOptions: exists ? [`-XX:SharedArchiveFile=${path}`, '-XX:+VerifySharedSpaces', '-Xlog:cds=off'] : [],
    writeOptions: exists ? [] : [`-XX:ArchiveClassesAtExit=${written}`, '-Xlog:cds=off'],
    async store() {
      if (!existsSync(written)) return;
      const part = `${path}.${process.pid}`;
      await copyFile(written, part);
      await rename(part, path);
      await rm(written);
    },
  };
}
