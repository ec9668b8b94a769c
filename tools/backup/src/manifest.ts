import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from '@shopscope/config';

/**
 * A dump is a directory:
 *
 * - `DATABASE/COLLECTION.bson`: the concatenated BSON documents, in the order of their ids.
 * - `manifest.json`: the list of collections. It is written last and renamed into place, so a directory without it is
 *   an unfinished dump.
 */
const collectionSchema = z.object({
  name: z.string().min(1),
  file: z.string().regex(/^[\w-]+\/[\w.%-]+\.bson$/, 'must be DATABASE/COLLECTION.bson'),
  documents: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Collection options and index definitions of MongoDB, as canonical extended JSON. */
  options: z.string(),
  indexes: z.string(),
});
const manifestSchema = z.object({
  version: z.literal(1),
  /** The cluster time of the dump. */
  snapshotAt: z.iso.datetime(),
  tookMs: z.int().min(0),
  databases: z.array(z.object({ name: z.string().min(1), collections: z.array(collectionSchema) })).min(1),
});

export type CollectionDump = z.output<typeof collectionSchema>;
export type Manifest = z.output<typeof manifestSchema>;

export const manifestName = 'manifest.json';

/** The content is on the disk before the name: after a loss of power the manifest is complete or absent. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const path = join(directory, manifestName);
  const file = await open(`${path}.part`, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
}

/** A file with the name of a manifest has another content. */
export class InvalidManifestError extends Error {}

export async function readManifest(directory: string): Promise<Manifest> {
  const path = join(directory, manifestName);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`${path} cannot be read: the directory has no finished dump`);
  });
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new InvalidManifestError(`${path} is not a manifest of a dump: ${problem}`);
  }
}
