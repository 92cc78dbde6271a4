export type Group = { readonly id: string; readonly name: string }

export type ContactFields = {
  readonly name: string
  readonly email: string
  readonly phone: string | null
  readonly tags: readonly string[]
  readonly group: string | null
  readonly address: { readonly city: string | null; readonly country: string | null } | null
  readonly favourite: boolean
}

/** `id` starts at 1. `created_at` is ISO 8601. */
export type Contact = ContactFields & { readonly id: number; readonly created_at: string }

const GIVEN = [
  ['Ada', 'Bruno', 'Chiara', 'Dmitri', 'Eilidh', 'Farid', 'Greta', 'Hiro', 'Inés', 'Jonas', 'Kwame', 'Leïla'],
  ['Mateus', 'Noor', 'Oskar', 'Priya', 'Quinn', 'Rosa', 'Sanna', 'Tomáš', 'Uma', 'Vikram', 'Wanda', 'Zoë'],
].flat()
const FAMILY = [
  'Ashgrove',
  'Belmondez',
  'Carrowby',
  'Dunnekar',
  'Esterhal',
  'Fairlund',
  'Grünberg-Vale',
  'Hollowell',
  'Iversand',
  'Jaromil',
]
const PLACES = [
  ['Lisbon', 'Portugal'],
  ['Nairobi', 'Kenya'],
  ['Kraków', 'Poland'],
  ['Osaka', 'Japan'],
  ['Montréal', 'Canada'],
  ['Pune', 'India'],
  ['Valparaíso', 'Chile'],
] as const
const TAGS = ['customer', 'newsletter', 'vip', 'conference', 'supplier']

const FIRST_COUNT = 120
const FIRST_DAY = Date.UTC(2024, 0, 8, 9)
const DAY_MS = 86_400_000

export const GROUPS: readonly Group[] = [
  { id: 'family', name: 'Family' },
  { id: 'friends', name: 'Friends' },
  { id: 'work', name: 'Work' },
  { id: 'neighbours', name: 'Neighbours' },
  { id: 'choir', name: 'Choir' },
  { id: 'football', name: 'Football' },
  { id: 'suppliers', name: 'Suppliers' },
]

/** Returns the contacts of a new address book, always the same ones. Names are invented; addresses and numbers are from reserved ranges. */
export function firstContacts(): Contact[] {
  return Array.from({ length: FIRST_COUNT }, (_, index) => firstContact(index))
}

/** Combinations of 24 given names and 10 family names repeat after 120, so every name is different. */
function firstContact(index: number): Contact {
  const given = pick(GIVEN, index)
  const family = pick(FAMILY, index)
  const [city, country] = pick(PLACES, index * 3)
  return {
    id: index + 1,
    name: `${given} ${family}`,
    email: `${plain(given)}.${plain(family)}@example.com`,
    phone: `+1-${202 + (index % 7)}-555-0${100 + (index % 100)}`,
    tags: TAGS.filter((_tag, nth) => (index + nth) % 4 === 0),
    group: index % 9 === 8 ? null : pick(GROUPS, index * 2).id,
    address: { city, country },
    favourite: index % 11 === 0,
    created_at: new Date(FIRST_DAY + index * 3 * DAY_MS).toISOString(),
  }
}

function pick<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T
}

/** Returns the letters of a name that an email address may contain. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z-]/g, '')
    .toLowerCase()
}
