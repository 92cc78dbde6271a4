/**
 * A number of a document that JavaScript would write in another way, such as `1.10` or `1909699624467843944`. It stands for the number in `enum`,
 * `const` and `default`, which requests contain: where the schema says that the value is text, that text is what the document has.
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

/** Returns what stands for a number below these keys; undefined if the number itself does. A list has its index as the last key. */
export function writtenNumber(text: string, number: number, path: readonly unknown[]): WrittenNumber | undefined {
  const key = typeof path.at(-1) === 'number' ? path.at(-2) : path.at(-1)
  return KEYS.has(key) && String(number) !== text ? new WrittenNumber(text, number) : undefined
}
