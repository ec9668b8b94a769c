import { grpcTarget, grpcTlsFilesRule, grpcTlsSettings, readConfig, url, z } from '@shopscope/config';
import { createGrpcClient, operatorSecurity } from '@shopscope/grpc';
import { KeysServiceService } from '@shopscope/proto';
import { fillOnce } from './fill.ts';

const http = () => url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, ''));

const settings = z.object({
  ...grpcTlsSettings,
  KEYS_ADDRESS: grpcTarget(),
  SCAN_SCHEDULER_ADDRESS: grpcTarget(),
  PROFILES_ADDRESS: grpcTarget(),
  /** Address of the gateway. */
  API_URL: http(),
  DEMO_STORES_URL: http(),
});

/** Fills the corpus of an installation with the demo stores and exits: the service `demo-corpus` of deploy/compose. */
async function main(): Promise<void> {
  const config = readConfig(settings, process.env, [grpcTlsFilesRule('operator')]);
  const security = operatorSecurity(process.env);
  const keys = createGrpcClient({
    definition: KeysServiceService,
    address: config.KEYS_ADDRESS,
    security: security.towards('keys'),
  });
  const report = (line: string) => void process.stdout.write(`${line}\n`);
  try {
    const { domains, failed } = await fillOnce({
      keys,
      security,
      schedulerAddress: config.SCAN_SCHEDULER_ADDRESS,
      profilesAddress: config.PROFILES_ADDRESS,
      apiUrl: config.API_URL,
      demoStoresUrl: config.DEMO_STORES_URL,
      nowMs: Date.now,
      report,
    });
    report(`${domains.length} demo stores are in the corpus.`);
    for (const [domain, reason] of Object.entries(failed)) report(`${domain} is not in it: ${reason}`);
  } finally {
    keys.close();
    security.close();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`demo corpus: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
