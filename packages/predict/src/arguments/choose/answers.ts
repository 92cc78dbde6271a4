import type { Kind } from '../find/found.ts'
import type { Want } from '../slot/slot.ts'

/** The wants that a kind answers, and how sure its form alone makes it. */
export const ANSWERS: Readonly<Partial<Record<Kind, readonly [form: string, ...wants: Want[]]>>> = {
  email: ['mark', 'email'],
  url: ['mark', 'url', 'file'],
  phone: ['mark', 'phone'],
  address: ['mark', 'address'],
  id: ['id', 'id', 'handle'],
  file: ['mark', 'file'],
  handle: ['mark', 'handle'],
  color: ['mark', 'color'],
  code: ['mark', 'coordinates'],
  money: ['amount', 'money'],
  percent: ['amount', 'percent'],
  moment: ['moment', 'date', 'time'],
  period: ['moment', 'period', 'date'],
  language: ['world', 'language'],
  country: ['world', 'country', 'place'],
  currency: ['world', 'currency'],
  street: ['mark', 'street'],
  unit: ['mark', 'unit'],
  city: ['mark', 'city', 'place'],
  region: ['mark', 'region'],
  postcode: ['mark', 'postcode'],
  slug: ['mark', 'slug', 'zone'],
  owner: ['mark', 'owner'],
  repo: ['mark', 'repo'],
  given: ['mark', 'given'],
  family: ['mark', 'family'],
  name: ['name', 'person', 'name', 'place'],
  clause: ['clause', 'text', 'topic'],
}

/** Wants that only their own form answers. */
export const STRICT: ReadonlySet<Want> = new Set([
  'email',
  'url',
  'phone',
  'date',
  'given',
  'family',
  'owner',
  'repo',
  'postcode',
  'coordinates',
  'zone',
])
