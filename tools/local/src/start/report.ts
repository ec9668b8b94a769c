/** Receives one line of output. */
export type Report = (line: string) => void;
