import type { Call, ImitatedResponse, Imitation } from './imitation.ts'
import { AppProblem, contains, daysBefore, findBy, given, need, searchTerms } from './imitation.ts'

type Mail = {
  readonly id: string
  readonly threadId: string
  labelIds: string[]
  /** In ms since 1970. */
  readonly date: number
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly text: string
  /** The name of an attached file, which is always the same empty document. */
  readonly file?: string
}
type Label = { readonly id: string; readonly name: string; readonly type: string }
type Store = { next: number; readonly messages: Mail[]; readonly labels: Label[] }

const ME = 'joe@example.com'
const ADA = 'Ada Ashgrove <ada@example.com>'
const JOE = `Joe Miller <${ME}>`
const SHOP = 'Paper & Ink <orders@paper-and-ink.example>'
const SYSTEM_LABELS = ['INBOX', 'UNREAD', 'STARRED', 'IMPORTANT', 'SENT', 'DRAFT', 'SPAM', 'TRASH']
const PDF = Buffer.from('%PDF-1.4\n% An empty document of the sandbox\n')

const MAILS: readonly [daysAgo: number, from: string, labels: string, subject: string, text: string, file?: string][] = [
  [21, SHOP, 'INBOX', 'Your order 2210', 'Thank you for your order. It arrives within three days.'],
  [9, ADA, 'INBOX STARRED Label_1', 'Budget for next year', 'Can you send me your numbers by Friday?'],
  [8.1, JOE, 'SENT', 'Re: Budget for next year', 'They are in the sheet. I expect 12 % more.'],
  [8, ADA, 'INBOX', 'Re: Budget for next year', 'Perfect, thank you!'],
  [6, 'Weekly Digest <digest@news.example>', 'INBOX', 'Five articles for you', 'Read them when you find time.'],
  [5, SHOP, 'INBOX Label_1', 'Invoice 2210', 'The invoice of your order is attached.', 'invoice-2210.pdf'],
  [2, 'Priya Iversand <priya@example.com>', 'INBOX UNREAD', 'Export as CSV', 'Two customers ask when the export comes.'],
  [1, 'Bruno Belmondez <bruno@example.com>', 'INBOX UNREAD', 'Release 2.4', 'It is in staging. Could you test the import?'],
  [0.2, ADA, 'INBOX UNREAD', 'Lunch on Thursday?', 'The new place at the harbour opens at noon.'],
]

function seed(now: Date): Store {
  const system = SYSTEM_LABELS.map((id) => ({ id, name: id, type: 'system' }))
  const store: Store = { next: 1, messages: [], labels: [...system, { id: 'Label_1', name: 'Finance', type: 'user' }] }
  for (const [daysAgo, from, labels, subject, text, file] of MAILS) {
    const headers = { From: from, To: from === JOE ? ADA : JOE, Subject: subject }
    const threadId = subject.startsWith('Re: ') ? store.messages.at(-1)?.threadId : undefined
    addMail(store, daysBefore(now, daysAgo), headers, text, { labelIds: labels.split(' '), threadId, ...given({ file }) })
  }
  return store
}

function addMail(store: Store, now: Date, headers: Partial<Record<string, string>>, text: string, own: Partial<Mail>): Mail {
  const id = `1a${String(store.next++).padStart(14, '0')}`
  const all = { Date: now.toUTCString(), 'Message-ID': `<${id}@mail.example.com>`, ...headers }
  const list = Object.entries(all).map(([name, value = '']) => ({ name, value }))
  const mail: Mail = { labelIds: [], ...own, id, threadId: own.threadId ?? id, date: now.getTime(), headers: list, text }
  store.messages.push(mail)
  return mail
}

/** Splits a body at its boundary, and each part into its head and its content. */
function partsOf(body: string, boundary: string): [head: string, content: string][] {
  const parts = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1)
  return parts.map((part) => [part.slice(0, part.indexOf('\r\n\r\n')), part.slice(part.indexOf('\r\n\r\n') + 4)])
}

/** Returns the mail of an upload, which may have JSON before it. */
function mailIn(body: string): string {
  const boundary = /^--(\S+)\r\n/.exec(body)?.[1]
  return boundary === undefined ? body : (partsOf(body, boundary)[1]?.[1] ?? '')
}

/** Adds a message that a caller has written. A reply joins the thread that contains the message it replies to. */
function addWritten(store: Store, now: Date, raw: string, label: 'SENT' | 'DRAFT'): Mail {
  const [head = '', ...rest] = raw.split(/\r?\n\r?\n/)
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').matchAll(/^([\w-]+):[ \t]*(.*?)\r?$/gm)
  const headers: Partial<Record<string, string>> = Object.fromEntries([...lines].map(([, name, value]) => [name, value]))
  const to = [headers.To, headers.Cc, headers.Bcc].filter(Boolean).join(', ')
  if (label === 'SENT' && to === '') throw invalid('Recipient address required')
  if (label === 'SENT' && !to.split(',').every((each) => /[^\s<@]+@[^\s>@]+/.test(each))) throw invalid('Invalid To header')
  const references = `${headers['In-Reply-To']} ${headers.References}`
  const threadId = store.messages.find((each) => references.includes(headerOf(each, 'Message-ID')))?.threadId
  const labelIds = [label, ...(label === 'SENT' && to.includes(ME) ? ['INBOX', 'UNREAD'] : [])]
  const text = rest.join('\r\n\r\n')
  const boundary = /^multipart\/mixed; boundary=(\S+)/.exec(headers['Content-Type'] ?? '')?.[1]
  if (boundary === undefined) return addMail(store, now, { From: JOE, ...headers }, text, { labelIds, threadId })
  const [[, content], [attached]] = partsOf(text, boundary) as [[string, string], [string, string]]
  const file = decodeURIComponent(/filename\*=UTF-8''(\S+)/.exec(attached)?.[1] ?? 'file')
  return addMail(store, now, { From: JOE, ...headers }, content, { labelIds, threadId, file })
}

const headerOf = ({ headers }: Mail, name: string) => headers.find((each) => each.name.toLowerCase() === name.toLowerCase())?.value ?? ''

const invalid = (message: string) => new AppProblem(400, 'INVALID_ARGUMENT', message)
const notFound = () => new AppProblem(404, 'NOT_FOUND', 'Requested entity was not found.')
const find = (store: Store, id: string) => need(findBy(store.messages, { id }), notFound())

function thread(store: Store, id: string): Mail[] {
  const found = store.messages.filter(({ threadId }) => threadId === id)
  if (found.length === 0) throw notFound()
  return found
}

const listed = ({ id, threadId }: Mail) => ({ id, threadId })
const brief = ({ id, threadId, labelIds }: Mail) => ({ id, threadId, labelIds })
const snippet = ({ text }: Mail) => text.replace(/\s+/g, ' ').slice(0, 100)
const rawOf = ({ headers, text }: Mail) => `${headers.map(({ name, value }) => `${name}: ${value}\r\n`).join('')}\r\n${text}`

function shown(mail: Mail, { format, metadata_headers: names }: How) {
  const { date, file, headers, text } = mail
  const sizes = { sizeEstimate: rawOf(mail).length, internalDate: String(date), historyId: String(date) }
  const base = { ...brief(mail), snippet: snippet(mail), ...sizes }
  if (format === 'minimal') return base
  if (format === 'raw') return { ...base, raw: Buffer.from(rawOf(mail)).toString('base64url') }
  const mimeType = headerOf(mail, 'Content-Type').split(';')[0] || 'text/plain'
  if (format === 'metadata') {
    const wanted = names?.map((name) => name.toLowerCase())
    return { ...base, payload: { mimeType, headers: headers.filter(({ name }) => wanted?.includes(name.toLowerCase()) ?? true) } }
  }
  const body = { size: Buffer.byteLength(text), data: Buffer.from(text).toString('base64url') }
  if (file === undefined) return { ...base, payload: { partId: '', mimeType, filename: '', headers, body } }
  const first = { partId: '0', mimeType, filename: '', headers: [], body }
  const attached = { attachmentId: 'attachment-1', size: PDF.length }
  const parts = [first, { partId: '1', mimeType: 'application/pdf', filename: file, headers: [], body: attached }]
  return { ...base, payload: { partId: '', mimeType: 'multipart/mixed', filename: '', headers, body: { size: 0 }, parts } }
}

/** The qualifiers of a search. The value of `in`, `label` and `is` is the id of a label. */
const QUALIFIERS: Readonly<Record<string, (mail: Mail, value: string, now: Date) => boolean>> = {
  from: (mail, value) => contains(headerOf(mail, 'From'), value),
  to: (mail, value) => contains(headerOf(mail, 'To'), value),
  subject: (mail, value) => contains(headerOf(mail, 'Subject'), value),
  has: ({ file }, value) => value === 'attachment' && file !== undefined,
  is: ({ labelIds }, value) => (value === 'READ' ? !labelIds.includes('UNREAD') : labelIds.includes(value)),
  in: ({ labelIds }, value) => value === 'ANYWHERE' || labelIds.includes(value),
  label: ({ labelIds }, value) => labelIds.includes(value),
  after: ({ date }, value) => date >= timeOf(value),
  before: ({ date }, value) => date < timeOf(value),
  newer_than: ({ date }, value, now) => date > ago(value, now),
  older_than: ({ date }, value, now) => date <= ago(value, now),
}

const DAYS: Readonly<Record<string, number>> = { d: 1, m: 30, y: 365 }
const timeOf = (value: string) => (/^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value.replaceAll('/', '-')))
const ago = (value: string, now: Date) => daysBefore(now, Number.parseInt(value, 10) * (DAYS[value.slice(-1)] ?? 1)).getTime()

/** Returns the messages that match a search and have all labels, the newest first. Trash and spam need a mention. */
function matching(store: Store, now: Date, { query = '', label_ids = [], include_spam_trash: everywhere }: Search): Mail[] {
  const labelOf = (name: string) => store.labels.find((label) => label.name.toLowerCase() === name.toLowerCase())?.id ?? name.toUpperCase()
  const terms = searchTerms(query).map(({ key, value, not }) => {
    const holds = QUALIFIERS[key] ?? ((mail) => contains(rawOf(mail), key === '' ? value : `${key}:${value}`))
    return { holds, value: ['in', 'label', 'is'].includes(key) ? labelOf(value) : value, not }
  })
  const mentioned = [...label_ids, ...terms.map(({ value }) => value)]
  const hidden = everywhere || mentioned.includes('ANYWHERE') ? [] : ['TRASH', 'SPAM'].filter((label) => !mentioned.includes(label))
  return store.messages
    .filter(({ labelIds }) => label_ids.every((id) => labelIds.includes(id)) && !hidden.some((id) => labelIds.includes(id)))
    .filter((mail) => terms.every(({ holds, value, not }) => holds(mail, value, now) !== not))
    .sort((a, b) => b.date - a.date || (a.id < b.id ? 1 : -1))
}

type How = { format?: string; metadata_headers?: string[] }
type Search = { query?: string; label_ids?: string[]; include_spam_trash?: boolean }
type Labels = { message_id?: string; thread_id?: string; add_label_ids?: string[]; remove_label_ids?: string[] }

const estimated = (list: readonly unknown[]): ImitatedResponse => ({ list, body: { resultSizeEstimate: list.length } })

function listThreads({ store, args, now }: Call<Store, Search>): ImitatedResponse {
  const ids = new Set(matching(store, now, args).map(({ threadId }) => threadId))
  const last = [...ids].flatMap((id) => thread(store, id).slice(-1))
  return estimated(last.map((mail) => ({ id: mail.threadId, snippet: snippet(mail), historyId: String(mail.date) })))
}

const send = ({ store, body, now }: Call<Store>): ImitatedResponse => ({
  body: brief(addWritten(store, now, mailIn(String(body)), 'SENT')),
})

/** The id of a draft begins with r, and goes on with the id of its message. */
const draftOf = (mail: Mail) => ({ id: `r${mail.id}`, message: brief(mail) })

function sendDraft({ store, args, now }: Call<Store, { draft_id: string }>): ImitatedResponse {
  const written = need(findBy(store.messages, { id: args.draft_id.replace('r', '') }), notFound())
  if (!written.labelIds.includes('DRAFT')) throw notFound()
  const sent = addWritten(store, now, rawOf(written), 'SENT')
  store.messages.splice(store.messages.indexOf(written), 1)
  return { body: brief(sent) }
}

function getAttachment({ store, args }: Call<Store, { message_id: string; attachment_id: string }>): ImitatedResponse {
  if (find(store, args.message_id).file === undefined || args.attachment_id !== 'attachment-1') throw notFound()
  return { body: { size: PDF.length, data: PDF.toString('base64url') } }
}

function changeLabels({
  store,
  args: { add_label_ids: added = [], remove_label_ids: removed = [], ...of },
}: Call<Store, Labels>): ImitatedResponse {
  for (const id of [...added, ...removed]) need(findBy(store.labels, { id }), invalid(`Invalid label: ${id}`))
  const mails = of.thread_id === undefined ? [find(store, of.message_id ?? '')] : thread(store, of.thread_id)
  for (const mail of mails) mail.labelIds = [...new Set([...mail.labelIds.filter((id) => !removed.includes(id)), ...added])]
  return { body: of.thread_id === undefined ? mails.map(brief)[0] : { id: of.thread_id, messages: mails.map(brief) } }
}

function createLabel({ store, args: { name } }: Call<Store, { name: string }>): ImitatedResponse {
  const taken = store.labels.some((label) => label.name.toLowerCase() === name.toLowerCase())
  if (taken) throw new AppProblem(409, 'ALREADY_EXISTS', 'Label name exists or conflicts')
  const label = { id: `Label_${store.next++}`, name, type: 'user' }
  store.labels.push(label)
  return { body: label }
}

function getProfile({ store }: Call<Store>): ImitatedResponse {
  const threads = new Set(store.messages.map(({ threadId }) => threadId)).size
  return { body: { emailAddress: ME, messagesTotal: store.messages.length, threadsTotal: threads, historyId: String(store.next) } }
}

const codes = ({ status, code, message }: AppProblem) => ({ code: status, message, errors: [{ message, reason: code }], status: code })

export const gmail: Imitation<Store> = {
  seed,
  problem: (problem) => ({ status: problem.status, body: { error: codes(problem) } }),
  functions: {
    'get-profile': getProfile,
    'list-messages': ({ store, args, now }: Call<Store, Search>) => estimated(matching(store, now, args).map(listed)),
    'get-message': ({ store, args }: Call<Store, How & { message_id: string }>) => ({ body: shown(find(store, args.message_id), args) }),
    'send-message': send,
    'send-mime-message': send,
    'create-draft': ({ store, body, now }) => ({ body: draftOf(addWritten(store, now, mailIn(String(body)), 'DRAFT')) }),
    'list-drafts': ({ store, args, now }: Call<Store, Search>) =>
      estimated(matching(store, now, { ...args, label_ids: ['DRAFT'] }).map(draftOf)),
    'send-draft': sendDraft,
    'list-threads': listThreads,
    'get-thread': ({ store, args: { thread_id: id, ...how } }: Call<Store, How & { thread_id: string }>) => ({
      body: { id, messages: thread(store, id).map((mail) => shown(mail, how)) },
    }),
    'get-attachment': getAttachment,
    'change-message-labels': changeLabels,
    'change-thread-labels': changeLabels,
    'trash-message': ({ args, ...rest }: Call<Store, Labels>) =>
      changeLabels({ ...rest, args: { ...args, add_label_ids: ['TRASH'], remove_label_ids: ['INBOX'] } }),
    'list-labels': ({ store }) => ({ list: store.labels }),
    'create-label': createLabel,
  },
}
