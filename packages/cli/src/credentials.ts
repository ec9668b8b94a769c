import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import * as http from 'node:http';
import { join } from 'node:path';
import { type Client, createClient } from '@shopscope/client';
import { UsageError } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

export interface Credentials {
  apiKey: string;
  baseUrl: string;
}

const fileIn = (folder: string) => join(folder, 'credentials.json');

/** What `login` stored. Undefined without it. */
async function stored(folder: string): Promise<Partial<Credentials>> {
  try {
    return JSON.parse(await readFile(fileIn(folder), 'utf8')) as Credentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`${fileIn(folder)} cannot be read: run \`shopscope login\` again.`);
  }
}

/** The environment counts more than what `login` stored. */
export async function credentialsOf({ env, configFolder }: Terminal): Promise<Credentials> {
  const kept = await stored(configFolder);
  const apiKey = env.SHOPSCOPE_API_KEY || kept.apiKey;
  const baseUrl = env.SHOPSCOPE_BASE_URL || kept.baseUrl;
  if (!apiKey) throw new UsageError('There is no API key: run `shopscope login`, or set SHOPSCOPE_API_KEY.');
  if (!baseUrl)
    throw new UsageError('There is no address of the service: set SHOPSCOPE_BASE_URL, or run `shopscope login`.');
  return { apiKey, baseUrl };
}

export async function baseUrlOf({ env, configFolder }: Terminal): Promise<string | undefined> {
  return env.SHOPSCOPE_BASE_URL || (await stored(configFolder)).baseUrl;
}

/** Writes a file that only this person may read. An interrupted write leaves the old file. */
export async function keep(folder: string, credentials: Credentials): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${fileIn(folder)}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, fileIn(folder));
  return fileIn(folder);
}

export async function forget(folder: string): Promise<boolean> {
  const existed = Object.keys(await stored(folder).catch(() => ({ broken: true }))).length > 0;
  await rm(fileIn(folder), { force: true });
  return existed;
}

/** A client whose requests go through the proxies of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, from Node 24.14 on. */
export function clientFor({ env }: Terminal, credentials: Credentials): Client {
  try {
    http.setGlobalProxyFromEnv?.(env);
  } catch {
    throw new UsageError('HTTPS_PROXY or HTTP_PROXY is not an address of a proxy.');
  }
  try {
    return createClient({ ...credentials, userAgent: `shopscope-cli/${version}` });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`);
  }
}
