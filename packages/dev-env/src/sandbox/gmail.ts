import { type Answer, AppProblem, type Call, containsAll, daysBefore, findBy, given, type Imitation, searchTerms } from './imitation.ts'

type Header = { readonly name: string; readonly value: string }
type Mail = {
  readonly id: string
  readonly threadId: string
  labelIds: string[]
  /** In ms since 1970. */
  readonly date: number
  readonly headers: Header[]
  readonly text: string
  readonly attachment?: { readonly id: string; readonly filename: string; readonly mimeType: string; readonly data: string }
}
type Label = { readonly id: string; readonly name: string; readonly type: string }
type Store = {
  next: number
  readonly messages: Mail[]
  readonly drafts: { readonly id: string; readonly message: string }[]
  readonly labels: Label[]
}

const ME = 'joe@example.com'
const SYSTEM_LABELS = ['INBOX', 'UNREAD', 'STARRED', 'IMPORTANT', 'SENT', 'DRAFT', 'SPAM', 'TRASH']

type Seed = { from: string; subject: string; text: string; daysAgo: number; labels?: string[]; reply?: true; file?: string }

const ADA = 'Ada Ashgrove <ada@example.com>'
const PRIYA = 'Priya Iversand <priya@example.com>'
const SHOP = 'Paper & Ink <orders@paper-and-ink.example>'
const JOE = `Joe Miller <${ME}>`
const MAILS: readonly Seed[] = [
  { from: SHOP, subject: 'Your order 2210', text: 'Thank you for your order. It arrives within three days.', daysAgo: 21 },
  {
    from: ADA,
    subject: 'Budget for next year',
    text: 'Can you send me your numbers by Friday?',
    daysAgo: 9,
    labels: ['STARRED', 'Label_1'],
  },
  {
    from: JOE,
    subject: 'Re: Budget for next year',
    text: 'They are in the sheet. I expect 12 % more.',
    daysAgo: 8,
    reply: true,
    labels: ['SENT'],
  },
  { from: ADA, subject: 'Re: Budget for next year', text: 'Perfect, thank you!', daysAgo: 8, reply: true },
  { from: 'Weekly Digest <digest@news.example>', subject: 'Five articles for you', text: 'Read them when you find time.', daysAgo: 6 },
  {
    from: SHOP,
    subject: 'Invoice 2210',
    text: 'The invoice of your order is attached.',
    daysAgo: 5,
    file: 'invoice-2210.pdf',
    labels: ['Label_1'],
  },
  {
    from: PRIYA,
    subject: 'Export as CSV',
    text: 'Two customers ask when the export comes. What shall I tell them?',
    daysAgo: 2,
    labels: ['UNREAD'],
  },
  {
    from: 'Bruno Belmondez <bruno@example.com>',
    subject: 'Release 2.4',
    text: 'It is in staging. Could you test the import?',
    daysAgo: 1,
    labels: ['UNREAD'],
  },
  { from: ADA, subject: 'Lunch on Thursday?', text: 'The new place at the harbour opens at noon.', daysAgo: 0.2, labels: ['UNREAD'] },
]

function seed(now: Date): Store {
  const system = SYSTEM_LABELS.map((id) => ({ id, name: id, type: 'system' }))
  const store: Store = { next: 1, messages: [], drafts: [], labels: [...system, { id: 'Label_1', name: 'Finance', type: 'user' }] }
  for (const { from, subject, text, daysAgo, labels = [], reply, file } of MAILS) {
    const headers = { From: from, To: from === JOE ? ADA : JOE, Subject: subject }
    const own = { labelIds: from === JOE ? labels : ['INBOX', ...labels], threadId: reply && store.messages.at(-1)?.threadId }
    const data = Buffer.from('%PDF-1.4\n% An empty document of the sandbox\n').toString('base64url')
    const attachment = file === undefined ? undefined : { id: 'attachment-1', filename: file, mimeType: 'application/pdf', data }
    addMail(store, daysBefore(now, daysAgo), headers, text, { ...own, ...given({ attachment }) })
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

/** Adds a message that a caller has written. A reply joins the thread that contains the message it replies to. */
function addWritten(store: Store, now: Date, raw: string, labelIds: string[]): Mail {
  const [head = '', ...rest] = raw.split(/\r?\n\r?\n/)
  const text = rest.join('\r\n\r\n')
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = Object.fromEntries(
    lines.flatMap((line) => [/^([\w-]+):\s*(.*)$/.exec(line)?.slice(1) ?? []]).filter(({ length }) => length === 2),
  )
  if (labelIds.includes('SENT')) checkRecipients(headers)
  const references = `${headers['In-Reply-To'] ?? ''} ${headers.References ?? ''}`
  const replied = store.messages.find((each) => references.includes(headerOf(each, 'Message-ID') || '\0'))
  const toSelf = labelIds.includes('SENT') && headers.To?.includes(ME) ? ['INBOX', 'UNREAD'] : []
  return addMail(store, now, { From: JOE, ...headers }, text, {
    labelIds: [...labelIds, ...toSelf],
    ...given({ threadId: replied?.threadId }),
  })
}

function checkRecipients(headers: Record<string, string>): void {
  const to = [headers.To, headers.Cc, headers.Bcc].filter(Boolean).join(', ')
  if (to === '') throw new AppProblem(400, 'INVALID_ARGUMENT', 'Recipient address required')
  if (!to.split(',').every((each) => /[^\s<@]+@[^\s>@]+/.test(each))) throw new AppProblem(400, 'INVALID_ARGUMENT', 'Invalid To header')
}

function headerOf({ headers }: Mail, name: string): string {
  return headers.find((header) => header.name.toLowerCase() === name.toLowerCase())?.value ?? ''
}

const notFound = () => new AppProblem(404, 'NOT_FOUND', 'Requested entity was not found.')

function find(store: Store, id: string): Mail {
  const found = findBy(store.messages, { id })
  if (found === undefined) throw notFound()
  return found
}

function thread(store: Store, id: string): Mail[] {
  const found = store.messages.filter(({ threadId }) => threadId === id)
  if (found.length === 0) throw notFound()
  return found
}

const listed = ({ id, threadId }: Mail) => ({ id, threadId })
const brief = ({ id, threadId, labelIds }: Mail) => ({ id, threadId, labelIds })
const snippet = ({ text }: Mail) => text.replace(/\s+/g, ' ').slice(0, 100)
const rawOf = ({ headers, text }: Mail) => `${headers.map(({ name, value }) => `${name}: ${value}\r\n`).join('')}\r\n${text}`

function shown(mail: Mail, format = 'full', names?: readonly string[]) {
  const { date, attachment, headers } = mail
  const base = {
    ...brief(mail),
    snippet: snippet(mail),
    internalDate: String(date),
    sizeEstimate: rawOf(mail).length,
    historyId: String(date),
  }
  if (format === 'minimal') return base
  if (format === 'raw') return { ...base, raw: Buffer.from(rawOf(mail)).toString('base64url') }
  const mimeType = headerOf(mail, 'Content-Type').split(';')[0] || 'text/plain'
  const wanted = headers.filter(
    ({ name }) => format !== 'metadata' || names === undefined || names.some((each) => each.toLowerCase() === name.toLowerCase()),
  )
  if (format === 'metadata') return { ...base, payload: { mimeType, headers: wanted } }
  const body = { size: Buffer.byteLength(mail.text), data: Buffer.from(mail.text).toString('base64url') }
  if (attachment === undefined) return { ...base, payload: { partId: '', mimeType, filename: '', headers, body } }
  const { id, filename, data } = attachment
  const file = {
    partId: '1',
    mimeType: attachment.mimeType,
    filename,
    headers: [],
    body: { attachmentId: id, size: Buffer.from(data, 'base64url').length },
  }
  const parts = [{ partId: '0', mimeType, filename: '', headers: [], body }, file]
  return { ...base, payload: { partId: '', mimeType: 'multipart/mixed', filename: '', headers, body: { size: 0 }, parts } }
}

const DAYS: Readonly<Record<string, number>> = { d: 1, m: 30, y: 365 }

/** Returns the messages that match a search and labels, the newest first. Trash, spam and drafts need a mention. */
function matching(store: Store, now: Date, query = '', labelIds: readonly string[] = [], everywhere = false): Mail[] {
  const terms = searchTerms(query)
  const labelOf = (name: string) => store.labels.find((label) => label.name.toLowerCase() === name.toLowerCase())?.id ?? name.toUpperCase()
  const age = (value: string) => now.getTime() - Number(value.slice(0, -1)) * (DAYS[value.slice(-1)] ?? 1) * 86_400_000
  const holds = (mail: Mail, key: string, value: string): boolean => {
    switch (key) {
      case 'from':
      case 'to':
      case 'cc':
      case 'subject':
        return containsAll(headerOf(mail, key), [value])
      case 'is':
        return value === 'read' ? !mail.labelIds.includes('UNREAD') : mail.labelIds.includes(value.toUpperCase())
      case 'in':
      case 'label':
        return value === 'anywhere' || mail.labelIds.includes(labelOf(value))
      case 'has':
        return value === 'attachment' && mail.attachment !== undefined
      case 'filename':
        return containsAll(mail.attachment?.filename ?? '', [value])
      case 'newer_than':
      case 'older_than':
        return mail.date > age(value) === (key === 'newer_than')
      case 'after':
      case 'before':
        return mail.date >= (/^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value.replaceAll('/', '-'))) === (key === 'after')
      default:
        return containsAll(`${rawOf(mail)}`, [key === '' ? value : `${key}:${value}`])
    }
  }
  const hidden = ['TRASH', 'SPAM'].filter(
    (label) => !labelIds.includes(label) && !terms.some(({ value }) => labelOf(value) === label || value === 'anywhere'),
  )
  return store.messages
    .filter((mail) => everywhere || !mail.labelIds.some((label) => hidden.includes(label)))
    .filter((mail) => labelIds.every((label) => mail.labelIds.includes(label)))
    .filter((mail) => terms.every(({ key, value, not }) => holds(mail, key, value) !== not))
    .sort((a, b) => b.date - a.date || (a.id < b.id ? 1 : -1))
}

type Search = { query?: string; label_ids?: string[]; include_spam_trash?: boolean }
type Labelled = { add_label_ids?: string[]; remove_label_ids?: string[] }

function relabel(store: Store, mails: readonly Mail[], { add_label_ids: add = [], remove_label_ids: remove = [] }: Labelled): void {
  const unknown = [...add, ...remove].find((id) => findBy(store.labels, { id }) === undefined)
  if (unknown !== undefined) throw new AppProblem(400, 'INVALID_ARGUMENT', `Invalid label: ${unknown}`)
  for (const mail of mails) mail.labelIds = [...new Set([...mail.labelIds.filter((id) => !remove.includes(id)), ...add])]
}

function listThreads({ store, args, now }: Call<Store, Search>): Answer {
  const ids = new Set(matching(store, now, args.query, args.label_ids).map(({ threadId }) => threadId))
  const last = [...ids].flatMap((id) => thread(store, id).slice(-1))
  return {
    list: last.map((mail) => ({ id: mail.threadId, snippet: snippet(mail), historyId: String(mail.date) })),
    body: { resultSizeEstimate: ids.size },
  }
}

const send = ({ store, text, now }: Call<Store>): Answer => ({ body: brief(addWritten(store, now, text, ['SENT'])) })

function listDrafts({ store, args, now }: Call<Store, Search>): Answer {
  const found = matching(store, now, args.query, ['DRAFT'])
  const list = found.map((mail) => ({ id: findBy(store.drafts, { message: mail.id })?.id, message: listed(mail) }))
  return { list, body: { resultSizeEstimate: list.length } }
}

function sendDraft({ store, args, now }: Call<Store, { draft_id: string }>): Answer {
  const draft = findBy(store.drafts, { id: args.draft_id })
  if (draft === undefined) throw notFound()
  const written = find(store, draft.message)
  const sent = addWritten(store, now, rawOf(written), ['SENT'])
  store.drafts.splice(store.drafts.indexOf(draft), 1)
  store.messages.splice(store.messages.indexOf(written), 1)
  return { body: brief(sent) }
}

export const gmail: Imitation<Store> = {
  seed,
  problem: ({ status, code, message }) => ({
    status,
    body: { error: { code: status, message, errors: [{ message, domain: 'global', reason: code }], status: code } },
  }),
  functions: {
    'get-profile': ({ store }) => ({
      body: {
        emailAddress: ME,
        messagesTotal: store.messages.length,
        threadsTotal: new Set(store.messages.map(({ threadId }) => threadId)).size,
        historyId: String(store.next),
      },
    }),
    'list-messages': ({ store, args, now }: Call<Store, Search>) => {
      const found = matching(store, now, args.query, args.label_ids, args.include_spam_trash)
      return { list: found.map(listed), body: { resultSizeEstimate: found.length } }
    },
    'get-message': ({ store, args }: Call<Store, { message_id: string; format?: string; metadata_headers?: string[] }>) => ({
      body: shown(find(store, args.message_id), args.format, args.metadata_headers),
    }),
    'send-message': send,
    'send-mime-message': send,
    'create-draft': ({ store, text, now }) => {
      const message = addWritten(store, now, text, ['DRAFT'])
      const draft = { id: `r${store.next++}`, message: message.id }
      store.drafts.push(draft)
      return { body: { id: draft.id, message: brief(message) } }
    },
    'list-drafts': listDrafts,
    'send-draft': sendDraft,
    'list-threads': listThreads,
    'get-thread': ({ store, args }: Call<Store, { thread_id: string; format?: string }>) => ({
      body: { id: args.thread_id, messages: thread(store, args.thread_id).map((mail) => shown(mail, args.format)) },
    }),
    'get-attachment': ({ store, args }: Call<Store, { message_id: string; attachment_id: string }>) => {
      const { attachment } = find(store, args.message_id)
      if (attachment?.id !== args.attachment_id) throw notFound()
      return { body: { size: Buffer.from(attachment.data, 'base64url').length, data: attachment.data } }
    },
    'change-message-labels': ({ store, args }: Call<Store, Labelled & { message_id: string }>) => {
      const mail = find(store, args.message_id)
      relabel(store, [mail], args)
      return { body: brief(mail) }
    },
    'change-thread-labels': ({ store, args }: Call<Store, Labelled & { thread_id: string }>) => {
      const mails = thread(store, args.thread_id)
      relabel(store, mails, args)
      return { body: { id: args.thread_id, messages: mails.map(brief) } }
    },
    'trash-message': ({ store, args }: Call<Store, { message_id: string }>) => {
      const mail = find(store, args.message_id)
      relabel(store, [mail], { add_label_ids: ['TRASH'], remove_label_ids: ['INBOX'] })
      return { body: brief(mail) }
    },
    'list-labels': ({ store }) => ({ list: store.labels }),
    'create-label': ({ store, args }: Call<Store, { name: string }>) => {
      if (store.labels.some(({ name }) => name.toLowerCase() === args.name.toLowerCase()))
        throw new AppProblem(409, 'ALREADY_EXISTS', 'Label name exists or conflicts')
      const label = { id: `Label_${store.labels.length}`, name: args.name, type: 'user' }
      store.labels.push(label)
      return { body: label }
    },
  },
}
