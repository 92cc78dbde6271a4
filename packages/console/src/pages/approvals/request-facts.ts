import { parseJson, writeJson } from '@onward/json'

type Request = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** What a request says, as a name and a text. */
export type RequestFact = readonly [name: string, value: string]

const MAIL_HEADERS = ['to', 'cc', 'bcc', 'subject']
/** Names of those who get something, and of what it says first. */
const RECIPIENTS = /^(to|recipients?|email|channel|channel_id|chat_id|phone|user|assignee)$/i
const SUBJECTS = /^(subject|title|name|summary|text|message|content|description)$/i

/**
 * Returns the values that a request sends: the fields of its JSON or form, the recipients, the subject and the text of a mail, or else the
 * query of its address. Empty if its body has another form, or is not whole.
 */
export function requestFacts({ url, headers, body }: Request): readonly RequestFact[] {
  if (body === null || body === '') return [...new URL(url).searchParams]
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (type.startsWith('message/rfc822')) return mailFacts(body)
  if (type.startsWith('application/x-www-form-urlencoded')) return [...new URLSearchParams(body)]
  try {
    return fieldsOf(parseJson(body))
  } catch {
    return []
  }
}

/** Returns for whom a request is and what it is about, as a list shows it. */
export function requestSummary(request: Request): string {
  const facts = requestFacts(request)
  const first = (names: RegExp) => facts.find(([name, value]) => names.test(name) && value !== '')?.[1]
  const found = [first(RECIPIENTS), first(SUBJECTS)].filter((text) => text !== undefined)
  return (found.length > 0 ? found : facts.slice(0, 1).map(([, value]) => value)).join(' · ')
}

/** Returns the values of an object and of the objects in it. Other values are JSON. */
function fieldsOf(value: unknown, above = ''): RequestFact[] {
  if (typeof value !== 'object' || value === null) return [[above, typeof value === 'string' ? value : writeJson(value)]]
  if (Array.isArray(value)) {
    const texts = value.map((item) => (typeof item === 'string' ? item : writeJson(item)))
    return value.length === 0 ? [] : [[above, texts.join(', ')]]
  }
  return Object.entries(value).flatMap(([name, item]) => fieldsOf(item, above === '' ? name : `${above}.${name}`))
}

/** Reads the head of a mail, and its text if it is plain. */
function mailFacts(mail: string): RequestFact[] {
  const [head = '', ...rest] = mail.split(/\r?\n\r?\n/)
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const all = lines.map((line): RequestFact => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
  const of = (wanted: string) => all.find(([name]) => name === wanted)?.[1]
  const shown = MAIL_HEADERS.flatMap((name): RequestFact[] => {
    const value = of(name)
    return value === undefined ? [] : [[name, readWords(value)]]
  })
  const text = rest.join('\n\n')
  const isPlain = (of('content-type') ?? 'text/plain').startsWith('text/plain')
  if (!isPlain || text === '') return shown
  const encoding = of('content-transfer-encoding')?.toLowerCase()
  if (encoding === 'base64') return [...shown, ['text', fromBase64(text)]]
  return encoding === 'quoted-printable' ? shown : [...shown, ['text', text]]
}

/** Reads encoded words of RFC 2047, such as `=?UTF-8?B?SGk=?=`. */
function readWords(text: string): string {
  return text.replace(/=\?utf-8\?b\?([^?]*)\?=(?:\s+(?==\?))?/gi, (_, encoded: string) => fromBase64(encoded))
}

function fromBase64(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text.replace(/\s/g, '')), (char) => char.charCodeAt(0)))
  } catch {
    return text
  }
}
