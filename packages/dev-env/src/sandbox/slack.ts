import {
  type Answer,
  AppProblem,
  type Call,
  containsAll,
  daysBefore,
  findBy,
  given,
  type Imitation,
  searchTerms,
  seconds,
} from './imitation.ts'

type User = ReturnType<typeof user>
type Channel = ReturnType<typeof channel> & { readonly with?: string }
type Message = {
  readonly channel: string
  readonly ts: string
  readonly user: string
  text: string
  readonly thread_ts?: string
  reply_broadcast?: boolean
  blocks?: unknown
  edited?: { user: string; ts: string }
  reactions: { readonly name: string; readonly users: string[] }[]
}
type Store = { next: number; readonly users: User[]; readonly channels: Channel[]; readonly messages: Message[] }

const TEAM = { team: 'Example Ltd', team_id: 'T0SANDBOX' }
/** The user whose token the account has. */
const JOE = 'U001'

const user = (id: string, name: string, real_name: string, title: string) => {
  const profile = { real_name, display_name: real_name.split(' ')[0] ?? '', email: `${name}@example.com`, title, phone: '' }
  const flags = { deleted: false, is_bot: title === 'Bot', is_admin: id === JOE }
  return { id, team_id: TEAM.team_id, name, real_name, tz: 'Europe/Lisbon', ...flags, profile }
}

const channel = (id: string, name: string, members: string[], created: number, purpose = '', is_private = false) => ({
  id,
  name,
  is_channel: !is_private,
  is_private,
  is_archived: false,
  created,
  creator: JOE,
  members,
  topic: { value: '', creator: '', last_set: 0 },
  purpose: { value: purpose, creator: JOE, last_set: created },
})

const SAID: readonly [channel: string, user: string, hoursAgo: number, text: string, reply?: true][] = [
  ['C001', 'U002', 70, 'Welcome to Mateus, who joins us today :wave:'],
  ['C001', 'U005', 69, 'Thanks everybody!', true],
  ['C001', JOE, 46, 'The all-hands moves to Thursday at 10:00.'],
  ['C001', 'U003', 22, 'The office is closed on Friday.'],
  ['C002', 'U003', 30, 'Release 2.4 is in staging. Please test the import.'],
  ['C002', 'U004', 29, 'The import works for me.', true],
  ['C002', JOE, 28, 'For me too, with 5,000 rows.', true],
  ['C002', 'U004', 5, 'The build of main takes 14 minutes again.'],
  ['C003', 'U004', 26, 'A customer cannot reset the password: ticket 4711.'],
  ['C003', 'U002', 25, 'The mail was in the spam folder; solved.', true],
  ['C003', 'U004', 3, 'Two customers ask for an export of invoices as CSV.'],
  ['C004', 'U005', 12, 'Bring your photos of the hike.'],
  ['C005', 'U002', 8, 'Draft of the budget: invoice volume is up by 12 %.'],
]

function seed(now: Date): Store {
  const all = ['U001', 'U002', 'U003', 'U004', 'U005']
  const created = seconds(daysBefore(now, 90))
  const store: Store = {
    next: 100,
    users: [
      user(JOE, 'joe', 'Joe Miller', 'Product'),
      user('U002', 'ada', 'Ada Ashgrove', 'Head of Operations'),
      user('U003', 'bruno', 'Bruno Belmondez', 'Engineer'),
      user('U004', 'priya', 'Priya Iversand', 'Support'),
      user('U005', 'mateus', 'Mateus Jaromil', 'Designer'),
      user('U006', 'buildbot', 'Build Bot', 'Bot'),
    ],
    channels: [
      channel('C001', 'general', all, created, 'News for everybody'),
      channel('C002', 'engineering', ['U001', 'U003', 'U004'], created, 'Code, builds and releases'),
      channel('C003', 'support', ['U001', 'U002', 'U004'], created, 'Questions of customers'),
      channel('C004', 'random', all, created, 'Anything else'),
      channel('C005', 'finance', ['U001', 'U002'], created, 'Budgets and invoices', true),
    ],
    messages: [],
  }
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

/** Finds a channel by its id, by its name, or by the id of the user in a direct message. */
function findChannel(store: Store, name: string): Channel {
  const person = findBy(store.users, { id: name })
  if (person !== undefined) return openDirect(store, [name])
  const found = store.channels.find(({ id, name: own }) => id === name || own === name.replace(/^#/, ''))
  if (found === undefined) throw fail('channel_not_found', `There is no channel ${name}.`)
  return found
}

function openDirect(store: Store, ids: readonly string[]): Channel {
  for (const id of ids) if (findBy(store.users, { id }) === undefined) throw fail('user_not_found', `There is no user ${id}.`)
  const members = [...new Set([JOE, ...ids])].sort((a, b) => a.localeCompare(b))
  const open = findBy(store.channels, { with: members.join() })
  if (open !== undefined) return open
  const opened = { ...channel(`D${store.next}`, `direct-${store.next++}`, members, 0, '', true), with: members.join() }
  store.channels.push(opened)
  return opened
}

function findMessage(store: Store, place: string, ts: string): Message {
  const found = findBy(store.messages, { channel: findChannel(store, place).id, ts })
  if (found === undefined) throw fail('message_not_found', `There is no message ${ts} in ${place}.`)
  return found
}

function findOwn(store: Store, place: string, ts: string, code: string): Message {
  const found = findMessage(store, place, ts)
  if (found.user !== JOE) throw fail(code, 'The account can only change its own messages.')
  return found
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

const inRange =
  ({ oldest = '0', latest = 'Infinity' }: Range) =>
  ({ ts }: Message) =>
    Number(ts) > Number(oldest) && Number(ts) < Number(latest)

const oldestFirst = (a: Message, b: Message) => Number(a.ts) - Number(b.ts)

type Post = { channel: string; text: string; thread_ts?: string; reply_broadcast?: boolean; blocks?: unknown }

function post({ store, args, now }: Call<Store, Post>): Answer {
  const { id } = findChannel(store, args.channel)
  const parent = args.thread_ts === undefined ? undefined : findMessage(store, args.channel, args.thread_ts)
  const thread_ts = parent?.thread_ts ?? parent?.ts
  const { text, reply_broadcast, blocks } = args
  const message = say(store, now, { channel: id, user: JOE, text, ...given({ thread_ts, reply_broadcast, blocks }) })
  return { body: { channel: id, ts: message.ts, message: shownMessage(store, message) } }
}

function search({ store, args }: Call<Store, { query: string; sort_dir?: string }>): Answer {
  const terms = searchTerms(args.query.replace(/[#@]/g, ''))
  const words = terms.filter(({ key }) => key === '').map(({ value }) => value)
  const found = store.messages.flatMap((message) => {
    const place = findBy(store.channels, { id: message.channel })
    const author = findBy(store.users, { id: message.user })
    const wanted = terms.every(({ key, value }) => {
      if (key === 'in') return place?.name === value || place?.id === value
      return key !== 'from' || author?.name === value || author?.id === value || (value === 'me' && author?.id === JOE)
    })
    if (!wanted || !containsAll(message.text, words)) return []
    const permalink = `https://slack.example.com/archives/${message.channel}/p${message.ts.replace('.', '')}`
    return [{ ...shownMessage(store, message), channel: { id: message.channel, name: place?.name }, username: author?.name, permalink }]
  })
  found.sort((a, b) => (args.sort_dir === 'asc' ? 1 : -1) * (Number(a.ts) - Number(b.ts)))
  return { list: found, body: { query: args.query, messages: { total: found.length } } }
}

export const slack: Imitation<Store> = {
  seed,
  around: { ok: true },
  problem: ({ code, message }) => ({ status: 200, body: { ok: false, error: code, detail: message } }),
  functions: {
    'get-current-user': () => ({ body: { url: 'https://slack.example.com/', user: 'joe', user_id: JOE, ...TEAM } }),
    'post-message': post,
    'update-message': ({ store, args, now }: Call<Store, { channel: string; ts: string; text: string }>) => {
      const message = findOwn(store, args.channel, args.ts, 'cant_update_message')
      Object.assign(message, { text: args.text, edited: { user: JOE, ts: `${seconds(now)}.000000` } })
      return { body: { channel: message.channel, ts: message.ts, text: message.text, message: shownMessage(store, message) } }
    },
    'delete-message': ({ store, args }: Call<Store, { channel: string; ts: string }>) => {
      const message = findOwn(store, args.channel, args.ts, 'cant_delete_message')
      store.messages.splice(store.messages.indexOf(message), 1)
      return { body: { channel: message.channel, ts: message.ts } }
    },
    'list-conversations': ({ store, args }: Call<Store, { types?: string[]; exclude_archived?: boolean }>) => {
      const { types = ['public_channel'] } = args
      const typeOf = (each: Channel) =>
        each.with ? (each.members.length > 2 ? 'mpim' : 'im') : each.is_private ? 'private_channel' : 'public_channel'
      return { list: store.channels.filter((each) => types.includes(typeOf(each))).map(shownChannel) }
    },
    'list-messages': ({ store, args }: Call<Store, Range>) => {
      const { id } = findChannel(store, args.channel)
      const own = store.messages.filter((each) => each.channel === id && (each.thread_ts === undefined || each.reply_broadcast === true))
      return {
        list: own
          .filter(inRange(args))
          .sort(oldestFirst)
          .reverse()
          .map((each) => shownMessage(store, each)),
      }
    },
    'list-replies': ({ store, args }: Call<Store, Range & { ts: string }>) => {
      const first = findMessage(store, args.channel, args.ts)
      const replies = store.messages.filter((each) => each.channel === first.channel && each.thread_ts === first.ts)
      return { list: [first, ...replies.filter(inRange(args)).sort(oldestFirst)].map((each) => shownMessage(store, each)) }
    },
    'create-channel': ({ store, args, now }: Call<Store, { name: string; is_private?: boolean }>) => {
      if (!/^[\p{Ll}\p{Lo}\d_-]{1,80}$/u.test(args.name))
        throw fail('invalid_name_specials', 'A name has lower-case letters, digits, - and _.')
      if (findBy(store.channels, { name: args.name })) throw fail('name_taken', `There is a channel ${args.name}.`)
      const created = channel(`C${store.next++}`, args.name, [JOE], seconds(now), '', args.is_private)
      store.channels.push(created)
      return { body: { channel: shownChannel(created) } }
    },
    'invite-to-channel': ({ store, args }: Call<Store, { channel: string; users: string }>) => {
      const found = findChannel(store, args.channel)
      for (const id of args.users.split(',').map((each) => each.trim())) {
        if (findBy(store.users, { id }) === undefined) throw fail('user_not_found', `There is no user ${id}.`)
        if (found.members.includes(id)) throw fail('already_in_channel', `${id} is in the channel.`)
        found.members.push(id)
      }
      return { body: { channel: shownChannel(found) } }
    },
    'open-conversation': ({ store, args }: Call<Store, { users: string }>) => ({
      body: {
        channel: {
          id: openDirect(
            store,
            args.users.split(',').map((each) => each.trim()),
          ).id,
        },
      },
    }),
    'list-users': ({ store }) => ({ list: store.users }),
    'find-user-by-email': ({ store, args }: Call<Store, { email: string }>) => {
      const found = store.users.find(({ profile }) => profile.email === args.email.toLowerCase())
      if (found === undefined) throw fail('users_not_found', `No user has the address ${args.email}.`)
      return { body: { user: found } }
    },
    'add-reaction': ({ store, args }: Call<Store, { channel: string; timestamp: string; emoji: string }>) => {
      const { reactions } = findMessage(store, args.channel, args.timestamp)
      const reaction = findBy(reactions, { name: args.emoji })
      if (reaction?.users.includes(JOE)) throw fail('already_reacted', `The message has :${args.emoji}: of this user.`)
      if (reaction === undefined) reactions.push({ name: args.emoji, users: [JOE] })
      else reaction.users.push(JOE)
      return {}
    },
    'search-messages': search,
  },
}
