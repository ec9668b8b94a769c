import { existsSync } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { NativeNode } from './native.ts';

/** The archive of the classes that a server loads. With it, a start of Java takes about half of the CPU. */
export interface ClassArchive {
  /** Options of Java for each program with these libraries. */
  readonly readOptions: readonly string[];
  /** Further options of the server. */
  readonly writeOptions: readonly string[];
  /** Call it when the server has ended. It stores the archive that the server has written, if there is one. */
  store(): Promise<void>;
}

/**
 * The archive is stored beside the libraries and belongs to one version of Java.
 *
 * - No archive exists -> the server writes one when it stops. A server that is killed writes none.
 * - The archive is damaged, or does not fit the libraries or Java -> Java ignores it.
 * - Concurrent servers without an archive -> each writes its own file, and the last one stays.
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

/** A node that stores its archive when it has stopped. */
export function storingArchive(node: NativeNode, archive: () => ClassArchive | undefined): NativeNode {
  return {
    ...node,
    get pid() {
      return node.pid;
    },
    async stop() {
      await node.stop();
      // A server that was killed may have written a part of the archive.
      if (node.pid !== null && (await node.exited()).startsWith('exited')) await archive()?.store();
    },
  };
}
