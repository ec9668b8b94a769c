import fc from 'fast-check';

/** Texts for tests: characters for which there are rules, and characters of any kind. */
const parts = [
  ...'aZ7 -=+@;."\',\t\n\r\0\u00a0\u3000\u202e\u2066\u2069\u200b\u200c\u200d\u200e\u2060\ufeff\u00ad\u3164\u2800',
  ...'\ufe0f\ufe0e\u{e0100}\u{e0061}\u180b\u180e\u20e3\u0301\u0300\u093c\u094d\u0e47\ue000\ufffd\uff1d\uff20\u207a\u2212',
  ...'\u05d0\u0645\u06cc\u064e\u0915\u0937\u09b0\u09cd\u0d28\u0d4d\u1820\u845b\u{1f469}\u{1f3fd}\u2764\u1100\u1161\u11a8\u0f71\u0f72',
  ...['\ud83d', '\ude00', '\u001b[2J', '\u009b31m'],
];

export const hostileText = fc.oneof(
  fc.array(fc.constantFrom(...parts), { maxLength: 24 }).map((all) => all.join('')),
  fc.string({ unit: 'binary' }),
);
