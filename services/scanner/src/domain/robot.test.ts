import { expect, it } from 'vitest';
import { userAgentOf } from './robot.ts';

it('the user agent contains the URL of the page about the robot only when the URL is configured', () => {
  expect(userAgentOf('https://shopscope.test/robot')).toBe('ShopscopeBot/1.0 (+https://shopscope.test/robot)');
  expect(userAgentOf(undefined)).toBe('ShopscopeBot/1.0');
});
