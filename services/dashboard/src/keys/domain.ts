export { expiresSoonMs } from './domain/key-expiry.ts';
export { type KeySummary, keySummary } from './domain/key-state.ts';
