/** Returns a function that calls `read` on its first call, and then returns the same value. */
export function once<Value>(read: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= read());
}

/** Like {@link once}, but with one value for each key. All callers share the values. */
export function oncePer<Key extends object, Value extends object>(read: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}
