import { ExactNumber, parseJson, RawJson, scanJson, scanJsonInSteps, writeJson } from '@onward/json'

const DEEP = { depth: 1_000 }

/** A generator of random numbers that is the same in each run. */
function randoms(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"a"',
  '"',
  '\\',
  '\\u00e9',
  '\\u00',
  '1',
  '0',
  '-',
  '.',
  '5',
  'e',
  '+',
  'true',
  'fals',
  'null',
  ' ',
  '\n',
  '\t',
  'é',
  '\u0001',
  '"\\"x"',
]

function randomText(random: () => number): string {
  const length = 1 + Math.floor(random() * 12)
  return Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join('')
}

function digits(random: () => number, count: number): string {
  return Array.from({ length: count }, () => Math.floor(random() * 10)).join('')
}

function randomNumber(random: () => number): string {
  const sign = random() < 0.3 ? '-' : ''
  const whole = random() < 0.2 ? '0' : `${1 + Math.floor(random() * 9)}${digits(random, Math.floor(random() ** 3 * 399))}`
  const fraction = random() < 0.4 ? `.${digits(random, 1 + Math.floor(random() * 25))}` : ''
  const exponent =
    random() < 0.2
      ? `${random() < 0.5 ? 'e' : 'E'}${random() < 0.5 ? '+' : random() < 0.5 ? '-' : ''}${digits(random, 1 + Math.floor(random() * 3))}`
      : ''
  return sign + whole + fraction + exponent
}

function randomDocument(random: () => number, depth = 0): string {
  const kind = random()
  if (depth < 4 && kind < 0.25)
    return `[${Array.from({ length: Math.floor(random() * 4) }, () => randomDocument(random, depth + 1)).join(',')}]`
  if (depth < 4 && kind < 0.5) {
    const keys = ['a', '__proto__', '1', 'é"\\', 'constructor', ''].filter(() => random() < 0.4)
    return `{${keys.map((key) => `${JSON.stringify(key)}:${randomDocument(random, depth + 1)}`).join(',')}}`
  }
  if (kind < 0.8) return randomNumber(random)
  return ['null', 'true', 'false', '""', '"1e5"', '"12345678901234567890"', '"\\ud800"', '"\\\\"'][Math.floor(random() * 8)] as string
}

describe('JSON with exact numbers', () => {
  it('accepts and refuses the texts that JSON.parse accepts and refuses', () => {
    const random = randoms(1)
    let valid = 0
    for (let round = 0; round < 50_000; round++) {
      const text = randomText(random)
      const { kind } = scanJson(Buffer.from(text), DEEP)
      const parses = isJson(text)
      if (kind !== (parses ? 'json' : 'invalid')) throw new Error(`${JSON.stringify(text)}: ${kind}`)
      if (parses) valid++
    }
    expect(valid).toBeGreaterThan(300)
  })

  it('writes random documents with the digits that were read', () => {
    const random = randoms(2)
    let inexact = 0
    for (let round = 0; round < 10_000; round++) {
      const text = randomDocument(random)
      const written = writeJson(parseJson(text))
      // `JSON.parse` moves keys that are indexes to the front, and leaves everything else in place.
      if (written !== text) expect(sortedTokens(written)).toEqual(sortedTokens(text))
      if (JSON.stringify(JSON.parse(text)) !== text) inexact++
    }
    expect(inexact).toBeGreaterThan(3_000)
  })

  it.each(['1909699624467843944', '-0', '1.0', '1.50', '1e5', '1E400', '0.0000001', '12345678901234567890.123', '9'.repeat(400)])(
    'reads %s as an exact number',
    (text) => {
      expect(scanJson(Buffer.from(`[${text}]`), DEEP)).toMatchObject({ kind: 'json', exact: false })
      const [value] = parseJson(`[${text}]`) as [ExactNumber]
      expect(value).toBeInstanceOf(ExactNumber)
      expect([String(value), writeJson({ value }), JSON.stringify({ value })]).toEqual([text, `{"value":${text}}`, `{"value":"${text}"}`])
      expect(Number.isFinite(value.toNumber())).toBe(true)
    },
  )

  it.each(['0', '-7', '1.5', '123456789012345', '0.000001', '1234567.25', '1e+21'])('reads %s as a JavaScript number', (text) => {
    expect(scanJson(Buffer.from(text), DEEP)).toMatchObject({ exact: true })
    expect(parseJson(text)).toBe(Number(text))
  })

  it('counts keys and values, and stops at a limit', () => {
    const bytes = Buffer.from('{"a":[1,{"b":null}],"c":"}"}')
    expect(scanJson(bytes, { depth: 3 })).toEqual({ kind: 'json', keys: 3, values: 6, exact: true })
    expect(scanJson(bytes, { depth: 2 })).toEqual({ kind: 'exceeds', limit: 'depth' })
    expect(scanJson(bytes, { depth: 3, keys: 2 })).toEqual({ kind: 'exceeds', limit: 'keys' })
    expect(scanJson(bytes, { depth: 3, values: 5 })).toEqual({ kind: 'exceeds', limit: 'values' })
  })

  it('yields between steps', () => {
    const steps = scanJsonInSteps(Buffer.from(JSON.stringify(Array.from({ length: 1_000 }, (_, i) => i))), DEEP, 100)
    let pauses = 0
    for (let step = steps.next(); !step.done; step = steps.next()) pauses++
    expect(pauses).toBeGreaterThan(30)
  })

  it('writes raw JSON unchanged, at any depth and beside exact numbers', () => {
    const value = { a: new RawJson('{ "n": 1.0,\n"n": 2 }'), b: [new ExactNumber('1e2'), '1e2'] }
    expect(writeJson(value)).toBe('{"a":{ "n": 1.0,\n"n": 2 },"b":[1e2,"1e2"]}')
    expect(JSON.stringify(value)).toBe('{"a":{"n":2},"b":["1e2","1e2"]}')
  })

  it('throws for texts that are not JSON', () => {
    for (const text of ['', '{', '"\u{e000}', '01', '[1,]', '{"a":1e}']) expect(() => parseJson(text)).toThrow(SyntaxError)
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function sortedTokens(text: string): string[] {
  return (text.match(/"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/g) ?? []).sort()
}
