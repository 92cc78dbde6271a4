import { insert } from './insertions.ts'

/** JSON text that `writeJson` writes unchanged. `JSON.stringify` writes its value instead, and may change numbers. */
export class RawJson {
  readonly text: string

  /** `text` must be valid JSON. */
  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return insert(this.text) ?? this.plain()
  }

  /** Returns what `JSON.stringify` writes. */
  protected plain(): unknown {
    return JSON.parse(this.text)
  }
}

/**
 * A JSON number that a JavaScript number would write in another way, such as `1909699624467843944`, `1e400` or `1.50`. `writeJson` writes its
 * digits. `String` and `JSON.stringify` return its digits as text, so the number is never replaced by another one.
 */
export class ExactNumber extends RawJson {
  /** Returns the nearest JavaScript number. It is finite: a value out of range becomes the largest number. */
  toNumber(): number {
    return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(this.text)))
  }

  /** Returns the JavaScript number with exactly this value, or undefined if there is none. `1.50` has one, `1909699624467843945` has none. */
  asNumber(): number | undefined {
    const number = Number(this.text)
    return Number.isFinite(number) && normalForm(String(number)) === normalForm(this.text) ? number : undefined
  }

  override toString(): string {
    return this.text
  }

  protected override plain(): string {
    return this.text
  }
}

/** Returns a decimal number as its significant digits and an exponent, so that equal numbers are equal texts. */
function normalForm(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`
}

/** Returns whether a JSON value is an object or an array. */
export function isStructured(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
}

/** Returns whether a JavaScript number writes a JSON number with the same digits. */
export function isExact(digits: string): boolean {
  return String(Number(digits)) === digits
}
