/**
 * The load that the greedy neighbour sends with one key of one workspace, and from one address without a key.
 *
 * - The key has the limits of the plan `growth`, the smallest plan with batches of 100. It sends several times as many requests as the limits
 *   admit. The limits therefore decide what is executed, and a gateway without limits would be overloaded.
 * - It sends in the first half of a minute and is silent in the second half. The rate limit counts by minutes, so the whole rate of a minute
 *   is executed in half of the time.
 * - A test key of the same workspace sends the worst that its own limits admit besides.
 * - No plan limits an address without a key. It keeps as many connections open as the gateways allow an address, and sends about 4 MB/s. A
 *   flood that fills the line has to be stopped by the network before the gateways.
 */
export const neighbourLimits = {
  rpm: 600,
  concurrency: 20,
  included: 250_000,
  liveRefreshes: 5_000,
} as const;

/** The number of entries in a batch: the most that the plan admits. */
export const batchSize = 100;
/**
 * A long entry whose refusal costs much: an internationalized name with 850 labels. A batch of these has 255 KB, nearly the largest body, and
 * its response repeats them.
 */
export const longInput = 'ü.'.repeat(850);
/** The declared size of a body that never completes: the most that the gateway reads. */
export const bodyBytes = 262_144;
/** This many bytes at the end of such a body are never sent. */
export const unsentBytes = 1_144;

/** The requests per second with the key. Together they are 86, and the plan admits 10 per second on average. */
export const keyedPerSecond = {
  /** Batches of known stores, each with a new Idempotency-Key, so that each response is also stored. */
  fullBatches: 40,
  /** Batches of long entries that are not domains, each with a new Idempotency-Key. They are free. */
  largeInputs: 20,
  /** Batches whose connection is closed up to 50 ms after the request. Half of them request scans. */
  hangUps: 25,
  /** Full batches whose responses are read at 256 bytes in 5 s. */
  slowReads: 1,
} as const;
/** The requests per second with the test key. Its plan admits 10 per second on average, too. */
export const testPerSecond = {
  /** Batches of generated stores, each with a new Idempotency-Key. */
  batches: 20,
  /** Batches that request a simulated scan of each store. */
  scans: 10,
  /** Documents with as many stores as a document may ask for, and all their members. */
  documents: 5,
  /** Resets of the workspace's test data, which also give the allowance back. */
  resets: 1,
} as const;
/** The names of generated stores of the test tenant, as the guide has them. */
export const testDomains = Array.from({ length: batchSize }, (_, n) => `store-${String(n + 1).padStart(4, '0')}.test`);
/** A document may ask for 1,000 stores. */
export const batchesPerDocument = 10;
export const hangUpWithinMs = 50;
export const slowReadBytes = 256;
export const slowReadEveryMs = 5_000;

/** The requests per second of the address without a key. */
export const anonymousPerSecond = {
  /** Requests with well-formed keys that do not exist. Each request has another key. */
  wrongKeys: 50,
  /** Requests with a malformed key and a complete body of the largest size. */
  malformedKeys: 5,
  /** New connections whose bodies never complete, while fewer than {@link maxOpenBodies} are open. */
  openBodies: 10,
} as const;
/** The number of keys of the same workspace that are used over MCP. */
export const mcpKeys = 10;
/** The messages per second that all of these keys send over MCP. */
export const mcpPerSecond = {
  /** Messages that cost the least work, so that most of them are answered. */
  pings: 100,
  /** Messages whose bodies never complete, while fewer than {@link maxMcpSlowBodies} are open. */
  slowBodies: 40,
} as const;
/** Twice the default of MCP_MESSAGES_AT_ONCE. */
export const maxMcpSlowBodies = 400;
/** Twice the default of ANONYMOUS_CONNECTIONS_PER_ADDRESS, because there are two gateways. */
export const maxOpenBodies = 1_000;
