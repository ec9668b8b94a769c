import { brotliCompressSync, gzipSync, constants as zlib, zstdCompressSync } from 'node:zlib';
import { vocabulary } from '@shopscope/fingerprint';
import { deriveId } from '@shopscope/ids';
import { enrichResponseBody } from '../src/endpoints/enrich-stores/response-bodies.ts';
import { storeExample } from '../src/endpoints/get-store/examples.ts';

/**
 * Measures the CPU of compressing an enrich response of 100 different stores with 12 technologies each, beside that of
 * building it: `node --conditions=@shopscope/source services/gateway/scripts/measure-compression.ts`. Median of 60 runs.
 */
const storesPerResponse = 100;
const technologiesPerStore = 12;
const runs = 60;

const at = (n: number) => new Date(1.75e12 + 61_417 * n).toISOString();
const stores = Array.from({ length: storesPerResponse }, (_, n) => {
  const domain = `${deriveId('evt', String(n)).slice(5, 15)}.example`;
  const technologies = Array.from({ length: technologiesPerStore }, (_, i) => {
    const { slug, name, category } = vocabulary[(n * 131 + i * 977) % vocabulary.length] as (typeof vocabulary)[number];
    const install_state = i % 3 ? 'active' : 'configured';
    return {
      category,
      confidence: 'high',
      first_observed_at: at(n * i),
      install_state,
      last_confirmed_at: at(n),
      name,
      slug,
    };
  });
  const ids = { brand_group_id: deriveId('bg', domain), storefront_id: deriveId('sf', domain) };
  const store = { ...storeExample, ...ids, domain, storefront_host: `www.${domain}`, name: domain, technologies };
  return Buffer.from(JSON.stringify(store));
});
const results = stores.map((store, n) => ({
  input: `shop-${n}.example`,
  match: 'matched' as const,
  reason: null,
  scanJobId: undefined,
  store,
}));
const build = () => enrichResponseBody({ requestId: 'req_1', billed: { lookupCached: 100, lookupLive: 0 }, results });
const body = build();
const brotli = (quality: number) => ({ params: { [zlib.BROTLI_PARAM_QUALITY]: quality } });

const rows: Record<string, () => Buffer> = {
  'building it': build,
  'gzip 1': () => gzipSync(body, { level: 1 }),
  'gzip 6': () => gzipSync(body, { level: 6 }),
  'br 1': () => brotliCompressSync(body, brotli(1)),
  'br 4': () => brotliCompressSync(body, brotli(4)),
  'zstd 1': () => zstdCompressSync(body, { params: { [zlib.ZSTD_c_compressionLevel]: 1 } }),
};
console.log(`${body.length} bytes`);
for (const [name, run] of Object.entries(rows)) {
  for (let i = 0; i < 5; i++) run();
  const spentUs = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  }).sort((a, b) => a - b);
  console.log(`${name}: ${spentUs[runs / 2]} us CPU, ${run().length} bytes`);
}
