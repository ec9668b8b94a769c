import { type DemoStores, startDemoStores } from './index.ts';

// Runs the demo stores as a process. HOST and PORT: its address. SCAN_HOSTS_FILE: the file for scanners.
// SCAN_HOSTS_ADDRESS: the name or address in that file, default HOST. CHANGES_FILE: keeps changes across restarts.
const { HOST: host = '127.0.0.1', PORT: port = '8090', SCAN_HOSTS_FILE: testHostsFile } = process.env;
const { SCAN_HOSTS_ADDRESS: testHostsAddress, CHANGES_FILE: changesFile } = process.env;

let stores: DemoStores;
try {
  stores = await startDemoStores({
    host,
    port: Number(port),
    ...(testHostsFile && { testHostsFile }),
    ...(changesFile && { changesFile }),
    ...(testHostsAddress && { testHostsAddress }),
  });
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const problem = code === 'EADDRINUSE' ? `port ${port} of ${host} is taken; set PORT to a free one` : message;
  process.stderr.write(`demo stores: ${problem}\n`);
  process.exit(1);
}

const stop = () => void stores.stop().then(() => process.exit(0));
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// Last step: a reader of this line may send a signal to the process.
process.stdout.write(`demo stores: ${stores.domains.length} on ${stores.url} (control: ${stores.url}/__control)\n`);
