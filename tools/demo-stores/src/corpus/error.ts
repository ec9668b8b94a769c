/** An error of the demo with a message for users. */
export class DemoCorpusError extends Error {}
