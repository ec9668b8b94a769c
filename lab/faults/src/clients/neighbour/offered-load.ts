/**
 * What the greedy neighbour sends: one workspace with one key, and one address without a key.
 *
 * - The key has the limits of the plan `growth`, the smallest plan with batches of 100. Its requests are several times
 *   what the limits admit, so the limits decide what is executed, and a gateway without limits is overloaded.
 * - It sends in the first half of a minute and is silent in the second half. The rate limit counts by minutes, so the whole
 *   rate of a minute is executed in half of the time.
 * - No plan limits an address without a key. It keeps as many connections open as the gateways let one address keep, and its traffic
 *   is about 4 MB/s. A flood of a whole line is the task of the network before the gateways.
 */
export const neighbourLimits = {
  rpm: 600,
  concurrency: 20,
  included: 250_000,
  liveRefreshes: 5_000,
} as const;

/** Entries of each batch: the most that the plan admits. */
export const batchSize = 100;
/**
 * An entry that is long and costs much to refuse: 850 labels of an internationalized name. A batch of them has 255 KB, nearly the
 * largest body, and its response repeats them.
 */
export const longInput = 'ü.'.repeat(850);
/** Declared size of a body that never completes: the most that the gateway reads. */
export const bodyBytes = 262_144;
/** All but the last bytes of it are sent. */
export const unsentBytes = 1_144;

/** Requests per second under the key: 86 of them, against the 10 per second that the plan admits on average. */
export const keyedPerSecond = {
  /** Batches of known stores, each under a new Idempotency-Key, so each response is also stored. */
  fullBatches: 40,
  /** Batches of long entries that are no domains, each under a new Idempotency-Key. They are free. */
  largeInputs: 20,
  /** The connection is closed up to 50 ms after the request. Half of them request scans. */
  hangUps: 25,
  /** Full batches whose responses are read at 256 bytes in 5 s. */
  slowReads: 1,
} as const;
export const hangUpWithinMs = 50;
export const slowReadBytes = 256;
export const slowReadEveryMs = 5_000;

/** Requests per second of the address without a key. */
export const anonymousPerSecond = {
  /** Well-formed keys that do not exist, each of them another. */
  wrongKeys: 50,
  /** Malformed keys with a complete body of the largest size. */
  malformedKeys: 5,
  /** New connections whose bodies never complete, while fewer than {@link maxOpenBodies} are open. */
  openBodies: 10,
} as const;
/** Keys of the same workspace that are used over MCP. */
export const mcpKeys = 10;
/** Messages per second over MCP, by all of these keys. */
export const mcpPerSecond = {
  /** They cost the least work, so the most of them are answered. */
  pings: 100,
  /** Messages whose bodies never complete, while fewer than {@link maxMcpSlowBodies} are open. */
  slowBodies: 40,
} as const;
/** Twice the places of all callers. */
export const maxMcpSlowBodies = 400;
/** Of two gateways, each with the default of ANONYMOUS_CONNECTIONS_PER_ADDRESS. */
export const maxOpenBodies = 1_000;
