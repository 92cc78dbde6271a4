/**
 * A number of a document together with its text, because JavaScript would write it differently: `1.10`, `1909699624467843944`. Documents
 * also write text without quotes, such as a version. If the schema of the value is text, the value is this text.
 */
export class WrittenNumber {
  readonly text: string
  readonly number: number

  constructor(text: string, number: number) {
    this.text = text
    this.number = number
  }

  toString(): string {
    return this.text
  }

  /** Returns the number; undefined if no JavaScript number is close enough to it. */
  exact(): number | undefined {
    return Math.abs(this.number) <= Number.MAX_SAFE_INTEGER || String(this.number) === this.text ? this.number : undefined
  }
}

const KEYS: ReadonlySet<unknown> = new Set(['enum', 'const', 'default'])

/**
 * Returns a number with its text if it is a value of `enum`, `const` or `default`, which requests contain, and JavaScript would write it
 * differently. Otherwise returns undefined. `path` holds the keys that lead to the number; in a list, the last one is an index.
 */
export function writtenNumber(text: string, number: number, path: readonly unknown[]): WrittenNumber | undefined {
  const key = typeof path.at(-1) === 'number' ? path.at(-2) : path.at(-1)
  return KEYS.has(key) && String(number) !== text ? new WrittenNumber(text, number) : undefined
}
