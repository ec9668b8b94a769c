/**
 * The form of the documents and the mapping of their index (libs/store-search). A change of either needs the next number: instances of the
 * new version then fill an index of their own, and instances of the old one stop writing.
 */
export const schema = 2;
