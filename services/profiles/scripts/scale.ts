import { createGrpcClient } from '@shopscope/grpc';
import { ProfilesServiceService } from '@shopscope/proto';
import { createCorpus } from '../test/integration/support/corpus.ts';
import { observed, sighting } from '../test/support/observed-event.ts';

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
    const timesMs: number[] = [];
    let bytes = 0;
    const cpu = process.cpuUsage();
    const endMs = performance.now() + 4_000;
    const callRepeatedly = async () => {
      while (performance.now() < endMs) {
        const first = Math.floor(Math.random() * Math.max(1, count - size));
        const startMs = performance.now();
        const { bodies } = await client.getStores({ domains: domains.slice(first, first + size), origins: [] });
        timesMs.push(performance.now() - startMs);
        bytes = bodies.length;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, callRepeatedly));
    timesMs.sort((a, b) => a - b);
    const at = (share: number) => timesMs[Math.floor(timesMs.length * share)]?.toFixed(1);
    const { user, system } = process.cpuUsage(cpu);
    const perDomain = Math.round((user + system) / (timesMs.length * size));
    print(
      label,
      `${Math.round((timesMs.length * size) / 4)} domains per second, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
        `${perDomain} µs CPU per domain (client and server), last response ${bytes} bytes`,
    );
  }
  client.close();
} finally {
  await corpus.stop();
}

function print(label: string, figures: string): void {
  process.stdout.write(`${label}: ${figures}\n`);
}
