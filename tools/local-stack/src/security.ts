import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Login {
  username: string;
  password: string;
}

/** What makes a native server one that wants TLS and credentials, as production's does. PEM texts. */
export interface Security {
  ca: string;
  /** Names 127.0.0.1. */
  cert: string;
  key: string;
  /** May do everything; the stack itself comes in as this one. */
  superUser: Login;
}

export interface SecurityFiles {
  ca: string;
  /** Certificate and key in one. */
  server: string;
}

/** The PEM files of one server, for their owner's eyes only. */
export async function writeSecurityFiles(directory: string, security: Security): Promise<SecurityFiles> {
  const files = { ca: join(directory, 'ca.pem'), server: join(directory, 'server.pem') };
  await mkdir(directory, { recursive: true });
  await writeSecret(files.ca, security.ca);
  await writeSecret(files.server, `${security.key.trim()}\n${security.cert.trim()}\n`);
  return files;
}

export async function writeSecret(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await chmod(path, 0o600);
}
