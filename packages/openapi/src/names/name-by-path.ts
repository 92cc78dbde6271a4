import { VERBS } from './verbs.ts'
import { isPlural, type PathWords, plural, singular } from './words.ts'

/** Verbs that the path of a GET may end with. Other words there are nouns, as in `/cards/{id}/list`. */
const READ_VERBS: ReadonlySet<string> = new Set([
  'search',
  'download',
  'export',
  'check',
  'verify',
  'count',
  'preview',
  'compare',
  'validate',
])

/** Makes the words of a name from method and path: `GET /repos/{owner}/{repo}/issues` → list, repo, issues. `siblings` are the path's methods. */
export function nameByPath(method: string, { fixed, item }: PathWords, siblings: ReadonlySet<string>): string[] {
  const last = fixed.at(-1)
  if (last === undefined) return [verbOf(method, item, false, siblings), 'root']
  const [first = ''] = last
  // The path ends with a verb, as in `POST /invoices/{id}/send`. A resource with the name of a verb would be in the plural.
  if (!item && fixed.length > 1 && method !== 'DELETE' && (method === 'GET' ? READ_VERBS : VERBS).has(first) && !isPlural(first)) {
    const nouns = fixed.slice(0, -1).map(singularOf)
    return [first, ...nouns.flat(), ...last.slice(1)]
  }
  const before = fixed.slice(0, -1).flatMap(singularOf)
  const many = method === 'GET' && !item && isPlural(last.at(-1) ?? '')
  const verb = verbOf(method, item, many, siblings)
  const single = item || verb === 'create'
  return withoutRepeats([verb, ...before, ...(single ? singularOf(last) : last)])
}

function verbOf(method: string, item: boolean, many: boolean, siblings: ReadonlySet<string>): string {
  switch (method) {
    case 'GET':
      return many ? 'list' : 'get'
    case 'POST':
      return item && !siblings.has('PUT') && !siblings.has('PATCH') ? 'update' : 'create'
    case 'PUT':
      return siblings.has('PATCH') ? 'replace' : 'update'
    case 'PATCH':
      return 'update'
    case 'DELETE':
      return 'delete'
    default:
      return method.toLowerCase()
  }
}

function singularOf(words: readonly string[]): string[] {
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')]
}

function withoutRepeats(words: readonly string[]): string[] {
  return words.filter((word, index) => index === 0 || (word !== words[index - 1] && plural(word) !== words[index - 1]))
}
