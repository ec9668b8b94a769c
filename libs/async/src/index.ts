/** Deadlines, batching, slots, rates, circuit breaking, periodic work and retries. Every part takes its clock as an option. */
export { type CircuitBreaker, type CircuitBreakerOptions, createCircuitBreaker } from './circuit-breaker.ts';
export {
  createDeadline,
  type Deadline,
  type DeadlineOptions,
  noDeadline,
  sharedDeadline,
} from './deadline.ts';
export { createKeyedBatcher, type KeyedBatcher, type KeyedBatcherOptions } from './keyed-batcher.ts';
export { createKeyedQueue, type KeyedQueue } from './keyed-queue.ts';
export { createKeyedSlots, type KeyedSlots } from './keyed-slots.ts';
export { type PeriodicLoop, type PeriodicLoopOptions, startPeriodicLoop } from './periodic-loop.ts';
export { createRateLimiter, type Rate, type RateBucket, type RateLimiter } from './rate-limiter.ts';
export { exponentialBackoff, type RetryOptions, retry } from './retry.ts';
export { runEach } from './run-each.ts';
export { untilAborted } from './until-aborted.ts';
export { withTimeout } from './with-timeout.ts';
