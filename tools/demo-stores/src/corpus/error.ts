/** A fault of the demo that a person can act on; the message alone says what failed. */
export class DemoCorpusError extends Error {}
