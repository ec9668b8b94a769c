import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { localDirectory } from '../start/settings.ts';
import { certificatesDirectory, writeDevelopmentCertificates } from './certificates.ts';

/** `npm run certificates [-- --directory PATH]`: writes certificates for development and prints their expiry. */
const { values } = parseArgs({ options: { directory: { type: 'string' } } });
const directory = values.directory ? resolve(values.directory) : certificatesDirectory(localDirectory(process.env));
const entries = await writeDevelopmentCertificates(directory);

process.stdout.write(`Certificates in ${directory}:\n\n`);
for (const { name, expiresAt, isNew } of entries) {
  process.stdout.write(
    `  ${name.padEnd(15)} until ${expiresAt.toISOString().slice(0, 10)}  ${isNew ? 'new' : 'kept'}\n`,
  );
}
process.stdout.write(
  '\nSHOPSCOPE_TLS=true npm start uses those of the local directory. For development only: a holder of ca.key can act as any service.\n',
);
