import { type Endpoint, EndpointState } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { isOpen } from './alert.ts';

const { ACTIVE, PAUSED, DISABLED } = EndpointState;
const endpoint = (state: EndpointState, failingSinceMs?: number) => ({ state, failingSinceMs }) as Endpoint;

it('an alert is open until the endpoint has succeeded, was revived or was paused', () => {
  expect(isOpen({ kind: 'failing' }, endpoint(ACTIVE, 1))).toBe(true);
  expect(isOpen({ kind: 'failing' }, endpoint(ACTIVE))).toBe(false);
  expect(isOpen({ kind: 'failing' }, endpoint(PAUSED, 1))).toBe(false);
  expect(isOpen({ kind: 'failing' }, endpoint(DISABLED, 1))).toBe(false);
  expect(isOpen({ kind: 'disabled' }, endpoint(DISABLED))).toBe(true);
  expect(isOpen({ kind: 'disabled' }, endpoint(ACTIVE, 1))).toBe(false);
});
