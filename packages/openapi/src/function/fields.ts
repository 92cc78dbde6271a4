import { isReservedName, type ValueSchema } from '@onward/catalog'

export type Place = 'path' | 'query' | 'header' | 'body'

/** One value of a request, from which a parameter of the function is made. */
export type Field = {
  readonly place: Place
  /** The API's own name. */
  readonly name: string
  readonly schema: ValueSchema
  readonly required: boolean
  /** Whether it is a file, or a list of files. `schema` says no more than this then. */
  readonly file: boolean
  /** The only possible value, for example of a version header. It is sent without a parameter. */
  readonly fixed?: string
  /** Whether the key is repeated for each item, or the object has a key for each field: written `{tag*}`. */
  readonly explode: boolean
  /** The text between the items of a list, when it is not a comma in a query. */
  readonly separator?: string
  /** What a path has in front of the value: `;name=`. */
  readonly prefix?: string
  /** The key in the query when it differs from the name: `expand[]`. */
  readonly key?: string
}

/** The separators of the styles in which a list is one text. */
const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|', tabDelimited: '\t' }

export function separatorOf(style: unknown): string | undefined {
  return typeof style === 'string' && Object.hasOwn(SEPARATORS, style) ? SEPARATORS[style] : undefined
}

/** Whether a schema is a list of texts, numbers or booleans. */
export function isPlainList({ type, items }: ValueSchema): boolean {
  return type === 'array' && items !== undefined && items.type !== 'object' && items.type !== 'array'
}

export type NamedField = Field & { readonly parameter: string }

const PLACES: readonly Place[] = ['path', 'query', 'header', 'body']
const MAX_LENGTH = 64

/** Assigns a unique parameter name to each field: its own name when that is free, or else one with the place in front, as `body_id`. */
export function nameFields(fields: readonly Field[]): NamedField[] {
  const taken = new Set<string>()
  return PLACES.flatMap((place) => {
    return fields
      .filter((field) => field.place === place)
      .map((field) => {
        const parameter = freeName(field, taken)
        taken.add(parameter)
        return { ...field, parameter }
      })
  })
}

function freeName({ name, place }: Field, taken: ReadonlySet<string>): string {
  const plain = toIdentifier(name)
  const fits = (candidate: string) => !taken.has(candidate) && !isReservedName(candidate)
  if (fits(plain)) return plain
  const prefixed = toIdentifier(`${place}_${plain}`)
  let free = prefixed
  for (let count = 2; !fits(free); count += 1) free = `${prefixed.slice(0, MAX_LENGTH - 5)}_${count}`
  return free
}

/** `filter[status]` → `filter_status`, `X-Version` → `X_Version`: every model vendor accepts letters, digits and _. */
function toIdentifier(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[<>]=?$/, (sign) => (sign.startsWith('<') ? '_before' : '_after'))
    .replace(/^[^A-Za-z0-9_]+|[^A-Za-z0-9_]+$/g, '')
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .slice(0, MAX_LENGTH)
  if (plain === '' || plain === '_') return 'value'
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, MAX_LENGTH)
}
