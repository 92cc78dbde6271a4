import { compareTexts, splitWords } from '../text.ts'
import { LAST_VERBS, PREPOSITIONS, VERBS } from './verbs.ts'
import { type PathWords, plural, singular } from './words.ts'

/** Words without meaning for the name; code generators add most of them. */
const NOISE: ReadonlySet<string> = new Set([
  'api',
  'apis',
  'rest',
  'controller',
  'endpoint',
  'operation',
  'route',
  'using',
  'a',
  'an',
  'the',
])
const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete'])
/** Verbs that act on several items. */
const ON_MANY: ReadonlySet<string> = new Set(['list', 'search', 'find', 'count', 'export', 'import', 'batch', 'bulk', 'sync', 'query'])
const MAX_WORDS = 9

/**
 * Makes the words of a name from an operationId, verb first: `issues/create` → create, issue; `chat_postMessage` → post, chat, message.
 * Returns undefined when the id is not usable: it has no verb, contradicts the method, or only repeats method and path.
 */
export function nameById(id: string, app: string, method: string, path: PathWords): string[] | undefined {
  const parts = id.split(/[/._:-]+/).map((part) => splitWords(part).filter((word) => !NOISE.has(word)))
  const words = parts.flat().filter((word) => word !== app && !/^v\d+$/.test(word))
  if (words.length < 2 || words.length > MAX_WORDS || words.some((word) => /^[0-9a-f]{8,}$|^\d{3,}$/.test(word))) return undefined
  if (repeatsPath(words, method, path)) return undefined
  const name = verbFirst(words) ?? verbWithin(parts.filter((part) => part.length > 0)) ?? verbLast(words)
  return name && contradicts(name[0] as string, method) ? undefined : name
}

/** Detects ids that were copied from an operation with another method. */
function contradicts(verb: string, method: string): boolean {
  if (method === 'GET') return ['create', 'update', 'delete', 'replace', 'put', 'post'].includes(verb)
  return method === 'DELETE' && ['get', 'list', 'create', 'update', 'post', 'put'].includes(verb)
}

/** Whether the id only repeats method and path, as generators make it: `get_pet_pet_id`, `petPetIdGet`. */
function repeatsPath(words: readonly string[], method: string, { fixed, variables }: PathWords): boolean {
  const [first = '', ...rest] = words
  if (rest.includes('by')) return VERBS.has(first) && sameWords(withoutLinks(rest), withoutLinks([...fixed.flat(), ...variables.flat()]))
  const others = METHODS.has(first) ? rest : words.slice(0, -1)
  if (!METHODS.has(first) && words.at(-1) !== method.toLowerCase()) return false
  const known = new Set([...fixed.flat(), ...variables.flat(), 'id', 'and'].flatMap((word) => [word, singular(word), plural(word)]))
  const whole = fixed.flat().every((word) => others.some((other) => singular(other) === singular(word)))
  return (whole || others.includes('id')) && others.every((word) => known.has(word))
}

function withoutLinks(words: readonly string[]): readonly string[] {
  return words.filter((word) => word !== 'by' && word !== 'and')
}

function sameWords(some: readonly string[], others: readonly string[]): boolean {
  return [...some].sort(compareTexts).join(' ') === [...others].sort(compareTexts).join(' ')
}

function verbFirst([first = '', ...nouns]: readonly string[]): string[] | undefined {
  const verb = VERBS.get(first)
  if (verb === undefined || nouns.length === 0) return undefined
  return [verb, ...withNumber(verb, nouns)]
}

/** For ids such as `issues/create-comment`, where a later part begins with the verb. The parts before it name the object. */
function verbWithin(parts: readonly (readonly string[])[]): string[] | undefined {
  const at = parts.findIndex((part, index) => index > 0 && VERBS.has(part[0] ?? ''))
  if (at < 0) return undefined
  const [first = '', ...rest] = parts.slice(at).flat()
  const verb = VERBS.get(first) as string
  const single = parts.slice(0, at).flatMap((part) => [...part.slice(0, -1), singular(part.at(-1) ?? '')])
  const object = ON_MANY.has(verb) ? [...single.slice(0, -1), plural(single.at(-1) ?? '')] : single
  if (rest.length === 0 || PREPOSITIONS.has(rest[0] ?? '')) return [verb, ...object, ...rest]
  const repeated = single.every((word) => rest.some((other) => singular(other) === singular(word)))
  // A long name is clear without the object.
  return [verb, ...(repeated || rest.length > 3 ? [] : single), ...rest]
}

function verbLast(words: readonly string[]): string[] | undefined {
  const last = words.at(-1) ?? ''
  const verb = LAST_VERBS.get(last) ?? VERBS.get(last)
  if (verb === undefined) return undefined
  const nouns = words.slice(0, -1)
  return [verb, ...nouns.slice(0, -1), (ON_MANY.has(verb) ? plural : singular)(nouns.at(-1) ?? '')]
}

/** Sets the noun before the first preposition in the plural after `list`, and in the singular after `create`, `update` and `delete`. */
function withNumber(verb: string, nouns: readonly string[]): string[] {
  const end = nouns.findIndex((word) => PREPOSITIONS.has(word))
  const at = (end < 0 ? nouns.length : end) - 1
  return nouns.map((word, index) => {
    if (index !== at) return word
    if (verb === 'list') return plural(word)
    return verb === 'create' || verb === 'delete' || verb === 'update' ? singular(word) : word
  })
}
