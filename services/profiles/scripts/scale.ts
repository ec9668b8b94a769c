import { createGrpcClient } from '@shopscope/grpc';
import { ProfilesServiceService } from '@shopscope/proto';
import { createCorpus } from '../test/integration/support/corpus.ts';
import { observed, sighting } from '../test/support/observed-event.ts';
import { measureLookUps } from './measure-look-ups.ts';

/**
 * Measures the merges per second of one instance and the cost of look-ups, against the servers of the SHOPSCOPE_* URLs:
 * `node --conditions=@shopscope/source services/profiles/scripts/scale.ts [stores]`. Results of different machines are
 * not comparable.
 */
const count = Number(process.argv[2] ?? 2_000);
const apps = ['woocommerce', 'custom-theme', 'klaviyo', 'yotpo', 'hotjar', 'cloudflare', 'jquery', 'stripe'];
const domains = Array.from({ length: count }, (_, i) => `store-${i}.example`);

const corpus = await createCorpus('profiles-scale');
try {
  const service = await corpus.start();
  for (const [sequence, technologies] of [apps, apps.slice(1), apps.slice(1)].entries()) {
    const events = domains.map((domain) =>
      observed(domain, sequence + 1, { technologies: technologies.map((slug) => sighting(slug)) }),
    );
    const startedMs = performance.now();
    for (let i = 0; i < count; i += 1_000) await corpus.publish(...events.slice(i, i + 1_000));
    await corpus.settled(service, 300_000);
    const seconds = (performance.now() - startedMs) / 1_000;
    print(
      `merge ${sequence + 1} of ${count} stores`,
      `${Math.round(count / seconds)} per second, published and consumed`,
    );
  }
  const client = createGrpcClient({ definition: ProfilesServiceService, address: service.grpcAddress as string });
  for (const [label, size, concurrency] of [
    ['look-ups of 1 domain, 32 concurrent', 1, 32],
    ['look-ups of 32 domains, 2 concurrent', 32, 2],
    ['look-ups of 100 domains, 8 concurrent', 100, 8],
  ] as const) {
    const { domainsPerSecond, p50Ms, p99Ms, cpuPerDomainUs, lastBytes } = await measureLookUps(client, domains, {
      size,
      concurrency,
      forMs: 4_000,
    });
    print(
      label,
      `${domainsPerSecond} domains per second, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ` +
        `${cpuPerDomainUs} µs CPU per domain (client and server), last response ${lastBytes} bytes`,
    );
  }
  client.close();
} finally {
  await corpus.stop();
}

function print(label: string, figures: string): void {
  process.stdout.write(`${label}: ${figures}\n`);
}
