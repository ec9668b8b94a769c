/** One line for the person at the keyboard. */
export type Report = (line: string) => void;
