/** Where apps write what went wrong, in the order in which the fields are looked at. */
const FIELDS = [
  'message',
  'error_description',
  'error_message',
  'detail',
  'details',
  'description',
  'title',
  'error',
  'errors',
  'reason',
  'code',
]
const MAX_DEPTH = 3
const MAX_LENGTH = 300

/** Returns what an app says in the body of an error, cut to one line; undefined if it says nothing that a person can read. */
export function appMessageOf(output: unknown): string | undefined {
  const text = findText(output, 0)?.replace(/\s+/g, ' ').trim()
  if (text === undefined || text === '') return undefined
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

function findText(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return isReadable(value) ? value : undefined
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined
  if (Array.isArray(value)) return findText(value[0], depth + 1)
  const fields = Object.entries(value)
  for (const name of FIELDS) {
    const found = findText(fields.find(([each]) => each.toLowerCase() === name)?.[1], depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Neither a page of HTML nor a body that was not stored. */
function isReadable(text: string): boolean {
  return text.trim() !== '' && !/^\s*<|^\[\d+ characters, (?:not kept|cut)\]/.test(text)
}
