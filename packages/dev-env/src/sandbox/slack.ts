import type { Call, ImitatedResponse, Imitation } from './imitation.ts'
import { AppProblem, contains, daysBefore, findBy, given, need, searchTerms, seconds } from './imitation.ts'

type At = { readonly channel: string; readonly ts: string }
type User = ReturnType<typeof user>
type Channel = ReturnType<typeof channel> & { readonly with?: string }
type Message = At & {
  readonly user: string
  text: string
  readonly thread_ts?: string
  readonly reply_broadcast?: boolean
  readonly reactions: { readonly name: string; readonly users: string[] }[]
}
type Store = { next: number; readonly users: User[]; readonly channels: Channel[]; readonly messages: Message[] }

const TEAM = { team: 'Example Ltd', team_id: 'T0SANDBOX' }
/** The user whose token the account has. */
const JOE = 'U001'

const user = (id: string, real_name: string) => {
  const name = real_name.toLowerCase().replace(/ .*/, '')
  const flags = { deleted: false, is_bot: name === 'build', is_admin: id === JOE, tz: 'Europe/Lisbon' }
  return { id, team_id: TEAM.team_id, name, real_name, ...flags, profile: { real_name, display_name: name, email: `${name}@example.com` } }
}

const channel = (id: string, name: string, members: string[], created: number, about = '', is_private = false) => {
  const flags = { is_private, is_channel: !is_private, is_archived: false }
  const purpose = { value: about, creator: JOE, last_set: created }
  return { id, name, created, creator: JOE, members, ...flags, topic: { value: '', creator: '', last_set: 0 }, purpose }
}

const SAID: readonly [channel: string, user: string, hoursAgo: number, text: string, reply?: true][] = [
  ['C001', 'U002', 70, 'Welcome to Mateus, who joins us today :wave:'],
  ['C001', 'U003', 22, 'The office is closed on Friday.'],
  ['C002', 'U003', 30, 'Release 2.4 is in staging. Please test the import.'],
  ['C002', JOE, 28, 'For me too, with 5,000 rows.', true],
  ['C002', 'U004', 5, 'The build of main takes 14 minutes again.'],
  ['C003', 'U004', 26, 'A customer cannot reset the password: ticket 4711.'],
  ['C003', 'U002', 25, 'The mail was in the spam folder; solved.', true],
  ['C003', 'U004', 3, 'Two customers ask for an export of invoices as CSV.'],
  ['C005', 'U002', 8, 'Draft of the budget: invoice volume is up by 12 %.'],
]

function seed(now: Date): Store {
  const all = ['U001', 'U002', 'U003', 'U004', 'U005']
  const created = seconds(daysBefore(now, 90))
  const names = ['Joe Miller', 'Ada Ashgrove', 'Bruno Belmondez', 'Priya Iversand', 'Mateus Jaromil', 'Build Bot']
  const channels = [
    channel('C001', 'general', all, created, 'News for everybody'),
    channel('C002', 'engineering', ['U001', 'U003', 'U004'], created, 'Code, builds and releases'),
    channel('C003', 'support', ['U001', 'U002', 'U004'], created, 'Questions of customers'),
    channel('C004', 'random', all, created, 'Anything else'),
    channel('C005', 'finance', ['U001', 'U002'], created, 'Budgets and invoices', true),
  ]
  const store: Store = { next: 100, users: names.map((name, index) => user(`U00${index + 1}`, name)), channels, messages: [] }
  let threadOf: string | undefined
  for (const [place, author, hoursAgo, text, reply] of SAID) {
    const message = say(store, daysBefore(now, hoursAgo / 24), { channel: place, user: author, text, thread_ts: reply && threadOf })
    if (reply === undefined) threadOf = message.ts
  }
  return store
}

function say(store: Store, now: Date, message: Omit<Message, 'ts' | 'reactions'>): Message {
  const said: Message = { ...message, ts: `${seconds(now)}.${String(store.next++).padStart(6, '0')}`, reactions: [] }
  store.messages.push(said)
  return said
}

const fail = (code: string, message: string) => new AppProblem(200, code, message)
const findUser = (store: Store, id: string) => need(findBy(store.users, { id }), fail('user_not_found', `There is no user ${id}.`))

/** Finds a channel by its id, by its name, or by the id of the user in a direct message. */
function findChannel(store: Store, name: string): Channel {
  if (findBy(store.users, { id: name }) !== undefined) return openDirect(store, [name])
  const found = store.channels.find(({ id, name: own }) => id === name || own === name.replace(/^#/, ''))
  return need(found, fail('channel_not_found', `There is no channel ${name}.`))
}

function openDirect(store: Store, ids: readonly string[]): Channel {
  const members = [...new Set([JOE, ...ids.map((id) => findUser(store, id).id)])].sort((a, b) => a.localeCompare(b))
  const open = findBy(store.channels, { with: members.join() })
  if (open !== undefined) return open
  const opened = { ...channel(`D${store.next}`, `direct-${store.next++}`, members, 0, '', true), with: members.join() }
  store.channels.push(opened)
  return opened
}

const idsIn = (text: string) => text.split(',').map((each) => each.trim())

/** Throws a problem with the code `notOwn` if another user wrote the message. */
function findMessage(store: Store, place: string, ts: string, notOwn?: string): Message {
  const found = findBy(store.messages, { channel: findChannel(store, place).id, ts })
  const message = need(found, fail('message_not_found', `There is no message ${ts} in ${place}.`))
  if (notOwn !== undefined && message.user !== JOE) throw fail(notOwn, 'The account can only change its own messages.')
  return message
}

function shownMessage(store: Store, { channel: place, reactions, ...message }: Message) {
  const replies = store.messages.filter((each) => each.channel === place && each.thread_ts === message.ts)
  const counted = reactions.map((each) => ({ ...each, count: each.users.length }))
  const thread = replies.length > 0 ? { thread_ts: message.ts, reply_count: replies.length } : {}
  return { type: 'message', ...message, ...thread, ...(counted.length > 0 ? { reactions: counted } : {}) }
}

function shownChannel({ members, with: _with, ...rest }: Channel) {
  return { ...rest, is_member: members.includes(JOE), num_members: members.length }
}

type Range = { readonly channel: string; readonly oldest?: string; readonly latest?: string }

/** Returns the shown messages of a period that a rule selects, the oldest first. */
function messagesOf(store: Store, { channel: place, oldest = '0', latest = 'Infinity' }: Range, rule: (message: Message) => boolean) {
  const { id } = findChannel(store, place)
  const inPeriod = ({ ts }: Message) => Number(ts) > Number(oldest) && Number(ts) < Number(latest)
  const found = store.messages.filter((each) => each.channel === id && inPeriod(each) && rule(each))
  return found.sort((a, b) => Number(a.ts) - Number(b.ts)).map((each) => shownMessage(store, each))
}

type Post = { channel: string; text: string; thread_ts?: string; reply_broadcast?: boolean; blocks?: unknown }

function post({ store, args, now }: Call<Store, Post>): ImitatedResponse {
  const { id } = findChannel(store, args.channel)
  const parent = args.thread_ts === undefined ? undefined : findMessage(store, args.channel, args.thread_ts)
  const thread_ts = parent?.thread_ts ?? parent?.ts
  const { text, reply_broadcast, blocks } = args
  const message = say(store, now, { channel: id, user: JOE, text, ...given({ thread_ts, reply_broadcast, blocks }) })
  return { body: { channel: id, ts: message.ts, message: shownMessage(store, message) } }
}

function search({ store, args }: Call<Store, { query: string; sort_dir?: string }>): ImitatedResponse {
  const terms = searchTerms(args.query.replace(/:[#@]/g, ':'))
  const found = store.messages.flatMap((message) => {
    const place = findBy(store.channels, { id: message.channel })
    const author = findBy(store.users, { id: message.user })
    const wanted = terms.every(({ key, value }) => {
      if (key === 'in') return place?.name === value || place?.id === value
      if (key === 'from') return author?.name === value || author?.id === value || (value === 'me' && author?.id === JOE)
      return contains(message.text, value)
    })
    if (!wanted) return []
    const permalink = `https://slack.example.com/archives/${message.channel}/p${message.ts.replace('.', '')}`
    return [{ ...shownMessage(store, message), channel: { id: message.channel, name: place?.name }, username: author?.name, permalink }]
  })
  found.sort((a, b) => (args.sort_dir === 'asc' ? 1 : -1) * (Number(a.ts) - Number(b.ts)))
  return { list: found, body: { query: args.query, messages: { total: found.length } } }
}

function update({ store, args, now }: Call<Store, At & { text: string }>): ImitatedResponse {
  const message = findMessage(store, args.channel, args.ts, 'cant_update_message')
  Object.assign(message, { text: args.text, edited: { user: JOE, ts: `${seconds(now)}.000000` } })
  return { body: { channel: message.channel, ts: message.ts, text: message.text, message: shownMessage(store, message) } }
}

function remove({ store, args }: Call<Store, At>): ImitatedResponse {
  const message = findMessage(store, args.channel, args.ts, 'cant_delete_message')
  store.messages.splice(store.messages.indexOf(message), 1)
  return { body: { channel: message.channel, ts: message.ts } }
}

function react({ store, args }: Call<Store, { channel: string; timestamp: string; emoji: string }>): ImitatedResponse {
  const { reactions } = findMessage(store, args.channel, args.timestamp)
  if (findBy(reactions, { name: args.emoji })) throw fail('already_reacted', `The message has :${args.emoji}: of this user.`)
  reactions.push({ name: args.emoji, users: [JOE] })
  return {}
}

function createChannel({ store, args, now }: Call<Store, { name: string; is_private?: boolean }>): ImitatedResponse {
  const valid = /^[\p{Ll}\p{Lo}\d_-]{1,80}$/u.test(args.name)
  if (!valid) throw fail('invalid_name_specials', 'A name has lower-case letters, digits, hyphens and underscores.')
  if (findBy(store.channels, { name: args.name })) throw fail('name_taken', `There is a channel ${args.name}.`)
  const created = channel(`C${store.next++}`, args.name, [JOE], seconds(now), '', args.is_private)
  store.channels.push(created)
  return { body: { channel: shownChannel(created) } }
}

function invite({ store, args }: Call<Store, { channel: string; users: string }>): ImitatedResponse {
  const found = findChannel(store, args.channel)
  for (const { id } of idsIn(args.users).map((each) => findUser(store, each))) {
    if (found.members.includes(id)) throw fail('already_in_channel', `${id} is in the channel.`)
    found.members.push(id)
  }
  return { body: { channel: shownChannel(found) } }
}

function listChannels({ store, args: { types = ['public_channel'] } }: Call<Store, { types?: string[] }>): ImitatedResponse {
  const directType = ({ members }: Channel) => (members.length > 2 ? 'mpim' : 'im')
  const typeOf = (each: Channel) => (each.with ? directType(each) : each.is_private ? 'private_channel' : 'public_channel')
  return { list: store.channels.filter((each) => types.includes(typeOf(each))).map(shownChannel) }
}

export const slack: Imitation<Store> = {
  seed,
  around: { ok: true },
  problem: ({ code, message }) => ({ status: 200, body: { ok: false, error: code, detail: message } }),
  functions: {
    'get-current-user': () => ({ body: { url: 'https://slack.example.com/', user: 'joe', user_id: JOE, ...TEAM } }),
    'post-message': post,
    'update-message': update,
    'delete-message': remove,
    'add-reaction': react,
    'search-messages': search,
    'list-messages': ({ store, args }: Call<Store, Range>) => ({
      list: messagesOf(store, args, (each) => each.thread_ts === undefined || each.reply_broadcast === true).reverse(),
    }),
    'list-replies': ({ store, args }: Call<Store, Range & At>) => {
      const first = findMessage(store, args.channel, args.ts)
      return { list: [shownMessage(store, first), ...messagesOf(store, args, ({ thread_ts }) => thread_ts === first.ts)] }
    },
    'list-conversations': listChannels,
    'create-channel': createChannel,
    'invite-to-channel': invite,
    'open-conversation': ({ store, args }: Call<Store, { users: string }>) => ({
      body: { channel: { id: openDirect(store, idsIn(args.users)).id } },
    }),
    'list-users': ({ store }) => ({ list: store.users }),
    'find-user-by-email': ({ store, args: { email } }: Call<Store, { email: string }>) => {
      const found = store.users.find(({ profile }) => profile.email === email.toLowerCase())
      return { body: { user: need(found, fail('users_not_found', `No user has the address ${email}.`)) } }
    },
  },
}
