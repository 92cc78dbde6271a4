import { compareTexts } from '../compare-texts.ts'
import { splitWords } from '../text.ts'
import { plural, singular } from './inflect.ts'
import type { PathWords } from './path-words.ts'
import { lastVerbs, prepositions, verbs } from './verbs.ts'

/** Words that tell nothing, most of them of generators of code. */
const noise: ReadonlySet<string> = new Set([
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
const methods: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete'])
/** What these do, they do to many. */
const many: ReadonlySet<string> = new Set(['list', 'search', 'find', 'count', 'export', 'import', 'batch', 'bulk', 'sync', 'query'])
const MAX_WORDS = 9

/**
 * The words of a name made from an operationId, the verb first: `issues/create` → create, issue; `chat_postMessage` → post, chat, message.
 * Undefined when the id is no good: it has no verb, or that of another method, or does nothing but repeat method and path.
 */
export function nameById(id: string, app: string, method: string, path: PathWords): string[] | undefined {
  const parts = id.split(/[/._:-]+/).map((part) => splitWords(part).filter((word) => !noise.has(word)))
  const words = parts.flat().filter((word) => word !== app && !/^v\d+$/.test(word))
  if (words.length < 2 || words.length > MAX_WORDS || words.some((word) => /^[0-9a-f]{8,}$|^\d{3,}$/.test(word))) return undefined
  if (repeatsPath(words, method, path)) return undefined
  const name = verbFirst(words) ?? verbWithin(parts.filter((part) => part.length > 0)) ?? verbLast(words)
  return name && contradicts(name[0] as string, method) ? undefined : name
}

/** Ids are copied from other operations and then say what those do. */
function contradicts(verb: string, method: string): boolean {
  if (method === 'GET') return ['create', 'update', 'delete', 'replace', 'put', 'post'].includes(verb)
  return method === 'DELETE' && ['get', 'list', 'create', 'update', 'post', 'put'].includes(verb)
}

/** Whether a generator made the id of method and path: `get_pet_pet_id`, `petPetIdGet`. One that a person chose says so in other words. */
function repeatsPath(words: readonly string[], method: string, { fixed, variables }: PathWords): boolean {
  const [first = '', ...rest] = words
  if (rest.includes('by')) return verbs.has(first) && sameWords(withoutLinks(rest), withoutLinks([...fixed.flat(), ...variables.flat()]))
  const others = methods.has(first) ? rest : words.slice(0, -1)
  if (!methods.has(first) && words.at(-1) !== method.toLowerCase()) return false
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
  const verb = verbs.get(first)
  if (verb === undefined || nouns.length === 0) return undefined
  return [verb, ...withNumber(verb, nouns)]
}

/** `issues/create-comment`, `chat_postMessage`: the verb begins a later part; what stands before says of what. */
function verbWithin(parts: readonly (readonly string[])[]): string[] | undefined {
  const at = parts.findIndex((part, index) => index > 0 && verbs.has(part[0] ?? ''))
  if (at < 0) return undefined
  const [first = '', ...rest] = parts.slice(at).flat()
  const verb = verbs.get(first) as string
  const one = parts.slice(0, at).flatMap((part) => [...part.slice(0, -1), singular(part.at(-1) ?? '')])
  const owner = many.has(verb) ? [...one.slice(0, -1), plural(one.at(-1) ?? '')] : one
  if (rest.length === 0 || prepositions.has(rest[0] ?? '')) return [verb, ...owner, ...rest]
  const told = one.every((word) => rest.some((other) => singular(other) === singular(word)))
  // In a long name the owner is more than is needed.
  return [verb, ...(told || rest.length > 3 ? [] : one), ...rest]
}

function verbLast(words: readonly string[]): string[] | undefined {
  const last = words.at(-1) ?? ''
  const verb = lastVerbs.get(last) ?? verbs.get(last)
  if (verb === undefined) return undefined
  const nouns = words.slice(0, -1)
  return [verb, ...nouns.slice(0, -1), (many.has(verb) ? plural : singular)(nouns.at(-1) ?? '')]
}

/** One is created, many are listed: the word before the first preposition is set in that number. */
function withNumber(verb: string, nouns: readonly string[]): string[] {
  const end = nouns.findIndex((word) => prepositions.has(word))
  const at = (end < 0 ? nouns.length : end) - 1
  return nouns.map((word, index) => {
    if (index !== at) return word
    if (verb === 'list') return plural(word)
    return verb === 'create' || verb === 'delete' || verb === 'update' ? singular(word) : word
  })
}
