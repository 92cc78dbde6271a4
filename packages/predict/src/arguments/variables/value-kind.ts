/** What a value is by its looks. */
export type Kind = 'email' | 'phone' | 'url' | 'date'

const LOOKS: readonly (readonly [Kind, RegExp])[] = [
  ['email', /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/],
  ['url', /^https?:\/\/\S+$/i],
  ['date', /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.{0,20})?$/],
  ['phone', /^\+[\d ().-]{5,20}$/],
]
const MAX_LOOKED_AT = 320

function kindOfValue(value: unknown): Kind | undefined {
  if (typeof value !== 'string' || value.length > MAX_LOOKED_AT) return undefined
  return LOOKS.find(([, look]) => look.test(value))?.[0]
}

/** By what a name says, else by the value. */
export function kindOf(name: readonly string[], value: unknown): Kind | undefined {
  if (name.includes('email')) return 'email'
  if (name.includes('phone')) return 'phone'
  return kindOfValue(value)
}
