export { expiresSoonMs } from './domain/key-expiry.ts';
export { type KeyState, keyStateOf, type LastUse, lastUseOf } from './domain/key-state.ts';
