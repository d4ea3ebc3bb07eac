// The keys of the pictures and groups on a screen: figures first, then letters that mean nothing else.

const POOL = [..."123456789", ..."acefghijklmnopqrtuvwyzxsbd"];

/** A key for each of n things: none that is taken by an action. */
export function screenKeys(n: number, taken: Record<string, string>): string[] {
  const used = new Set(
    Object.entries(taken)
      .filter(([action]) => !["ab", "ac", "bc"].includes(action)) // these are for three pictures only
      .map(([, key]) => key.toLowerCase()),
  );
  const free = POOL.filter((key) => !used.has(key));
  return Array.from({ length: n }, (_, k) => free[k] ?? "");
}

/** The keys as actions: "0", "1", … by the place of what is meant. */
export const asActions = (labels: string[]): Record<string, string> =>
  Object.fromEntries(labels.map((key, k) => [String(k), key]));
