import { isReservedName } from '@onward/catalog'
import type { Field, NamedField, Place } from './field.ts'

const order: readonly Place[] = ['path', 'query', 'header', 'body']
const MAX_LENGTH = 64

/** Gives each field the name of a parameter: its own where that is a name and is free, else with its place before it. */
export function nameFields(fields: readonly Field[]): NamedField[] {
  const taken = new Set<string>()
  return order.flatMap((place) => {
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

/** `filter[status]` → `filter_status`, `X-Version` → `X_Version`: letters, digits and _, as models take them. */
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
