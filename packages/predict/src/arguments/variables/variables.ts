import type { Steps } from '../../in-slices.ts'
import { canonical } from '../slot/synonyms.ts'
import type { Variables } from '../types.ts'

/** A variable or a part of one, with the words of its path. */
export type Variable = {
  /** The dotted path. A full name that is joined from two variables has none. */
  readonly path: string
  /** What to write for it. */
  readonly tag: string
  readonly value: unknown
  /** Words of the whole path. */
  readonly words: readonly string[]
  /** Words of the last part. */
  readonly last: readonly string[]
  /** Words of the parts before the last: the object that contains the variable. */
  readonly owner: readonly string[]
  readonly kind: ValueKind | undefined
  /** Whether it is so large that only its parts can be the value of a parameter: to check a value, it is copied. */
  readonly tooLarge: boolean
}

const MAX_PARTS = 5
/** The number of variables, parts included, that are used. Forms and workflows have fewer. */
const MAX_VARIABLES = 500
const MAX_OBJECT_CHARACTERS = 10_000
/** A variable with a longer name is left out, because it could consist of thousands of words. */
const MAX_NAME_CHARACTERS = 200

/**
 * Returns every variable that can be written as a tag, outer ones first, and full names that are joined from a first and a last name. Only
 * lists with a single item are searched.
 */
export function* variablesOf(variables: Variables): Steps<Variable[]> {
  const found = inside(variables, '', [])
  // The loop also visits what it appends.
  for (const { path, value, words } of found) {
    yield
    const isOpen = typeof value === 'object' && value !== null && (!Array.isArray(value) || value.length === 1)
    if (isOpen && found.length < MAX_VARIABLES && path.split('.').length < MAX_PARTS) found.push(...inside(value, `${path}.`, words))
  }
  const used = found.slice(0, MAX_VARIABLES)
  return [...used, ...fullNames(used)]
}

function fullNames(variables: readonly Variable[]): Variable[] {
  const named = (name: string) => variables.filter(({ last, value }) => typeof value === 'string' && last.join(' ') === name)
  const lasts = named('last name')
  return named('first name').flatMap((first) => {
    const last = lasts.find((other) => holderOf(other) === holderOf(first))
    if (last === undefined) return []
    const words = [...first.owner, 'name']
    return [{ ...first, path: '', tag: `${first.tag} ${last.tag}`, value: `${first.value} ${last.value}`, words, last: ['name'] }]
  })
}

function holderOf({ path }: Variable): string {
  return path.slice(0, path.lastIndexOf('.') + 1)
}

function inside(holder: object, prefix: string, owner: readonly string[]): Variable[] {
  return Object.entries(holder)
    .filter(([name]) => name.length <= MAX_NAME_CHARACTERS && (prefix === '' ? /^[A-Za-z_][A-Za-z0-9_-]*$/ : /^[A-Za-z0-9_-]+$/).test(name))
    .slice(0, MAX_VARIABLES)
    .map(([name, value]) => {
      const path = prefix + name
      const last = Array.isArray(holder) ? [] : canonical(name)
      const tooLarge = typeof value === 'object' && JSON.stringify(value).length > MAX_OBJECT_CHARACTERS
      return { path, tag: `{${path}}`, value, words: [...owner, ...last], last, owner, kind: kindOf(value), tooLarge }
    })
}

export type ValueKind = 'email' | 'phone' | 'url' | 'date'

const LOOKS: readonly (readonly [ValueKind, RegExp])[] = [
  ['email', /^[^\s@<>]{1,64}@[^\s@<>]{1,255}$/],
  ['url', /^https?:\/\/\S+$/i],
  ['date', /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.{0,20})?$/],
  ['phone', /^\+[\d ().-]{5,20}$/],
]

/** Returns the kind of a value by its form. */
function kindOf(value: unknown): ValueKind | undefined {
  return typeof value === 'string' ? LOOKS.find(([, look]) => look.test(value))?.[0] : undefined
}
