import { expect, it } from 'vitest';
import { userAgentOf } from './robot.ts';

it('the user agent has the address of a page about the robot, or none at all', () => {
  expect(userAgentOf('https://shopscope.test/robot')).toBe('ShopscopeBot/1.0 (+https://shopscope.test/robot)');
  expect(userAgentOf(undefined)).toBe('ShopscopeBot/1.0');
});
