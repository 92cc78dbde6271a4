import * as fc from 'fast-check'

/** The keywords of JSON Schema that the contract uses for requests. */
export type Schema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly format?: string
}

/** Values that exist in the service under test by the name of their field, such as the names of its functions. `undefined` omits the field. */
export type Known = Readonly<Record<string, readonly unknown[]>>

/** Texts that commonly break services. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...['', ' ', '\u0000', '\ud800', '\uffff', '🙂', 'e\u0301', 'Ω'.repeat(300), 'x'.repeat(20_000), '\r\nX-Injected: 1', '<script>'],
  ...['../../etc/passwd', '.', '..', '%2e%2e%2f', '%00', '%', "' or 1=1 --", '"; drop table call_log; --', '\\', '/', '?', '#'],
  ...['{{', '}}', '{', '{}', '{a', '{__proto__}', '{constructor.prototype}', '{a.b.c}', '{user.0}', '__proto__', 'constructor', 'toString'],
  ...['null', 'true', 'NaN', 'Infinity', '-Infinity', '1e309', '0x10', '-1', '1.5', '9007199254740993', '99999999999999999999', '{"a":1}'],
  ...['http://169.254.169.254/', 'https://[::1]:22/', 'file:///etc/passwd', 'https://user:pw@a.example/', '//a.example', 'a@b', '[1]'],
  ...['2026-02-30T00:00:00Z', '+275760-09-13T00:00:00Z', '0000-01-01T00:00:00Z', '2026-11-22', '99999-01-01T00:00:00.000Z'],
]

const HOSTILE_NUMBERS = [0, -0, -1, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, 1e21, 1e308, -1e308, 5e-324]
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.constantFrom(...HOSTILE_NUMBERS),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: null }, { length: 5 }, [{ a: [{}] }], { toString: 1 }),
  fc.jsonValue({ maxDepth: 4 }),
)

/** Generates values of a schema. Sometimes replaces a value, at any depth, by a value that the schema may not allow. */
export function arbitraryOf(schema: Schema, known: Known, name = ''): fc.Arbitrary<unknown> {
  const fitting = fittingValue(schema, known, name)
  const existing = known[name]
  const values = existing === undefined ? fitting : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...existing) }, fitting)
  return fc.oneof({ weight: 30, arbitrary: values }, { weight: 1, arbitrary: hostile })
}

function fittingValue(schema: Schema, known: Known, name: string): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const [first, ...more] = [schema.type ?? []].flat()
  if (first === undefined) return hostile
  return fc.oneof(...[first, ...more].map((type) => ofType(type, schema, known, name)))
}

function ofType(type: string, schema: Schema, known: Known, name: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectOf(schema, known)
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, known, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      })
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.maxSafeInteger().map((n) => clamp(n, schema))
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => clamp(n, schema))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      throw new Error(`the schema type ${type} is not known`)
  }
}

/** Generates objects with all required properties and some of the others. Some have a property that the schema does not name. */
function objectOf({ properties = {}, required = [], additionalProperties }: Schema, known: Known): fc.Arbitrary<unknown> {
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema, known, name)])),
    {
      requiredKeys: [...required],
    },
  )
  const strange = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...HOSTILE_TEXTS.slice(0, 30))), hostile, { maxKeys: 3 })
  const free = additionalProperties === true || Object.keys(properties).length === 0
  const extra = fc.oneof({ weight: free ? 2 : 30, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: strange })
  return fc.tuple(named, extra).map(([some, others]) => ({ ...others, ...some }))
}

function textOf({ pattern, format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  switch (format) {
    case 'date-time':
      return fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }).map((time) => time.toISOString())
    case 'email':
      return fc.emailAddress()
    case 'uri':
      return fc.webUrl({ withFragments: true, withQueryParameters: true })
    case 'uuid':
      return fc.uuid()
    default:
      return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) })
  }
}

/** Moves a number into the range of its schema; small ranges get all their values. */
function clamp(n: number, { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema): number {
  const span = maximum - minimum
  return n >= minimum && n <= maximum ? n : minimum + (Math.abs(n) % (span > 0 && span < 1e9 ? span + 1 : 1_000))
}
