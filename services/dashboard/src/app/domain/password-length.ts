/** Lengths of a password, in characters. NIST SP 800-63B asks for at least 15 without a second factor, and for 8 with one. */
export const passwordLength = { min: 12, max: 128 };
