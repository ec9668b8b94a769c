export { toAppError } from './operations/api-error.ts';
export { callApi } from './operations/call-api.ts';
export { callWithKey } from './operations/call-with-key.ts';
export type { KeyChoice } from './operations/made-keys.ts';
export * as madeKeys from './operations/made-keys.ts';
