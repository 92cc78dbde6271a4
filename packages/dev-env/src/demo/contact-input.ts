import { type ContactFields, GROUPS } from './contacts.ts'
import { Problem } from './problem.ts'

const EMPTY: Omit<ContactFields, 'name' | 'email'> = { phone: null, tags: [], group: null, address: null, favourite: false }

const MAX_TEXT = 200
const MAX_TAGS = 20

/** Checks the value of each field. Returns the error, or undefined if the value is valid. Null clears a field that may be empty. */
const CHECKS: { readonly [Field in keyof ContactFields]: (value: unknown) => string | undefined } = {
  name: (value) => (isText(value) && value.trim() !== '' ? undefined : `must be a text of 1 to ${MAX_TEXT} characters`),
  email: (value) => (isText(value) && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value) ? undefined : 'must be an email address'),
  phone: (value) => (value === null || isText(value) ? undefined : 'must be a text'),
  tags: (value) =>
    Array.isArray(value) && value.length <= MAX_TAGS && value.every(isText) ? undefined : `must be a list of at most ${MAX_TAGS} texts`,
  group: (value) => (value === null || GROUPS.some(({ id }) => id === value) ? undefined : 'must be the id of a group'),
  address: (value) => (value === null || isAddress(value) ? undefined : 'must be an object with the texts city and country'),
  favourite: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
}

/** Returns the fields of a new contact. Throws a 422 Problem that names every invalid field. */
export function newContactFields(body: unknown): ContactFields {
  const given = checkedFields(body, ['name', 'email'])
  return { ...EMPTY, ...(given as Pick<ContactFields, 'name' | 'email'>) }
}

/** Returns the fields that a change sets. Throws a 422 Problem that names every invalid field. */
export function changedFields(body: unknown): Partial<ContactFields> {
  return checkedFields(body, [])
}

function checkedFields(body: unknown, required: readonly string[]): Partial<ContactFields> {
  if (!isObject(body)) throw new Problem(422, 'The body must be a JSON object.')
  const problems = new Map(required.filter((field) => body[field] === undefined).map((field) => [field, 'is required']))
  for (const [field, value] of Object.entries(body)) {
    const check = Object.hasOwn(CHECKS, field) ? CHECKS[field as keyof ContactFields] : () => 'is not a field that can be set'
    const problem = check(value)
    if (problem !== undefined) problems.set(field, problem)
  }
  if (problems.size > 0) throw new Problem(422, 'The contact is not valid.', Object.fromEntries(problems))
  // A stored address always has both fields.
  return isObject(body.address) ? { ...body, address: { city: null, country: null, ...body.address } } : body
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT
}

function isAddress(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.entries(value).every(([field, text]) => ['city', 'country'].includes(field) && (text === null || isText(text)))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
