import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Login {
  username: string;
  password: string;
}

/** The settings of a native server that requires TLS and credentials, as in production. `ca`, `cert` and `key` are PEM texts. */
export interface Security {
  ca: string;
  /** Valid for 127.0.0.1. */
  cert: string;
  key: string;
  /** A user with all permissions. The stack itself logs in as this user. */
  superUser: Login;
}

export interface SecurityFiles {
  ca: string;
  /** Certificate and key in one file. */
  server: string;
}

/** Writes the PEM files of one server. Only their owner can read them. */
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
